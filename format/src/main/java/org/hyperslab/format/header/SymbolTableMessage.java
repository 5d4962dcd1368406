package org.hyperslab.format.header;

import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;

/**
 * The symbol table message of an old-style group.
 *
 * @param btreeAddress the address of its version 1 B-tree
 * @param heapAddress the address of its local heap of names
 */
public record SymbolTableMessage(long btreeAddress, long heapAddress) implements Message {

  @Override
  public int typeCode() {
    return MessageType.SYMBOL_TABLE.code();
  }

  /**
   * Decodes the payload.
   *
   * @param reader reads the bytes, from its position
   * @return the message
   */
  public static SymbolTableMessage decode(MetadataReader reader) {
    return new SymbolTableMessage(reader.offset(), reader.offset());
  }

  @Override
  public void encode(MetadataWriter writer) {
    writer.offset(btreeAddress).offset(heapAddress);
  }
}
