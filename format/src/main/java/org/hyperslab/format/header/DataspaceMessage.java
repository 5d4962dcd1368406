package org.hyperslab.format.header;

import java.util.Arrays;
import org.hyperslab.format.codec.DataspaceCodec;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.space.Dataspace;

/**
 * The dataspace message: the extent of a dataset.
 *
 * @param space the extent
 * @param version the version of its encoding, 1 or 2
 * @param maximumsStored whether maximum extents are written even if they equal the current ones;
 *     some writers omit them, and a message that is written again must not grow
 */
public record DataspaceMessage(Dataspace space, int version, boolean maximumsStored)
    implements Message {

  private static final int FLAGS_POSITION = 2;
  private static final int FLAG_MAXIMUMS = 1;

  /**
   * {@return a dataspace in the version for that generation, or the least above it that can express
   * it}
   *
   * @param space the extent
   * @param low the lower version bound
   */
  public static DataspaceMessage of(Dataspace space, LibraryVersion low) {
    return new DataspaceMessage(
        space, Math.max(low.dataspace(), DataspaceCodec.minimumVersion(space)), true);
  }

  /**
   * {@return a message with another extent in the same version}
   *
   * @param newSpace the new extent
   */
  public DataspaceMessage with(Dataspace newSpace) {
    return new DataspaceMessage(
        newSpace, Math.max(version, DataspaceCodec.minimumVersion(newSpace)), maximumsStored);
  }

  @Override
  public int typeCode() {
    return MessageType.DATASPACE.code();
  }

  /**
   * Decodes the payload.
   *
   * @param reader reads the bytes, from its position
   * @return the message
   */
  public static DataspaceMessage decode(MetadataReader reader) {
    int start = reader.position();
    int version = reader.u8();
    reader.skip(1);
    boolean maximums = (reader.u8() & FLAG_MAXIMUMS) != 0;
    reader.position(start);
    return new DataspaceMessage(DataspaceCodec.decode(reader), version, maximums);
  }

  @Override
  public void encode(MetadataWriter writer) {
    if (maximumsStored || !Arrays.equals(space.dims(), space.maxDims())) {
      DataspaceCodec.encode(space, writer, version);
      return;
    }
    MetadataWriter whole = new MetadataWriter(writer.geometry(), 64);
    DataspaceCodec.encode(space, whole, version);
    byte[] bytes = whole.toByteArray();
    bytes[FLAGS_POSITION] &= ~FLAG_MAXIMUMS;
    writer.bytes(bytes, 0, bytes.length - space.rank() * writer.geometry().sizeOfLengths());
  }
}
