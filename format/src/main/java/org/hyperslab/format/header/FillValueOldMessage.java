package org.hyperslab.format.header;

import org.hyperslab.format.io.Bytes;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;

/**
 * The fill value message of releases before 1.6: four bytes of size, then the value in the
 * dataset's datatype.
 *
 * <p>Source: HDF5 File Format Specification, IV.A.2.e; reference {@code H5Ofill.c}.
 *
 * @param value one element; empty if there is none
 */
public record FillValueOldMessage(Bytes value) implements Message {

  @Override
  public int typeCode() {
    return MessageType.FILL_VALUE_OLD.code();
  }

  /**
   * Decodes the payload.
   *
   * @param reader reads the bytes, from its position
   * @return the message
   */
  public static FillValueOldMessage decode(MetadataReader reader) {
    long size = reader.u32();
    if (size > reader.remaining()) {
      throw reader.corrupt("size actual=" + size + ", expected=at most " + reader.remaining());
    }
    return new FillValueOldMessage(Bytes.read(reader, (int) size));
  }

  @Override
  public void encode(MetadataWriter writer) {
    writer.u32(value.size());
    value.writeTo(writer);
  }
}
