package org.hyperslab.format.header;

import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.superblock.DriverInfo;

/**
 * The driver info message: the information that the file driver needs to reopen the file; in the
 * superblock extension.
 *
 * @param info the driver's name and information
 */
public record DriverInfoMessage(DriverInfo info) implements Message {

  @Override
  public int typeCode() {
    return MessageType.DRIVER_INFO.code();
  }

  /**
   * Decodes the payload.
   *
   * @param reader reads the bytes, from its position
   * @return the message
   */
  public static DriverInfoMessage decode(MetadataReader reader) {
    return new DriverInfoMessage(DriverInfo.decodeMessage(reader));
  }

  @Override
  public void encode(MetadataWriter writer) {
    info.encodeMessage(writer);
  }
}
