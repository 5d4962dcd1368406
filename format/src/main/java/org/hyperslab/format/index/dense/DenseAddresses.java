package org.hyperslab.format.index.dense;

import org.hyperslab.format.io.FileGeometry;

/**
 * The addresses of dense storage, as stored in a Link Info or Attribute Info message.
 *
 * @param heap the fractal heap of messages
 * @param nameIndex the B-tree by name
 * @param orderIndex the B-tree by creation order; {@link FileGeometry#UNDEFINED} if there is none
 */
public record DenseAddresses(long heap, long nameIndex, long orderIndex) {

  /** {@return whether creation order is indexed} */
  public boolean hasOrderIndex() {
    return orderIndex != FileGeometry.UNDEFINED;
  }
}
