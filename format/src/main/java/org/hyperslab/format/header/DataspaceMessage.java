package org.hyperslab.format.header;

import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.DataspaceCodec;

/**
 * The extent of a dataset.
 *
 * @param space the extent
 * @param version the version in which it is encoded, 1 or 2
 */
public record DataspaceMessage(Dataspace space, int version) implements Message {

  /** A dataspace in the version for that generation, or the least above it that can express it. */
  public static DataspaceMessage of(Dataspace space, FormatVersion low) {
    return new DataspaceMessage(
        space, Math.max(low.dataspace(), DataspaceCodec.minimumVersion(space)));
  }

  /** Another extent in the same version. */
  public DataspaceMessage with(Dataspace newSpace) {
    return new DataspaceMessage(
        newSpace, Math.max(version, DataspaceCodec.minimumVersion(newSpace)));
  }

  @Override
  public int typeCode() {
    return MessageType.DATASPACE.code();
  }

  /** Decodes the payload. */
  public static DataspaceMessage decode(MetadataReader reader) {
    int start = reader.position();
    int version = reader.u8();
    reader.position(start);
    return new DataspaceMessage(DataspaceCodec.decode(reader), version);
  }

  @Override
  public void encode(MetadataWriter writer) {
    DataspaceCodec.encode(space, writer, version);
  }
}
