package org.hyperslab.format.header;

import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;

/**
 * The shared message table message: the address of the master table of shared object header
 * messages; in the superblock extension.
 *
 * <p>Source: HDF5 File Format Specification, IV.A.2.p; reference {@code H5Oshmesg.c}.
 *
 * @param tableAddress the address of the master table
 * @param indexCount the number of its indexes, at most 8
 */
public record SharedMessageTableMessage(long tableAddress, int indexCount) implements Message {

  private static final int MAXIMUM_INDEXES = 8;

  @Override
  public int typeCode() {
    return MessageType.SHARED_MESSAGE_TABLE.code();
  }

  /**
   * Decodes the payload.
   *
   * @param reader reads the bytes, from its position
   * @return the message
   */
  public static SharedMessageTableMessage decode(MetadataReader reader) {
    reader.expectU8("version", 0);
    long table = reader.offset();
    int count = reader.u8();
    if (count < 1 || count > MAXIMUM_INDEXES) {
      throw reader.corrupt("number of indexes actual=" + count + ", expected=1..8");
    }
    return new SharedMessageTableMessage(table, count);
  }

  @Override
  public void encode(MetadataWriter writer) {
    writer.u8(0).offset(tableAddress).u8(indexCount);
  }
}
