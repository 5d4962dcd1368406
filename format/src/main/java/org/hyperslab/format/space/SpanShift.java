package org.hyperslab.format.space;

import java.util.IdentityHashMap;

/**
 * Moves a tree by an offset per dimension; shared nodes are moved once.
 *
 * <p>Thread rule: confined to one thread.
 */
final class SpanShift {

  private final long[] by;
  private final IdentityHashMap<SpanNode, SpanNode> moved = new IdentityHashMap<>();

  SpanShift(long[] by) {
    this.by = by;
  }

  /** Returns a node of dimension {@code dimension} moved, with all nodes below it. */
  SpanNode shift(SpanNode node, int dimension) {
    if (node.rank == 0) {
      return node;
    }
    SpanNode known = moved.get(node);
    if (known != null) {
      return known;
    }
    Extents.moved(node.low(), by[dimension], dimension);
    Extents.moved(node.endExclusive(), by[dimension], dimension);
    SpanBuilder builder = new SpanBuilder(node.rank);
    for (int i = 0; i < node.size(); i++) {
      builder.run(
          node.start(i) + by[dimension],
          node.stride(i),
          node.repeats(i),
          node.block(i),
          shift(node.down(i), dimension + 1));
    }
    SpanNode result = builder.build();
    moved.put(node, result);
    return result;
  }
}
