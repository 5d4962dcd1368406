package org.hyperslab.plugins.forwarding.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.hyperslab.error.CorruptFileException;

/**
 * The fixed header of a frame; all numbers are little-endian.
 *
 * <pre>
 *   0        4    5    6      8         12          16       24    32            40           44        46
 *   +--------+----+----+------+---------+-----------+--------+-----+-------------+------------+---------+-----+
 *   | magic4 | v1 | t1 | fl 2 | control | head CRC4 | payl 8 | id8 | acknowl'd 8 | payl CRC 4 | header2 | 0 2 |
 *   +--------+----+----+------+---------+-----------+--------+-----+-------------+------------+---------+-----+
 * </pre>
 *
 * The head CRC32C covers the header and the control message, with the CRC field itself zero. A
 * later version may have a longer header; a reader skips the unknown part.
 */
record FrameHeader(
    int version,
    int type,
    int flags,
    int controlBytes,
    int headCrc,
    long payloadBytes,
    long id,
    long acknowledged,
    int payloadCrc,
    int headerBytes) {

  static final int BYTES = 48;
  static final int MAGIC = 0x57534C48; // "HLSW"
  static final int VERSION = 1;
  static final int MAX_HEADER_BYTES = 1024;

  private static final int HEAD_CRC_AT = 12;
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Encodes the header and the control message of a frame. */
  static byte[] encode(Frame frame, int payloadCrc) {
    byte[] control = frame.control();
    byte[] head = new byte[BYTES + control.length];
    INT.set(head, 0, MAGIC);
    head[4] = VERSION;
    head[5] = (byte) frame.type().number();
    SHORT.set(head, 6, (short) frame.flags());
    INT.set(head, 8, control.length);
    LONG.set(head, 16, frame.payloadBytes());
    LONG.set(head, 24, frame.id());
    LONG.set(head, 32, frame.acknowledged());
    INT.set(head, 40, payloadCrc);
    SHORT.set(head, 44, (short) BYTES);
    System.arraycopy(control, 0, head, BYTES, control.length);
    CRC32C crc = new CRC32C();
    crc.update(head, 0, head.length);
    INT.set(head, HEAD_CRC_AT, (int) crc.getValue());
    return head;
  }

  /**
   * Decodes a header. Its CRC is checked after the control message has arrived.
   *
   * @throws CorruptFileException if the bytes are not a header, or a length exceeds the limits
   */
  static FrameHeader decode(byte[] in, WireLimits limits) {
    int magic = (int) INT.get(in, 0);
    if (magic != MAGIC) {
      throw corrupt("magic actual=0x" + Integer.toHexString(magic) + ", expected=0x57534c48");
    }
    FrameHeader header =
        new FrameHeader(
            in[4],
            in[5],
            (short) SHORT.get(in, 6) & 0xFFFF,
            (int) INT.get(in, 8),
            (int) INT.get(in, HEAD_CRC_AT),
            (long) LONG.get(in, 16),
            (long) LONG.get(in, 24),
            (long) LONG.get(in, 32),
            (int) INT.get(in, 40),
            (short) SHORT.get(in, 44) & 0xFFFF);
    header.check(limits);
    return header;
  }

  private void check(WireLimits limits) {
    if (version < VERSION) {
      throw corrupt("version actual=" + version + ", expected=at least " + VERSION);
    }
    if (type < 0 || type >= FrameType.count()) {
      throw corrupt("type actual=" + type + ", expected=0.." + (FrameType.count() - 1));
    }
    if (controlBytes < 0 || controlBytes > limits.controlBytes()) {
      throw corrupt(
          "control bytes actual=" + controlBytes + ", expected=0.." + limits.controlBytes());
    }
    if (payloadBytes < 0 || payloadBytes > limits.payloadBytes()) {
      throw corrupt(
          "payload bytes actual=" + payloadBytes + ", expected=0.." + limits.payloadBytes());
    }
    if (headerBytes < BYTES || headerBytes > MAX_HEADER_BYTES) {
      throw corrupt("header bytes actual=" + headerBytes + ", expected=48.." + MAX_HEADER_BYTES);
    }
  }

  /** Checks the CRC over the received header and the control message. */
  void checkHead(byte[] head, int headBytes, byte[] control) {
    INT.set(head, HEAD_CRC_AT, 0);
    CRC32C crc = new CRC32C();
    crc.update(head, 0, headBytes);
    crc.update(control, 0, control.length);
    if ((int) crc.getValue() != headCrc) {
      throw corrupt(
          "head CRC32C actual=0x"
              + Integer.toHexString((int) crc.getValue())
              + ", expected=0x"
              + Integer.toHexString(headCrc));
    }
  }

  static CorruptFileException corrupt(String problem) {
    return new CorruptFileException("wire", "frame", CorruptFileException.NO_OFFSET, problem);
  }
}
