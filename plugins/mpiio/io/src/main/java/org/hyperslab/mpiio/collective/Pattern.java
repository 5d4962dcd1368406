package org.hyperslab.mpiio.collective;

import org.hyperslab.mpiio.access.ExtentRuns;

/**
 * A regular extent list in few numbers, which are sent with the summary: up to {@value #GROUPS}
 * groups of equal runs at equal distances. The block of a three-dimensional array is one group,
 * whatever its size.
 *
 * <p>Encoded as the number of groups, or {@value #UNTOLD} if the list is not that regular, and for
 * each group the first run's offset, extent length, stride and count of extents, and the distance
 * from run to run and the count of runs. Offsets, lengths and distances are bytes.
 */
final class Pattern {

  /** The longs that a pattern takes, whatever it is. */
  static final int LONGS = 25;

  private static final int GROUPS = 4;
  private static final int LONGS_PER_GROUP = 6;
  private static final long UNTOLD = -1;

  private Pattern() {}

  /** Returns the encoded list. */
  static long[] encode(ExtentRuns list) {
    long[] encoded = new long[LONGS];
    int groups = 0;
    for (int run = 0; run < list.runs(); ) {
      if (groups == GROUPS) {
        encoded[0] = UNTOLD;
        return encoded;
      }
      int end = endOfGroup(list, run);
      int at = 1 + groups * LONGS_PER_GROUP;
      encoded[at] = list.runOffset(run);
      encoded[at + 1] = list.runLength(run);
      encoded[at + 2] = list.runStride(run);
      encoded[at + 3] = list.runCount(run);
      encoded[at + 4] = end - run == 1 ? 0 : list.runOffset(run + 1) - list.runOffset(run);
      encoded[at + 5] = (long) end - run;
      groups++;
      run = end;
    }
    encoded[0] = groups;
    return encoded;
  }

  /** Returns the run after the last that continues what {@code first} and the next one begin. */
  private static int endOfGroup(ExtentRuns list, int first) {
    int end = first + 1;
    while (end < list.runs()
        && isAlike(list, first, end)
        && list.runOffset(end) - list.runOffset(end - 1)
            == list.runOffset(first + 1) - list.runOffset(first)) {
      end++;
    }
    return end;
  }

  private static boolean isAlike(ExtentRuns list, int a, int b) {
    return list.runLength(a) == list.runLength(b)
        && list.runStride(a) == list.runStride(b)
        && list.runCount(a) == list.runCount(b);
  }

  /** Returns whether the list is there. */
  static boolean isTold(long[] encoded) {
    return encoded[0] != UNTOLD;
  }

  /** Decodes the list that begins at {@code from}; null if it was too irregular to be encoded. */
  static ExtentRuns decode(long[] encoded, int from) {
    if (encoded[from] == UNTOLD) {
      return null;
    }
    ExtentRuns.Builder builder = ExtentRuns.builder();
    for (int group = 0; group < encoded[from]; group++) {
      int at = from + 1 + group * LONGS_PER_GROUP;
      for (long k = 0; k < encoded[at + 5]; k++) {
        long offset = encoded[at] + k * encoded[at + 4];
        builder.addRun(offset, encoded[at + 1], encoded[at + 2], encoded[at + 3]);
      }
    }
    return builder.build();
  }
}
