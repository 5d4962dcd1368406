package org.hyperslab.mpiio.comm;

import java.util.Comparator;
import java.util.stream.IntStream;

/** Determines the members of a split communicator and their order. */
final class SplitOrder {

  private SplitOrder() {}

  /**
   * Returns the ranks of one colour, ordered by key, then by rank.
   *
   * @param all the colour and key of each rank
   */
  static int[] members(int[][] all, int color) {
    return IntStream.range(0, all.length)
        .filter(rank -> all[rank][0] == color)
        .boxed()
        .sorted(Comparator.comparingInt((Integer rank) -> all[rank][1]).thenComparing(r -> r))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  static int indexOf(int[] members, int rank) {
    for (int i = 0; i < members.length; i++) {
      if (members[i] == rank) {
        return i;
      }
    }
    throw new IllegalStateException("rank " + rank + " is not among the members");
  }
}
