package org.hyperslab.format.space;

import org.hyperslab.error.InvalidUseException;

/** Accesses the coordinates of a span tree by position, with binary search: O(rank log entries). */
final class SpanSearch {

  private SpanSearch() {}

  /** Returns the row-major position of a coordinate in the set, or -1 if it is not in it. */
  static long ordinalOf(SpanNode root, long[] coordinates) {
    if (root == SpanNode.EMPTY) {
      return -1;
    }
    root.countOrThrow();
    long ordinal = 0;
    SpanNode node = root;
    for (long index : coordinates) {
      SpanNode below = node.at(index);
      if (below == SpanNode.EMPTY) {
        return -1;
      }
      ordinal += node.countBefore(index);
      node = below;
    }
    return ordinal;
  }

  /** Fills in the coordinate at a position of the set. */
  static void coordinateAt(SpanNode root, long ordinal, long[] coordinates) {
    long count = root.countOrThrow();
    if (ordinal < 0 || ordinal >= count) {
      throw new InvalidUseException(
          "ordinal of a selected element: actual=" + ordinal + ", expected=0 to below " + count);
    }
    long left = ordinal;
    SpanNode node = root;
    for (int i = 0; i < coordinates.length; i++) {
      int entry = node.entryOfOrdinal(left);
      left -= node.before()[entry];
      SpanNode down = node.down(entry);
      long index = left / down.count;
      left -= index * down.count;
      long repeat = index / node.block(entry);
      coordinates[i] =
          node.start(entry) + repeat * node.stride(entry) + (index - repeat * node.block(entry));
      node = down;
    }
  }
}
