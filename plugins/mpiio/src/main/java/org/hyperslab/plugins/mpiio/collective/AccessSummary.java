package org.hyperslab.plugins.mpiio.collective;

import org.hyperslab.plugins.mpiio.access.ExtentRuns;

/**
 * What every rank knows of every other's access before anything else is exchanged.
 *
 * @param first the file offset of the first byte; 0 if there are none
 * @param endExclusive the file offset after the last byte
 * @param bytes how many
 * @param extents in how many extents
 * @param viewStart the packed position of the first byte in the rank's declared view; -1 if the
 *     access is not by a view
 * @param circumstances what is said of the rank itself
 */
record AccessSummary(
    long first,
    long endExclusive,
    long bytes,
    long extents,
    long viewStart,
    Circumstances circumstances) {

  static final int LONGS = 10;

  /**
   * Of the rank itself.
   *
   * @param process equal for ranks that share an address space
   * @param ticket under which the rank's memory is found there
   * @param fileBytes the size of the file as the rank sees it, where that matters; else 0
   * @param plain 1 if the rank's memory is one piece outside the heap, or nothing; else 0
   * @param problem 1 if the rank's arguments cannot be, else 0
   */
  record Circumstances(long process, long ticket, long fileBytes, long plain, long problem) {}

  static AccessSummary of(ExtentRuns file, long viewStart, Circumstances circumstances) {
    return new AccessSummary(
        file.first(),
        file.endExclusive(),
        file.totalBytes(),
        file.count(),
        viewStart,
        circumstances);
  }

  long[] toArray() {
    return new long[] {
      first,
      endExclusive,
      bytes,
      extents,
      viewStart,
      circumstances.process,
      circumstances.ticket,
      circumstances.fileBytes,
      circumstances.plain,
      circumstances.problem
    };
  }

  static AccessSummary of(long[] numbers, int rank) {
    int at = rank * LONGS;
    return new AccessSummary(
        numbers[at],
        numbers[at + 1],
        numbers[at + 2],
        numbers[at + 3],
        numbers[at + 4],
        new Circumstances(
            numbers[at + 5], numbers[at + 6], numbers[at + 7], numbers[at + 8], numbers[at + 9]));
  }

  /** Whether the rank accesses nothing. */
  boolean isEmpty() {
    return bytes == 0;
  }
}
