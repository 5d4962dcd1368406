package org.hyperslab.format.space;

/**
 * Determines whether the selection below an index is a single run of elements, and its place.
 *
 * <p>Thread rule: confined to one thread.
 */
final class SpanLine {

  /** The offset of the run's first element from the first element below the index. */
  long offset;

  /** The number of elements in the run. */
  long length;

  /**
   * Examines a node, and returns whether it is a single run.
   *
   * @param dimension the dimension of the node's indices
   * @param units the distance in elements between neighbours in each dimension
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
