package org.hyperslab.format.header;

import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;

/**
 * The metadata cache image message: the address of the image that newer releases may leave in a
 * file when they close it; in the superblock extension. The specification does not describe it.
 *
 * <p>Source: reference {@code H5Ocache_image.c}.
 *
 * @param address the address of the image; {@link FileGeometry#UNDEFINED} if there is none
 * @param sizeBytes the size of the image in bytes
 */
public record MetadataCacheImageMessage(long address, long sizeBytes) implements Message {

  @Override
  public int typeCode() {
    return MessageType.METADATA_CACHE_IMAGE.code();
  }

  /**
   * Decodes the payload.
   *
   * @param reader reads the bytes, from its position
   * @return the message
   */
  public static MetadataCacheImageMessage decode(MetadataReader reader) {
    reader.expectU8("version", 0);
    return new MetadataCacheImageMessage(reader.offset(), reader.length());
  }

  @Override
  public void encode(MetadataWriter writer) {
    writer.u8(0).offset(address).length(sizeBytes);
  }
}
