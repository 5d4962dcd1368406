package org.hyperslab.format.space;

/**
 * Determines whether the selection below an index is one run of elements, and which.
 *
 * <p>Thread rule: confined to one thread.
 */
final class SpanLine {

  /** The first element of the run, counted from the first element below the index. */
  long offset;

  /** The elements of the run. */
  long length;

  /**
   * Looks at a node.
   *
   * @param dimension the dimension of the node's indices
   * @param units elements between neighbours of each dimension
   */
  boolean find(SpanNode node, int dimension, long[] units) {
    long sum = 0;
    SpanNode below = node;
    for (int d = dimension; d < units.length; d++) {
      if (!below.isSingleSpan()) {
        return false;
      }
      sum += below.start(0) * units[d];
      long block = below.block(0);
      below = below.down(0);
      if (below.count == units[d]) {
        offset = sum;
        length = block * units[d];
        return true;
      }
      if (block != 1) {
        return false;
      }
    }
    return false;
  }
}
