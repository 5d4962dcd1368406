package org.hyperslab.mpiio.collective;

import java.util.Arrays;
import org.hyperslab.mpiio.access.ExtentRuns;

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
 * @param pattern the extents as {@link Pattern} tells them
 */
record AccessSummary(
    long first,
    long endExclusive,
    long bytes,
    long extents,
    long viewStart,
    Circumstances circumstances,
    long[] pattern) {

  private static final int NUMBERS = 11;

  static final int LONGS = NUMBERS + Pattern.LONGS;

  /**
   * Of the rank itself.
   *
   * @param process equal for ranks that share an address space
   * @param ticket under which the rank's memory is found there
   * @param plain 1 if the rank's memory is one piece outside the heap, or nothing; else 0
   * @param problem 1 if the rank's arguments cannot be, else 0
   * @param address of plain memory, the first byte's; else 0
   * @param readNanos what it would cost the rank to read its extents by itself, in nanoseconds
   */
  record Circumstances(
      long process, long ticket, long plain, long problem, long address, long readNanos) {}

  static AccessSummary of(ExtentRuns file, long viewStart, Circumstances circumstances) {
    return new AccessSummary(
        file.first(),
        file.endExclusive(),
        file.totalBytes(),
        file.count(),
        viewStart,
        circumstances,
        Pattern.encode(file));
  }

  long[] toArray() {
    long[] numbers = {
      first,
      endExclusive,
      bytes,
      extents,
      viewStart,
      circumstances.process,
      circumstances.ticket,
      circumstances.plain,
      circumstances.problem,
      circumstances.address,
      circumstances.readNanos
    };
    long[] all = Arrays.copyOf(numbers, LONGS);
    System.arraycopy(pattern, 0, all, NUMBERS, pattern.length);
    return all;
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
            numbers[at + 5],
            numbers[at + 6],
            numbers[at + 7],
            numbers[at + 8],
            numbers[at + 9],
            numbers[at + 10]),
        Arrays.copyOfRange(numbers, at + NUMBERS, at + LONGS));
  }

  /** Returns the extents; null if they were not regular enough to be told. */
  ExtentRuns list() {
    return Pattern.decode(pattern, 0);
  }

  /** Returns whether {@link #list} tells the extents. */
  boolean tellsList() {
    return Pattern.isTold(pattern);
  }

  /** Returns whether the rank accesses nothing. */
  boolean isEmpty() {
    return bytes == 0;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof AccessSummary summary && Arrays.equals(toArray(), summary.toArray());
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(toArray());
  }
}
