package org.hyperslab.format.header;

import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;

/**
 * The symbol table of a group of the old style.
 *
 * @param btreeAddress its B-tree of version 1
 * @param heapAddress its local heap of names
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
