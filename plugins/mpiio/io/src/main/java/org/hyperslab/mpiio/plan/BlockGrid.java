package org.hyperslab.mpiio.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.hyperslab.mpiio.access.RegularPattern;

/**
 * Equal blocks of an array of up to four dimensions, one for each rank, which together cover ranges
 * of the file: what ranks see that divide an array among a grid of processes. Found from what
 * summaries contain of the extents, so all ranks find the same.
 *
 * <p>The ranks of a row of the grid interleave to longer extents, the rows of a plane to still
 * longer ones, and so on: these are the levels.
 *
 * @param levels from the rows of the grid outwards; at least one
 */
record BlockGrid(List<Level> levels) {

  /**
   * A way of putting ranks together.
   *
   * @param ranks all ranks that access the file, group after group, each in the order of the file
   * @param groupRanks how many ranks are in a group
   * @param extentBytes the length of the extents that a group has together
   * @param strides the distances from extent to extent, the nearest dimension first, in bytes
   * @param counts the number of extents in each of these dimensions
   * @param first for each group the offset of its first extent
   */
  record Level(
      int[] ranks, int groupRanks, long extentBytes, long[] strides, long[] counts, long[] first) {

    /** Returns how many extents a group has. */
    long extents() {
      long extents = 1;
      for (long count : counts) {
        extents *= count;
      }
      return extents;
    }

    /** Returns how many bytes a group has. */
    long bytes() {
      return extents() * extentBytes;
    }
  }

  /** Returns the grid of the ranks that access the file; null if they do not make one. */
  static BlockGrid find(AccessSummary[] summaries) {
    long[] shape = null;
    List<Integer> order = new ArrayList<>();
    boolean ascending = true;
    long last = 0;
    for (int rank = 0; rank < summaries.length; rank++) {
      if (summaries[rank].isEmpty()) {
        continue;
      }
      long[] block = RegularPattern.block(summaries[rank].pattern());
      if (block == null || (shape != null && !isAlike(shape, block))) {
        return null;
      }
      ascending &= shape == null || summaries[rank].first() > last;
      last = summaries[rank].first();
      shape = block;
      order.add(rank);
    }
    if (order.size() < 2) {
      return null;
    }
    if (!ascending) { // very many ranks are in the order of the file as a rule
      order.sort(Comparator.comparingLong(rank -> summaries[rank].first()));
    }
    int[] ranks = order.stream().mapToInt(Integer::intValue).toArray();
    long[] first = order.stream().mapToLong(rank -> summaries[rank].first()).toArray();
    List<Level> levels = new ArrayList<>();
    Level level = single(ranks, first, shape);
    while (level.strides.length > 0) {
      level = outwards(level);
      if (level == null) {
        break;
      }
      levels.add(level);
    }
    return levels.isEmpty() ? null : new BlockGrid(List.copyOf(levels));
  }

  private static boolean isAlike(long[] a, long[] b) {
    for (int i = 1; i < a.length; i++) { // but for the offset
      if (a[i] != b[i]) {
        return false;
      }
    }
    return true;
  }

  /** Each rank alone. */
  private static Level single(int[] ranks, long[] first, long[] shape) {
    int dimensions = 0;
    long[] strides = new long[3];
    long[] counts = new long[3];
    for (int d = 0; d < 3; d++) {
      if (shape[3 + 2 * d] > 1) {
        strides[dimensions] = shape[2 + 2 * d];
        counts[dimensions++] = shape[3 + 2 * d];
      }
    }
    return merged(ranks, 1, shape[1], strides, counts, dimensions, first);
  }

  /** Returns a level in which extents that touch each other are one. */
  private static Level merged(
      int[] ranks,
      int groupRanks,
      long extentBytes,
      long[] strides,
      long[] counts,
      int dimensions,
      long[] first) {
    int from = 0;
    long length = extentBytes;
    while (from < dimensions && strides[from] == length) {
      length *= counts[from++];
    }
    return new Level(
        ranks,
        groupRanks,
        length,
        Arrays.copyOfRange(strides, from, dimensions),
        Arrays.copyOfRange(counts, from, dimensions),
        first);
  }

  /** Returns the groups whose extents fill the gaps between each other's; null if some do not. */
  private static Level outwards(Level inner) {
    long stride = inner.strides[0];
    if (stride % inner.extentBytes != 0) {
      return null;
    }
    long together = stride / inner.extentBytes;
    if (together < 2 || inner.first.length % together != 0) {
      return null;
    }
    long[] first = new long[(int) (inner.first.length / together)];
    for (int group = 0; group < inner.first.length; group++) {
      int leader = (int) (group / together);
      long place = group % together;
      if (place == 0) {
        first[leader] = inner.first[group];
      } else if (inner.first[group] != first[leader] + place * inner.extentBytes) {
        return null;
      }
    }
    int groupRanks = (int) (inner.groupRanks * together);
    return merged(
        inner.ranks,
        groupRanks,
        inner.extentBytes * together,
        inner.strides,
        inner.counts,
        inner.strides.length,
        first);
  }

  /** Returns how many ranks have bytes in a contiguous range of this many bytes, as a rule. */
  long ranksIn(long bytes) {
    for (Level level : levels) {
      if (level.extentBytes >= bytes) {
        return level.groupRanks;
      }
    }
    Level outermost = levels.getLast();
    long groups = Math.ceilDiv(bytes, outermost.extentBytes);
    return Math.min(outermost.ranks.length, groups * outermost.groupRanks);
  }
}
