package org.hyperslab.format.index.fractal;

import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.metadata.MetadataBlock;

/**
 * The bytes of a huge object as stored in the file; there is no header and no checksum.
 *
 * @param bytes the bytes as stored, filtered or not; edited in place
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record HugeObject(byte[] bytes) implements MetadataBlock {

  static final String STRUCTURE = "fractal heap huge object";

  @Override
  public long encodedSize() {
    return bytes.length;
  }

  @Override
  public void encode(MetadataWriter writer) {
    writer.bytes(bytes);
  }
}
