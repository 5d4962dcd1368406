package org.hyperslab.format.space;

import java.util.Arrays;

/**
 * Computes the union of many boxes with one sweep per dimension: between two neighbouring borders
 * the sweep meets the same boxes, and their union in the remaining dimensions is the node below
 * that span.
 *
 * <p>Boxes are numbered in the order of their low index in the last dimension, so that the boxes
 * met by a line are in order without sorting. If a very large number of boxes overlap, so that
 * sweeping them together would cost more, the boxes are divided in halves by their first index and
 * the halves are united.
 *
 * <p>Arrays by dimension and box: element {@code d*n + i}. Thread rule: confined to one thread.
 */
final class BoxUnion {

  /** The number of steps per box up to which all boxes are swept together without dividing. */
  private static final double SWEEP_STEPS_PER_BOX = 4000;

  private final int rank;
  private final int n;
  private final long[] lows;
  private final long[] ends;

  /**
   * The rank of a box when sorted by low, and by end, in dimension d; null for the last dimension.
   */
  private final int[][] lowPlaces;

  private final int[][] endPlaces;
  private final SpanNode[] alone;
  private final Level[] levels;
  private final SpanBudget budget;
  private final SpanAlgebra or;

  private BoxUnion(int rank, int n, long[] lows, long[] ends, SpanBudget budget) {
    this.budget = budget;
    this.or = new SpanAlgebra(SpanAlgebra.Operation.OR, budget);
    this.rank = rank;
    this.n = n;
    this.lows = lows;
    this.ends = ends;
    this.lowPlaces = new int[rank - 1][];
    this.endPlaces = new int[rank - 1][];
    this.alone = new SpanNode[n];
    this.levels = new Level[rank];
    for (int d = 0; d < rank; d++) {
      levels[d] = new Level(rank - d);
      if (d < rank - 1) {
        lowPlaces[d] = places(SortedOrder.of(lows, d * n, n));
        endPlaces[d] = places(SortedOrder.of(ends, d * n, n));
      }
    }
  }

  /**
   * Returns the union of boxes of one rank, at least 1.
   *
   * @param boxes for each box, {@code rank} low indices and then {@code rank} ends, exclusive
   * @param n the number of boxes, at least 1
   * @param budget bounds the cost
   */
  static SpanNode of(int rank, long[] boxes, int n, SpanBudget budget) {
    long[] last = new long[n];
    for (int i = 0; i < n; i++) {
      last[i] = boxes[2 * rank * i + rank - 1];
    }
    int[] order = SortedOrder.of(last, 0, n);
    long[] lows = new long[rank * n];
    long[] ends = new long[rank * n];
    for (int i = 0; i < n; i++) {
      int at = 2 * rank * order[i];
      for (int d = 0; d < rank; d++) {
        lows[d * n + i] = boxes[at + d];
        ends[d * n + i] = boxes[at + rank + d];
      }
    }
    BoxUnion union = new BoxUnion(rank, n, lows, ends, budget);
    return union.unite(rank == 1 ? SortedOrder.identity(n) : SortedOrder.of(lows, 0, n), 0, n);
  }

  /** Returns the union of boxes {@code byLow[from .. to-1]}, sorted by their first index. */
  private SpanNode unite(int[] byLow, int from, int to) {
    if (to - from == 1 || sweepSteps(byLow, from, to) <= SWEEP_STEPS_PER_BOX * (to - from)) {
      int[] set = Arrays.copyOfRange(byLow, from, to);
      if (rank > 1) {
        Arrays.sort(set);
      }
      return sweep(0, set, set.length);
    }
    int middle = (from + to) >>> 1;
    return or.combine(unite(byLow, from, middle), unite(byLow, middle, to));
  }

  /**
   * Returns an estimate of the steps of a sweep: borders per dimension times boxes met by a line.
   */
  private double sweepSteps(int[] byLow, int from, int to) {
    double steps = 1;
    double met = to - from;
    for (int d = 0; d < rank - 1; d++) {
      long low = Long.MAX_VALUE;
      long end = 0;
      double lengths = 0;
      for (int i = from; i < to; i++) {
        int at = d * n + byLow[i];
        low = Math.min(low, lows[at]);
        end = Math.max(end, ends[at]);
        lengths += ends[at] - lows[at];
      }
      double range = (double) end - low;
      steps *= Math.min(2 * met, range);
      met = Math.max(1, met * (lengths / (to - from)) / range);
    }
    return rank == 1 ? 0 : steps * (met + 8);
  }

