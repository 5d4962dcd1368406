package org.hyperslab.mpiio.access;

import java.util.Arrays;

/**
 * Encodes a regular extent list in few numbers, which are sent with the summary: up to {@value
 * #GROUPS} groups of equal planes at equal distances, a plane being equal runs at equal distances.
 * The block of a four-dimensional array is one group, whatever its size.
 *
 * <p>Encoded as the number of groups, or {@value #UNTOLD} if the list is not that regular, and for
 * each group the first run's offset, extent length, stride and count of extents, the distance from
 * run to run and the count of runs in a plane, and the distance from plane to plane and the count
 * of planes. Offsets, lengths and distances are bytes.
 */
public final class RegularPattern {

  /** The number of longs of any encoded pattern. */
  public static final int LONGS = 33;

  private static final int GROUPS = 4;
  private static final int LONGS_PER_GROUP = 8;
  private static final long UNTOLD = -1;

  private RegularPattern() {}

  /**
   * {@return the encoded list}
   *
   * @param list the extents
   */
  public static long[] encode(ExtentRuns list) {
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
      int planes = planes(list, run, end);
      encoded[at + 6] = planes == 1 ? 0 : list.runOffset(end) - list.runOffset(run);
      encoded[at + 7] = planes;
      groups++;
      run += planes * (end - run);
    }
    encoded[0] = groups;
    return encoded;
  }

  /** Returns the end of the group of runs that {@code first} and the next one begin. */
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

  /**
   * Returns how many planes like the runs {@code first .. end} follow each other at equal
   * distances, this one included.
   */
  private static int planes(ExtentRuns list, int first, int end) {
    int runs = end - first;
    int planes = 1;
    for (int next = end; next + runs <= list.runs(); next += runs) {
      long distance = list.runOffset(next) - list.runOffset(next - runs);
      boolean equal = distance == list.runOffset(end) - list.runOffset(first);
      for (int i = 0; equal && i < runs; i++) {
        equal =
            isAlike(list, first + i, next + i)
                && list.runOffset(next + i) - list.runOffset(first + i) == planes * distance;
      }
      if (!equal) {
        break;
      }
      planes++;
    }
    return planes;
  }

  /**
   * {@return the one group of a list: first offset, extent length, and the stride and count of each
   * of three dimensions; null if the list is not one group}
   *
   * @param encoded the numbers that {@link #encode} returned
   */
  public static long[] block(long[] encoded) {
    return encoded[0] == 1 ? Arrays.copyOfRange(encoded, 1, 1 + LONGS_PER_GROUP) : null;
  }

  private static boolean isAlike(ExtentRuns list, int a, int b) {
    return list.runLength(a) == list.runLength(b)
        && list.runStride(a) == list.runStride(b)
        && list.runCount(a) == list.runCount(b);
  }

  /**
   * {@return whether the list was encoded}
   *
   * @param encoded the numbers that {@link #encode} returned
   */
  public static boolean isEncoded(long[] encoded) {
    return encoded[0] != UNTOLD;
  }

  /**
   * Decodes the list that begins at {@code from}.
   *
   * @param encoded the numbers that {@link #encode} returned
   * @param from the index of the list's first number
   * @return the extents; null if the list was too irregular to be encoded
   */
  public static ExtentRuns decode(long[] encoded, int from) {
    if (encoded[from] == UNTOLD) {
      return null;
    }
    ExtentRuns.Builder builder = ExtentRuns.builder();
    for (int group = 0; group < encoded[from]; group++) {
      int at = from + 1 + group * LONGS_PER_GROUP;
      for (long plane = 0; plane < encoded[at + 7]; plane++) {
        for (long k = 0; k < encoded[at + 5]; k++) {
          long offset = encoded[at] + plane * encoded[at + 6] + k * encoded[at + 4];
          builder.addRun(offset, encoded[at + 1], encoded[at + 2], encoded[at + 3]);
        }
      }
    }
    return builder.build();
  }
}
