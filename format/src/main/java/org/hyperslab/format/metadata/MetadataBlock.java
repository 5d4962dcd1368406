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
   * {@return bytes that this block takes in the file; fixed for as long as it is at one address}
   */
  long encodedSize();

  /**
   * {@return when this block is written over its older self while others read the file: after all
   * with lower numbers} What is referred to has the lower number.
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