  /**
   * Returns the union, from dimension {@code d} on, of the boxes {@code set[0 .. size-1]},
   * ascending.
   */
  private SpanNode sweep(int d, int[] set, int size) {
    return d == rank - 1 ? line(set, size) : levels[d].sweep(d, set, size);
  }

  /**
   * Returns the union on a line. The union of a single box is cached, the usual case for sparse
   * boxes.
   */
  private SpanNode line(int[] set, int size) {
    if (size > 1) {
      return mergedLine(set, size);
    }
    SpanNode known = alone[set[0]];
    if (known == null) {
      known = mergedLine(set, 1);
      alone[set[0]] = known;
    }
    return known;
  }

  private SpanNode mergedLine(int[] set, int size) {
    SpanBuilder out = levels[rank - 1].out;
    int base = (rank - 1) * n;
    long low = lows[base + set[0]];
    long end = ends[base + set[0]];
    for (int i = 1; i < size; i++) {
      int at = base + set[i];
      if (lows[at] > end) {
        out.span(low, end, SpanNode.UNIT);
        low = lows[at];
        end = ends[at];
      } else if (ends[at] > end) {
        end = ends[at];
      }
    }
    out.span(low, end, SpanNode.UNIT);
    return charged(out.build());
  }

  private SpanNode charged(SpanNode node) {
    budget.node(node);
    return node;
  }

  private static int[] places(int[] order) {
    int[] places = new int[order.length];
    for (int i = 0; i < order.length; i++) {
      places[order[i]] = i;
    }
    return places;
  }

  /** The working memory of one dimension's sweep. */
  private final class Level {
    private final SpanBuilder out;
    private long[] byLow = new long[16];
    private long[] byEnd = new long[16];
    private int[] met = new int[16];
    private int metSize;

    Level(int levelRank) {
      this.out = new SpanBuilder(levelRank);
    }

    private SpanNode sweep(int d, int[] set, int size) {
      prepare(d, set, size);
      int base = d * n;
      int nextLow = 0;
      int nextEnd = 0;
      metSize = 0;
      while (nextEnd < size) {
        long at = ends[base + (int) byEnd[nextEnd]];
        if (nextLow < size) {
          at = Math.min(at, lows[base + (int) byLow[nextLow]]);
        }
        while (nextEnd < size && ends[base + (int) byEnd[nextEnd]] == at) {
          remove((int) byEnd[nextEnd++]);
        }
        while (nextLow < size && lows[base + (int) byLow[nextLow]] == at) {
          insert((int) byLow[nextLow++]);
        }
        if (metSize > 0) {
          long to = ends[base + (int) byEnd[nextEnd]];
          if (nextLow < size) {
            to = Math.min(to, lows[base + (int) byLow[nextLow]]);
          }
          out.span(at, to, BoxUnion.this.sweep(d + 1, met, metSize));
        }
      }
      return charged(out.build());
    }

    /**
     * Sorts the set by low and by end: the rank is in the upper half of a long, the box number in
     * the lower half.
     */
    private void prepare(int d, int[] set, int size) {
      if (byLow.length < size) {
        byLow = new long[Math.max(size, 2 * byLow.length)];
        byEnd = new long[byLow.length];
        met = new int[byLow.length];
      }
      for (int i = 0; i < size; i++) {
        byLow[i] = (long) lowPlaces[d][set[i]] << 32 | set[i];
        byEnd[i] = (long) endPlaces[d][set[i]] << 32 | set[i];
      }
      Arrays.sort(byLow, 0, size);
      Arrays.sort(byEnd, 0, size);
    }

    private void insert(int box) {
      int at = -Arrays.binarySearch(met, 0, metSize, box) - 1;
      System.arraycopy(met, at, met, at + 1, metSize - at);
      met[at] = box;
      metSize++;
    }

    private void remove(int box) {
      int at = Arrays.binarySearch(met, 0, metSize, box);
      metSize--;
      System.arraycopy(met, at + 1, met, at, metSize - at);
    }
  }
}
