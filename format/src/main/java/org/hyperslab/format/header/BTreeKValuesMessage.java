package org.hyperslab.format.header;

import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;

/**
 * The B-tree K values message, for values other than the defaults; in the superblock extension.
 *
 * <p>Source: HDF5 File Format Specification, IV.A.2.t; reference {@code H5Obtreek.c}.
 *
 * @param chunkInternalK K of chunk B-tree nodes
 * @param groupInternalK K of group B-tree nodes
 * @param groupLeafK K of symbol table nodes
 */
public record BTreeKValuesMessage(int chunkInternalK, int groupInternalK, int groupLeafK)
    implements Message {

  @Override
  public int typeCode() {
    return MessageType.BTREE_K_VALUES.code();
  }

  /**
   * Decodes the payload.
   *
   * @param reader reads the bytes, from its position
   * @return the message
   */
  public static BTreeKValuesMessage decode(MetadataReader reader) {
    reader.expectU8("version", 0);
    BTreeKValuesMessage values = new BTreeKValuesMessage(reader.u16(), reader.u16(), reader.u16());
    if (values.chunkInternalK == 0 || values.groupInternalK == 0 || values.groupLeafK == 0) {
      throw reader.corrupt("K actual=0 in " + values + ", expected=at least 1");
    }
    return values;
  }

  @Override
  public void encode(MetadataWriter writer) {
    writer.u8(0).u16(chunkInternalK).u16(groupInternalK).u16(groupLeafK);
  }
}
