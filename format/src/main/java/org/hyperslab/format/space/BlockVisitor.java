package org.hyperslab.format.space;

/** Receives the blocks of a selection one by one. */
@FunctionalInterface
public interface BlockVisitor {

  /**
   * Visits a block, given by its lowest and its highest index, inclusive, in each dimension. The
   * arrays are reused for the next block.
   *
   * @param low the coordinates of the block's first element
   * @param high the coordinates of the block's last element
   */
  void block(long[] low, long[] high);
}
