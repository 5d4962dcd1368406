package org.hyperslab.format.header;

import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;

/**
 * The modification time message: version 1, three reserved bytes, four bytes of seconds since
 * 1970-01-01 UTC.
 *
 * @param epochSecond the time in seconds, 0 to 2^32-1
 */
public record ModificationTimeMessage(long epochSecond) implements Message {

  @Override
  public int typeCode() {
    return MessageType.MODIFICATION_TIME.code();
  }

  /**
   * Decodes the payload.
   *
   * @param reader reads the bytes, from its position
   * @return the message
   */
  public static ModificationTimeMessage decode(MetadataReader reader) {
    reader.expectU8("version", 1);
    reader.skip(3);
    return new ModificationTimeMessage(reader.u32());
  }

  @Override
  public void encode(MetadataWriter writer) {
    writer.u8(1).zeros(3).u32(epochSecond);
  }
}
