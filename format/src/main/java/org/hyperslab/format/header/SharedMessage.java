package org.hyperslab.format.header;

import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;

/**
 * A message whose content is stored elsewhere: in a committed datatype's header, or in the heap of
 * shared messages.
 *
 * @param typeCode the type of the shared message
 * @param pointer the place of the content
 */
public record SharedMessage(int typeCode, SharedPointer pointer) implements Message {

  /**
   * Decodes the payload.
   *
   * @param typeCode the number of the message type
   * @param reader reads the bytes, from its position
   * @return the message
   */
  public static SharedMessage decode(int typeCode, MetadataReader reader) {
    return new SharedMessage(typeCode, SharedPointer.decode(reader));
  }

  @Override
  public void encode(MetadataWriter writer) {
    pointer.encode(writer);
  }
}
