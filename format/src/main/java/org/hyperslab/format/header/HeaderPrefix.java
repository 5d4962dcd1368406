package org.hyperslab.format.header;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;

/**
 * The prefix of an object header: the fields before its first message.
 *
 * <pre>
 *   version 1                           version 2
 *   1  version                          4  signature OHDR
 *   1  reserved                         1  version
 *   2  number of messages               1  flags
 *   4  reference count                  4x4 access, modification, change, birth time  (bit 5)
 *   4  size of the messages             2x2 maximum compact, minimum dense attributes (bit 4)
 *   4  padding                          1,2,4,8  size of the messages  (bits 0-1)
 * </pre>
 *
 * <p>Source: HDF5 File Format Specification, IV.A.1; reference {@code H5Ocache.c}.
 *
 * @param version 1 or 2
 * @param flags the flags of version 2; 0 in version 1
 * @param messageCount the number of messages in all chunks, in version 1; 0 in version 2
 * @param referenceCount the reference count of version 1; 1 in version 2
 * @param times the times, if version 2 stores them
 * @param phaseChange the thresholds, if version 2 stores them
 * @param messageBytes the size of the messages in the first chunk in bytes
 */
record HeaderPrefix(
    int version,
    int flags,
    int messageCount,
    long referenceCount,
    Optional<ObjectTimes> times,
    Optional<PhaseChange> phaseChange,
    long messageBytes) {

  static final int SIZE_CODE = 0x03;
  static final int TRACK_ATTRIBUTES = 0x04;
  static final int INDEX_ATTRIBUTES = 0x08;
  static final int PHASE_CHANGE = 0x10;
  static final int TIMES = 0x20;
  static final int ALL_FLAGS = 0x3F;
  static final String SIGNATURE = "OHDR";

  /** The greatest size of a prefix in bytes. */
  static final int MAXIMUM_BYTES = 4 + 2 + 16 + 4 + 8;

  private static final int VERSION_1_BYTES = 16;

  /** Returns whether bytes begin a header: with version 1 and a zero, or with the signature. */
  static boolean begins(byte[] start) {
    if (start.length < SIGNATURE.length()) {
      return false;
    }
    String text = new String(start, 0, SIGNATURE.length(), StandardCharsets.ISO_8859_1);
    return text.equals(SIGNATURE) || (start[0] == 1 && start[1] == 0);
  }

  static HeaderPrefix decode(MetadataReader reader) {
    int first = reader.u8();
    reader.position(reader.position() - 1);
    return first == SIGNATURE.charAt(0) ? decodeVersion2(reader) : decodeVersion1(reader);
  }

  private static HeaderPrefix decodeVersion1(MetadataReader reader) {
    int version = reader.u8();
    if (version != 1) {
      throw reader.corrupt("object header version actual=" + version + ", expected=1 or OHDR");
    }
    reader.skip(1);
    int messages = reader.u16();
    long references = reader.u32();
    long bytes = reader.u32();
    reader.skip(4);
    return new HeaderPrefix(1, 0, messages, references, Optional.empty(), Optional.empty(), bytes);
  }

  private static HeaderPrefix decodeVersion2(MetadataReader reader) {
    reader.signature(SIGNATURE);
    int version = reader.u8();
    if (version != 2) {
      throw new UnsupportedFeatureException(
          "object header version: actual="
              + version
              + ", expected=1 or 2, at="
              + reader.geometry().file());
    }
    int flags = reader.u8();
    if ((flags & ~ALL_FLAGS) != 0) {
      throw reader.corrupt("flags actual=0x" + Integer.toHexString(flags) + ", expected=0..0x3f");
    }
    Optional<ObjectTimes> times = Optional.empty();
    if ((flags & TIMES) != 0) {
      times = Optional.of(new ObjectTimes(reader.u32(), reader.u32(), reader.u32(), reader.u32()));
    }
    Optional<PhaseChange> phase = Optional.empty();
    if ((flags & PHASE_CHANGE) != 0) {
      phase = Optional.of(GroupInfoMessage.phaseChange(reader));
    }
    long bytes = reader.unsigned(1 << (flags & SIZE_CODE));
    if (bytes < 0) {
      throw reader.corrupt("size of the first chunk actual=" + Long.toUnsignedString(bytes));
    }
    return new HeaderPrefix(2, flags, 0, 1, times, phase, bytes);
  }

  /** Returns the size of this prefix in bytes. */
  int encodedSize() {
    if (version == 1) {
      return VERSION_1_BYTES;
    }
    return 6
        + (times.isPresent() ? 16 : 0)
        + (phaseChange.isPresent() ? 4 : 0)
        + (1 << (flags & SIZE_CODE));
  }

  void encode(MetadataWriter writer) {
    if (version == 1) {
      writer.u8(1).u8(0).u16(messageCount).u32(referenceCount).u32(messageBytes).zeros(4);
      return;
    }
    writer.signature(SIGNATURE).u8(2).u8(flags);
    times.ifPresent(
        t -> writer.u32(t.access()).u32(t.modification()).u32(t.change()).u32(t.birth()));
    phaseChange.ifPresent(p -> writer.u16(p.maximumCompact()).u16(p.minimumDense()));
    writer.unsigned(messageBytes, 1 << (flags & SIZE_CODE));
  }

  HeaderPrefix withMessageCount(int count) {
    return new HeaderPrefix(
        version, flags, count, referenceCount, times, phaseChange, messageBytes);
  }

  HeaderPrefix withReferenceCount(long count) {
    return new HeaderPrefix(version, flags, messageCount, count, times, phaseChange, messageBytes);
  }

  HeaderPrefix withTimes(ObjectTimes newTimes) {
    return new HeaderPrefix(
        version,
        flags,
        messageCount,
        referenceCount,
        Optional.of(newTimes),
        phaseChange,
        messageBytes);
  }
}
