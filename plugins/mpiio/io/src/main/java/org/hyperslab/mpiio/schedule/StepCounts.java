package org.hyperslab.mpiio.schedule;

/**
 * Exact counts of what a schedule did.
 *
 * @param reads read requests to the byte store
 * @param bytesRead their bytes, holes of sieved windows included
 * @param writes write requests to the byte store
 * @param bytesWritten their bytes
 * @param messages messages sent
 * @param messageBytes their bytes
 * @param copiedBytes bytes copied from one place of memory to another
 * @param rounds rounds of the schedule
 */
public record StepCounts(
    long reads,
    long bytesRead,
    long writes,
    long bytesWritten,
    long messages,
    long messageBytes,
    long copiedBytes,
    long rounds) {

  /** The number of counters in a tally. */
  public static final int FIELDS = 8;

  /** The tally of no work. */
  public static final StepCounts NONE = new StepCounts(0, 0, 0, 0, 0, 0, 0, 0);

  /**
   * {@return the same counts with another number of rounds}
   *
   * @param count its rounds
   */
  public StepCounts ofRounds(long count) {
    return new StepCounts(
        reads, bytesRead, writes, bytesWritten, messages, messageBytes, copiedBytes, count);
  }

  /** {@return the numbers in the order of the components} */
  public long[] toArray() {
    return new long[] {
      reads, bytesRead, writes, bytesWritten, messages, messageBytes, copiedBytes, rounds
    };
  }

  /**
   * {@return the tally of {@link #FIELDS} numbers from {@code from} on}
   *
   * @param numbers holds the fields
   * @param from the index of the first field
   */
  public static StepCounts of(long[] numbers, int from) {
    return new StepCounts(
        numbers[from],
        numbers[from + 1],
        numbers[from + 2],
        numbers[from + 3],
        numbers[from + 4],
        numbers[from + 5],
        numbers[from + 6],
        numbers[from + 7]);
  }
}
