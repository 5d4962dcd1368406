package org.hyperslab.mpiio.plan;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * The range of the file that each rank accesses, in arrays so that very many ranges are searched
 * fast.
 *
 * @param first the offset of each rank's first byte
 * @param endExclusive the offset after each rank's last byte; 0 if it has none
 * @param order the ranks by their first bytes; null if ranges are searched one by one, which is
 *     less work than sorting them for a few searches
 */
record AccessRanges(long[] first, long[] endExclusive, Order order) {

  /**
   * Ranks by their first bytes.
   *
   * @param ranks the ranks, ascending by their first bytes
   * @param first the first bytes, ascending
   * @param farthest the greatest end of the ranges up to each of these
   */
  private record Order(int[] ranks, long[] first, long[] farthest) {

    static Order of(long[] first, long[] endExclusive) {
      int[] ranks = new int[first.length];
      Arrays.setAll(ranks, rank -> rank);
      if (!IntStream.range(1, first.length).allMatch(rank -> first[rank - 1] <= first[rank])) {
        ranks =
            IntStream.of(ranks)
                .boxed()
                .sorted(Comparator.comparingLong(rank -> first[rank]))
                .mapToInt(Integer::intValue)
                .toArray();
      }
      long[] sorted = new long[ranks.length];
      long[] farthest = new long[ranks.length];
      long end = 0;
      for (int i = 0; i < ranks.length; i++) {
        sorted[i] = first[ranks[i]];
        end = Math.max(end, endExclusive[ranks[i]]);
        farthest[i] = end;
      }
      return new Order(ranks, sorted, farthest);
    }
  }

  static AccessRanges of(AccessSummary[] summaries) {
    long[] first = new long[summaries.length];
    long[] end = new long[summaries.length];
    for (int rank = 0; rank < summaries.length; rank++) {
      first[rank] = summaries[rank].first();
      end[rank] = summaries[rank].endExclusive();
    }
    return new AccessRanges(first, end, null);
  }

  /** Returns the same ranges, prepared for searches from all ranks. */
  AccessRanges indexed() {
    return order != null
        ? this
        : new AccessRanges(first, endExclusive, Order.of(first, endExclusive));
  }

  int ranks() {
    return first.length;
  }

  /** Returns the ranks, ascending, whose ranges have a byte in {@code from .. toExclusive}. */
  int[] meeting(long from, long toExclusive) {
    int[] found = new int[16];
    int count = 0;
    int last = order == null ? ranks() - 1 : before(toExclusive) - 1;
    for (int i = last; i >= 0 && (order == null || order.farthest[i] > from); i--) {
      int rank = order == null ? i : order.ranks[i];
      if (first[rank] < toExclusive && endExclusive[rank] > from) {
        if (count == found.length) {
          found = Arrays.copyOf(found, 2 * count);
        }
        found[count++] = rank;
      }
    }
    found = Arrays.copyOf(found, count);
    Arrays.sort(found);
    return found;
  }

  /** Returns how many ranges begin before an offset. */
  private int before(long offset) {
    int from = 0;
    int to = order.first.length;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (order.first[middle] < offset) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }
}
