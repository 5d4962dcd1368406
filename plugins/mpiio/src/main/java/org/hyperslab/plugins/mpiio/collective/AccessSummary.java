package org.hyperslab.plugins.mpiio.collective;

import org.hyperslab.plugins.mpiio.access.ExtentRuns;

/**
 * What every rank knows of every other's access before anything else is exchanged.
 *
 * @param first the file offset of the first byte; 0 if there are none
 * @param endExclusive the file offset after the last byte
 * @param bytes how many
 * @param extents in how many extents
 * @param token equal for ranks that share an address space
 * @param problem 1 if the rank's arguments cannot be, else 0
 */
public record AccessSummary(
    long first, long endExclusive, long bytes, long extents, long token, long problem) {

  static final int LONGS = 6;

  static AccessSummary of(ExtentRuns file, long token, boolean problem) {
    return new AccessSummary(
        file.first(), file.endExclusive(), file.totalBytes(), file.count(), token, problem ? 1 : 0);
  }

  long[] toArray() {
    return new long[] {first, endExclusive, bytes, extents, token, problem};
  }

  static AccessSummary of(long[] numbers, int from) {
    return new AccessSummary(
        numbers[from],
        numbers[from + 1],
        numbers[from + 2],
        numbers[from + 3],
        numbers[from + 4],
        numbers[from + 5]);
  }

  /** Whether the rank accesses nothing. */
  public boolean isEmpty() {
    return bytes == 0;
  }
}
