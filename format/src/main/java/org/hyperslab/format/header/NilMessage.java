package org.hyperslab.format.header;

import org.hyperslab.format.io.Bytes;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;

/**
 * Free space in a header.
 *
 * @param content the bytes, which have no meaning
 */
record NilMessage(Bytes content) implements Message {

  @Override
  public int typeCode() {
    return MessageType.NIL.code();
  }

  /** Decodes the payload. */
  public static NilMessage decode(MetadataReader reader) {
    return new NilMessage(Bytes.read(reader, reader.remaining()));
  }

  @Override
  public void encode(MetadataWriter writer) {
    content.writeTo(writer);
  }
}
