package org.hyperslab.format.space;

import java.util.IdentityHashMap;

/**
 * Enumerates the boxes of a tree, in row-major order of the paths to their first elements.
 *
 * <p>Thread rule: confined to one thread.
 */
final class SpanBlocks {

  private final IdentityHashMap<SpanNode, Long> counts = new IdentityHashMap<>();

  /** Returns the number of boxes, or -1 if it exceeds 2^63-1. */
  long count(SpanNode node) {
    if (node.rank == 0) {
      return node.count;
    }
    Long known = counts.get(node);
    if (known != null) {
      return known;
    }
    long sum = 0;
    for (int i = 0; i < node.size(); i++) {
      sum =
          Extents.addOrOverflow(
              sum, Extents.multiplyOrOverflow(node.repeats(i), count(node.down(i))));
    }
    counts.put(node, sum);
    return sum;
  }

  /** Visits every box. */
  void forEach(SpanNode root, BlockVisitor visitor) {
    visit(root, 0, new long[root.rank], new long[root.rank], visitor);
  }

  private static void visit(
      SpanNode node, int dimension, long[] low, long[] high, BlockVisitor visitor) {
    if (node.rank == 0) {
      visitor.block(low, high);
      return;
    }
    for (int i = 0; i < node.size(); i++) {
      for (long k = 0; k < node.repeats(i); k++) {
        low[dimension] = node.start(i) + k * node.stride(i);
        high[dimension] = low[dimension] + node.block(i) - 1;
        visit(node.down(i), dimension + 1, low, high, visitor);
      }
    }
  }
}
