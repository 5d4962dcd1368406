package org.hyperslab.format.header;

import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;

/**
 * The reference count message: the number of hard links to an object with a version 2 header, if
 * not 1.
 *
 * @param count 0 to 2^32-1
 */
record ReferenceCountMessage(long count) implements Message {

  @Override
  public int typeCode() {
    return MessageType.REFERENCE_COUNT.code();
  }

  /** Decodes the payload. */
  public static ReferenceCountMessage decode(MetadataReader reader) {
    reader.expectU8("version", 0);
    return new ReferenceCountMessage(reader.u32());
  }

  @Override
  public void encode(MetadataWriter writer) {
    writer.u8(0).u32(count);
  }
}
