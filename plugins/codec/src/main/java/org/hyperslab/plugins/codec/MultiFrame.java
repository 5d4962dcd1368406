package org.hyperslab.plugins.codec;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Frames the messages of several transfers as one message. A transfer of several datasets is
 * encoded as the messages of its parts, followed by their concatenated payloads.
 *
 * <pre>
 * 0    byte  {@value #MARK}, with which no protobuf message begins: no field has number 0
 * 1    byte  the kind: {@value #READS} or {@value #WRITES}, or {@value #RESULTS} for their results
 * 2    int   the number of parts, at least 1
 *      for each part:
 *        int   bytes of its message
 *        long  bytes of its payload
 *        byte[]  its message
 * </pre>
 *
 * <p>Numbers are in network byte order. Thread rule: stateless.
 */
final class MultiFrame {

  static final byte MARK = 0;
  static final byte READS = 1;
  static final byte WRITES = 2;
  static final byte RESULTS = 3;

  private static final int HEADER_BYTES = 6;
  private static final int PART_BYTES = 12;

  private MultiFrame() {}

  /** Returns whether a message is framed. */
  static boolean isFramed(byte[] control) {
    return control.length > 0 && control[0] == MARK;
  }

  /** Returns the kind of a framed message. */
  static byte kind(byte[] control) {
    return control.length > 1 ? control[1] : MARK;
  }

  static EncodedMessage join(byte kind, List<EncodedMessage> parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(
        ByteBuffer.allocate(HEADER_BYTES).put(MARK).put(kind).putInt(parts.size()).array());
    List<MemorySegment> payload = new ArrayList<>();
    for (EncodedMessage part : parts) {
      out.writeBytes(
          ByteBuffer.allocate(PART_BYTES)
              .putInt(part.control().length)
              .putLong(part.payloadBytes())
              .array());
      out.writeBytes(part.control());
      payload.addAll(part.payload());
    }
    return new EncodedMessage(out.toByteArray(), payload);
  }

  /**
   * Returns the messages of the parts.
   *
   * @throws org.hyperslab.error.CorruptFileException if the frame is inconsistent
   */
  static List<EncodedMessage> split(EncodedMessage joined, byte kind) {
    ByteBuffer in = ByteBuffer.wrap(joined.control());
    long payload = joined.payloadBytes();
    require(in.remaining() >= HEADER_BYTES, "bytes", in.remaining(), "at least " + HEADER_BYTES);
    require(in.get() == MARK && in.get() == kind, "kind", kind(joined.control()), "" + kind);
    int count = in.getInt();
    require(count > 0, "parts", count, "at least 1");
    List<EncodedMessage> parts = new ArrayList<>();
    long at = 0;
    for (int i = 0; i < count; i++) {
      require(in.remaining() >= PART_BYTES, "parts", i, "" + count);
      int length = in.getInt();
      long bytes = in.getLong();
      require(
          length >= 0 && length <= in.remaining(), "message", length, "at most " + in.remaining());
      require(bytes >= 0 && bytes <= payload - at, "payload", bytes, "at most " + (payload - at));
      byte[] control = new byte[length];
      in.get(control);
      parts.add(new EncodedMessage(control, Payload.part(joined, at, bytes)));
      at += bytes;
    }
    require(!in.hasRemaining(), "bytes behind the parts", in.remaining(), "0");
    require(at == payload, "payload", payload, "" + at);
    return parts;
  }

  private static void require(boolean holds, String what, long actual, String expected) {
    if (!holds) {
      throw MalformedMessage.of(
          "transfers of several datasets", what + " actual=" + actual + ", expected=" + expected);
    }
  }
}
