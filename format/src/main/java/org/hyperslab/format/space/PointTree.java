package org.hyperslab.format.space;

import java.util.Arrays;

/** Builds the set of the coordinates of a list of points. */
final class PointTree {

  private final int rank;
  private final long[] coordinates;
  private final SpanBuilder[] builders;

  private PointTree(int rank, long[] coordinates) {
    this.rank = rank;
    this.coordinates = coordinates;
    this.builders = new SpanBuilder[rank];
    for (int i = 0; i < rank; i++) {
      builders[i] = new SpanBuilder(rank - i);
    }
  }

  /** Returns the tree of at least one point; the coordinates of each point follow each other. */
  static SpanNode of(int rank, long[] coordinates) {
    return new PointTree(rank, sorted(rank, coordinates)).build(0, 0, coordinates.length / rank);
  }

  private static long[] sorted(int rank, long[] coordinates) {
    if (rank == 1) {
      long[] copy = coordinates.clone();
      Arrays.sort(copy);
      return copy;
    }
    int points = coordinates.length / rank;
    int[] order = order(rank, coordinates, points);
    long[] copy = new long[coordinates.length];
    for (int i = 0; i < points; i++) {
      System.arraycopy(coordinates, order[i] * rank, copy, i * rank, rank);
    }
    return copy;
  }

  /**
   * Returns the row-major order of the points, computed from the offset in the box around them if
   * that fits in a long.
   */
  private static int[] order(int rank, long[] coordinates, int points) {
    long[] extent = new long[rank];
    for (int i = 0; i < coordinates.length; i++) {
      extent[i % rank] = Math.max(extent[i % rank], coordinates[i] + 1);
    }
    long volume = 1;
    for (long length : extent) {
      volume = Extents.multiplyOrOverflow(volume, length);
    }
    if (volume < 0) {
      Integer[] boxed = new Integer[points];
      Arrays.setAll(boxed, i -> i);
      Arrays.sort(boxed, (a, b) -> compare(rank, coordinates, a, b));
      int[] order = new int[points];
      Arrays.setAll(order, i -> boxed[i]);
      return order;
    }
    long[] offsets = new long[points];
    for (int i = 0; i < coordinates.length; i++) {
      offsets[i / rank] = offsets[i / rank] * extent[i % rank] + coordinates[i];
    }
    return SortedOrder.of(offsets, 0, points);
  }

  private static int compare(int rank, long[] coordinates, int a, int b) {
    return Arrays.compare(
        coordinates, a * rank, a * rank + rank, coordinates, b * rank, b * rank + rank);
  }

  /**
   * Returns the node of dimension {@code d} for the sorted points from {@code from} to {@code to -
   * 1}.
   */
  private SpanNode build(int d, int from, int to) {
    SpanBuilder builder = builders[d];
    int next = from;
    while (next < to) {
      int first = next;
      long index = coordinates[first * rank + d];
      while (next < to && coordinates[next * rank + d] == index) {
        next++;
      }
      builder.span(index, index + 1, d == rank - 1 ? SpanNode.UNIT : build(d + 1, first, next));
    }
    return builder.build();
  }
}
