package org.hyperslab.mpiio.plan;

import java.util.Arrays;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.access.RegularPattern;

/**
 * The summary of a rank's access, which all ranks exchange first.
 *
 * @param first the file offset of the first byte; 0 if there are none
 * @param endExclusive the file offset after the last byte
 * @param bytes the number of bytes
 * @param extents the number of extents
 * @param viewStart the packed position of the first byte in the rank's declared view; -1 if the
 *     access is not by a view
 * @param circumstances facts about the rank itself
 * @param pattern the extents, encoded by {@link RegularPattern}
 */
public record AccessSummary(
    long first,
    long endExclusive,
    long bytes,
    long extents,
    long viewStart,
    Circumstances circumstances,
    long[] pattern) {

  private static final int NUMBERS = 11;

  public static final int LONGS = NUMBERS + RegularPattern.LONGS;

  /**
   * Facts about the rank itself.
   *
   * @param process a number that is equal for ranks in one address space
   * @param ticket the ticket under which the rank's memory is found there
   * @param plain 1 if the rank's memory is one native piece, or empty; else 0
   * @param problem 1 if the rank's arguments are invalid, else 0
   * @param address the address of the first byte of plain memory; else 0
   * @param readNanos the estimated time for the rank to read its extents by itself, in nanoseconds
   */
  public record Circumstances(
      long process, long ticket, long plain, long problem, long address, long readNanos) {}

  /**
   * {@return the summary of an access}
   *
   * @param file the extents, ascending and disjoint
   * @param viewStart the first byte of the access in the view; -1 without a view
   * @param circumstances the circumstances of the rank
   */
  public static AccessSummary of(ExtentRuns file, long viewStart, Circumstances circumstances) {
    return new AccessSummary(
        file.first(),
        file.endExclusive(),
        file.totalBytes(),
        file.count(),
        viewStart,
        circumstances,
        RegularPattern.encode(file));
  }

  /** {@return the summary as numbers} */
  public long[] toArray() {
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

  /**
   * {@return the summary of an access}
   *
   * @param numbers the numbers of all ranks
   * @param rank the rank
   */
  public static AccessSummary of(long[] numbers, int rank) {
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

  /** Returns the extents; null if they were too irregular to be encoded. */
  ExtentRuns list() {
    return RegularPattern.decode(pattern, 0);
  }

  /** {@return whether {@link #list} has the extents} */
  public boolean includesList() {
    return RegularPattern.isEncoded(pattern);
  }

  /** {@return whether the access is empty} */
  public boolean isEmpty() {
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
