package org.hyperslab.format.header;

import org.hyperslab.format.io.Bytes;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;

/**
 * A message of a type that this library does not know, kept byte for byte.
 *
 * @param typeCode the number of its type
 * @param content the payload
 */
record UnknownMessage(int typeCode, Bytes content) implements Message {

  /** Decodes the payload. */
  public static UnknownMessage decode(int typeCode, MetadataReader reader) {
    return new UnknownMessage(typeCode, Bytes.read(reader, reader.remaining()));
  }

  @Override
  public void encode(MetadataWriter writer) {
    content.writeTo(writer);
  }
}
