package org.hyperslab.format.metadata;

import org.hyperslab.format.io.MetadataWriter;

/**
 * One metadata structure held in memory in decoded form, such as a B-tree node or an object header
 * chunk. It is encoded only when the file is flushed, so that a thousand edits cost one encoding
 * and one checksum.
 *
 * <p>Thread rule: edited by one thread at a time, under the file's write lock; read by many between
 * edits.
 */
public interface MetadataBlock {

  /**
   * {@return the encoded size of this block in bytes; fixed for as long as it is at one address}
   */
  long encodedSize();

  /**
   * {@return the rank of this block in the order in which blocks are overwritten while others read
   * the file: after all blocks with lower numbers} A block that is referred to has the lower
   * number.
   */
  default int publicationOrder() {
    return 0;
  }

  /**
   * Appends exactly {@link #encodedSize()} bytes.
   *
   * @param writer receives the bytes, at its position
   */
  void encode(MetadataWriter writer);
}
