package org.hyperslab.format.metadata;

import org.hyperslab.format.io.MetadataWriter;

/**
 * A metadata structure held in memory in decoded form, such as a B-tree node or an object header
 * chunk. It is encoded only when the file is flushed, so that a thousand edits cost one encoding
 * and one checksum.
 *
 * <p>Thread rule: edited by one thread at a time, under the file's write lock; read in any number
 * of threads between edits.
 */
public interface MetadataBlock {

  /**
   * {@return the encoded size of this block in bytes, which is fixed while it stays at one address}
   */
  long encodedSize();

  /**
   * {@return the rank of this block in the order in which blocks are overwritten while other
   * processes read the file, lower ranks first} A block must have a higher rank than the blocks
   * that it refers to.
   */
  default int publicationOrder() {
    return 0;
  }

  /**
   * {@return whether an object may keep this block beyond the operation that found it} As long as
   * it does, whoever looks for the block must find the same one. The default implementation returns
   * true.
   */
  default boolean isKept() {
    return true;
  }

  /**
   * Appends exactly {@link #encodedSize()} bytes.
   *
   * @param writer receives the bytes, at its position
   */
  void encode(MetadataWriter writer);
}
