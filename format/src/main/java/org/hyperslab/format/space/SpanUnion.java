package org.hyperslab.format.space;

import java.util.Comparator;
import java.util.List;

/**
 * Computes the union of many trees: they are sorted by their first index and united pairwise in a
 * balanced order, so that most of each step is copying spans that do not meet.
 */
final class SpanUnion {

  private SpanUnion() {}

  /** Returns the union of nodes of one rank, which may be empty. */
  static SpanNode ofNodes(List<SpanNode> operands, SpanBudget budget) {
    SpanNode[] nodes =
        operands.stream()
            .filter(node -> node != SpanNode.EMPTY)
            .sorted(Comparator.comparingLong(node -> node.rank == 0 ? 0 : node.low()))
            .toArray(SpanNode[]::new);
    if (nodes.length == 0) {
      return SpanNode.EMPTY;
    }
    SpanAlgebra or = new SpanAlgebra(SpanAlgebra.Operation.OR, budget);
    for (int width = nodes.length; width > 1; width = (width + 1) / 2) {
      for (int i = 0; i < width / 2; i++) {
        nodes[i] = or.combine(nodes[2 * i], nodes[2 * i + 1]);
      }
      if (width % 2 == 1) {
        nodes[width / 2] = nodes[width - 1];
      }
    }
    return nodes[0];
  }
}
