package org.hyperslab.format.space;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The union of many selections: sorted by their first index, then united pairwise in a balanced
 * tree, so that most of each step is copying spans that do not meet.
 */
final class SpanUnion {

  private SpanUnion() {}

  /** The union of selections of one rank, none of them unlimited or all. */
  static SpanNode of(int rank, List<? extends Selection> selections) {
    SpanNode[] nodes = new SpanNode[selections.size()];
    int used = 0;
    for (Selection selection : selections) {
      SpanNode node = selection.tree(null);
      if (node != SpanNode.EMPTY) {
        nodes[used++] = node;
      }
    }
    if (used == 0) {
      return SpanNode.EMPTY;
    }
    if (rank == 0) {
      return SpanNode.UNIT;
    }
    Arrays.sort(nodes, 0, used, Comparator.comparingLong(SpanNode::low));
    SpanAlgebra or = new SpanAlgebra(SpanAlgebra.Operation.OR);
    for (int width = used; width > 1; width = (width + 1) / 2) {
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
