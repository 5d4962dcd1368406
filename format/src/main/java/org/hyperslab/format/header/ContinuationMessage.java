package org.hyperslab.format.header;

import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;

/**
 * The continuation message: the place where an object header continues.
 *
 * @param address the address of the next chunk
 * @param sizeBytes the size of that chunk in bytes, including signature and checksum
 */
record ContinuationMessage(long address, long sizeBytes) implements Message {

  @Override
  public int typeCode() {
    return MessageType.CONTINUATION.code();
  }

  /** Returns the payload's size in bytes, in a file with the given geometry. */
  static int payloadSize(FileGeometry geometry) {
    return geometry.sizeOfOffsets() + geometry.sizeOfLengths();
  }

  /** Decodes the payload. */
  public static ContinuationMessage decode(MetadataReader reader) {
    long address = reader.offset();
    long size = reader.length();
    if (!reader.geometry().isAddress(address) || size < 1) {
      throw reader.corrupt(
          "address actual=" + Long.toUnsignedString(address) + ", size actual=" + size);
    }
    return new ContinuationMessage(address, size);
  }

  @Override
  public void encode(MetadataWriter writer) {
    writer.offset(address).length(sizeBytes);
  }
}
