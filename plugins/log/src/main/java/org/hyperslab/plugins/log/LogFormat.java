package org.hyperslab.plugins.log;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The layout of a log. It begins with
 *
 * <pre>
 *   0         8           12       16         32           40       44   64
 *   +---------+-----------+--------+----------+------------+--------+----+
 *   | magic 8 | version 4 | CRC32C | nonce 16 | promised 8 | CRC32C | 0  |
 *   +---------+-----------+--------+----------+------------+--------+----+
 * </pre>
 *
 * where the first CRC covers magic, version and nonce, and the second the nonce and the promised
 * length: the length that was on storage when a force last ended. Records follow, each at a
 * multiple of 8 bytes:
 *
 * <pre>
 *   0         4        8      12       16          24       32       40        48
 *   +---------+--------+------+--------+-----------+--------+--------+---------+------+---------+
 *   | magic 4 | CRC32C | kind | body 4 | payload 8 | number | second | forced 8| body | payload |
 *   +---------+--------+------+--------+-----------+--------+--------+---------+------+---------+
 * </pre>
 *
 * The CRC covers the nonce, the position of the record and all bytes after it, so that a record of
 * another log, or of another place, is none. {@code forced} is the length that was on storage when
 * the record was appended. All numbers are little-endian.
 */
final class LogFormat {

  /** The first bytes of a log: {@code HSLABLOG}. */
  static final long MAGIC = 0x47_4F_4C_42_41_4C_53_48L;

  static final int VERSION_AT = 8;
  static final int VERSION = 1;
  static final int CHECK_AT = 12;
  static final int NONCE_AT = 16;
  static final int NONCE_BYTES = 16;
  static final int PROMISED_AT = 32;
  static final int PROMISED_BYTES = 12;
  static final int START = 64;

  /** The first bytes of a record: {@code HLrc}. */
  static final int RECORD_MAGIC = 0x63_72_4C_48;

  static final int HEAD = 48;
  static final int CRC_AT = 4;
  static final int KIND_AT = 8;
  static final int BODY_AT = 12;
  static final int PAYLOAD_AT = 16;
  static final int NUMBER_AT = 24;
  static final int SECOND_AT = 32;
  static final int FORCED_AT = 40;

  /** The longest body of a record, in bytes. */
  static final int MAX_BODY = 16 << 20;

  /** The largest view of a segment as a buffer, in bytes. */
  private static final long VIEW_BYTES = 1L << 30;

  private LogFormat() {}

  /** {@return a length with the bytes that lead to the next record} */
  static long padded(long bytes) {
    return (bytes + 7) & -8L;
  }

  static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** {@return the start of a log, ready to be written} */
  static ByteBuffer start(byte[] nonce) {
    ByteBuffer start = buffer(START);
    start.putLong(0, MAGIC).putInt(VERSION_AT, VERSION).put(NONCE_AT, nonce);
    start.putInt(CHECK_AT, checkOf(start));
    start.put(PROMISED_AT, promised(nonce, 0), 0, PROMISED_BYTES);
    return start;
  }

  /** {@return the checksum of magic, version and nonce} */
  static int checkOf(ByteBuffer start) {
    CRC32C crc = new CRC32C();
    crc.update(start.slice(0, CHECK_AT));
    crc.update(start.slice(NONCE_AT, NONCE_BYTES));
    return (int) crc.getValue();
  }

  /** {@return the promised length with its checksum} */
  static ByteBuffer promised(byte[] nonce, long length) {
    ByteBuffer bytes = buffer(PROMISED_BYTES).putLong(0, length);
    CRC32C crc = new CRC32C();
    crc.update(nonce);
    crc.update(bytes.slice(0, Long.BYTES));
    return bytes.putInt(Long.BYTES, (int) crc.getValue());
  }

  /** {@return the checksum of a record, given its head and what follows it} */
  static int checkOf(byte[] nonce, long at, ByteBuffer head, List<ByteBuffer> parts) {
    CRC32C crc = begin(nonce, at, head);
    parts.forEach(part -> crc.update(part.duplicate()));
    return (int) crc.getValue();
  }

  /** {@return a checksum that has covered the head of a record} */
  static CRC32C begin(byte[] nonce, long at, ByteBuffer head) {
    CRC32C crc = new CRC32C();
    crc.update(nonce);
    crc.update(buffer(Long.BYTES).putLong(0, at));
    crc.update(head.slice(KIND_AT, HEAD - KIND_AT));
    return crc;
  }

  /** Adds views of a segment to a list of buffers. */
  static void addViews(List<ByteBuffer> views, MemorySegment part) {
    for (long at = 0; at < part.byteSize(); at += VIEW_BYTES) {
      views.add(part.asSlice(at, Math.min(VIEW_BYTES, part.byteSize() - at)).asByteBuffer());
    }
  }
}
