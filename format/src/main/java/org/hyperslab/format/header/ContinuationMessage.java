package org.hyperslab.format.header;

import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;

/**
 * The continuation message: the place where an object header continues.
 *
 * @param address the next chunk
 * @param sizeBytes its size, signature and checksum included
 */
record ContinuationMessage(long address, long sizeBytes) implements Message {

  @Override
  public int typeCode() {
    return MessageType.CONTINUATION.code();
  }

  /** Returns the payload's size in a file of that geometry, bytes. */
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
