package org.hyperslab.testkit.fuzz;

import java.util.Arrays;

/**
 * Counts the edges that instrumented code has passed since the counts were last taken. The counts
 * are process-wide, because instrumented code can reach nothing else.
 *
 * <p>Thread rule: counts of several threads mix; they are exact if one thread runs instrumented
 * code.
 */
public final class Coverage {

  private static final int EDGES = 1 << 16;
  private static final byte[] COUNTS = new byte[EDGES];

  /** Bit b of an edge's byte: a count in bucket b was seen. */
  private static final byte[] SEEN = new byte[EDGES];

  private static final int[] LAST = new int[1];

  private Coverage() {}

  /**
   * Records that instrumented code has reached a place.
   *
   * @param place the number of the place
   */
  public static void hit(int place) {
    int edge = (LAST[0] ^ place) & (EDGES - 1);
    LAST[0] = place >>> 1;
    if (COUNTS[edge] != -1) {
      COUNTS[edge]++;
    }
  }

  /** Clears the counts, but not the seen edges. */
  static void clear() {
    Arrays.fill(COUNTS, (byte) 0);
    LAST[0] = 0;
  }

  /**
   * Returns whether an edge was passed, or reached a count bucket, for the first time, and marks it
   * as seen.
   */
  static boolean takeNewCoverage() {
    boolean news = false;
    for (int i = 0; i < EDGES; i++) {
      if (COUNTS[i] != 0) {
        int bucket = 1 << bucket(COUNTS[i] & 0xFF);
        if ((SEEN[i] & bucket) == 0) {
          SEEN[i] |= (byte) bucket;
          news = true;
        }
      }
    }
    return news;
  }

  private static int bucket(int count) {
    if (count < 4) {
      return count - 1;
    }
    return count < 8 ? 3 : count < 16 ? 4 : count < 32 ? 5 : count < 128 ? 6 : 7;
  }

  /** Returns the number of edges that were ever passed. */
  static int edges() {
    int edges = 0;
    for (byte each : SEEN) {
      edges += each != 0 ? 1 : 0;
    }
    return edges;
  }
}
