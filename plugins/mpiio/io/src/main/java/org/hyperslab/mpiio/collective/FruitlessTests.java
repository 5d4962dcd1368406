package org.hyperslab.mpiio.collective;

/**
 * Adds up the time in which a rank asks again and again for something that does not move. Between
 * two tests that are far apart the rank does something else: of that time only a little counts.
 *
 * <p>Thread rule: one thread at a time.
 */
final class FruitlessTests {

  /** The longest time between two tests that counts as a whole, as a part of the deadline. */
  private static final int PART = 16;

  private long before;
  private long waited;
  private boolean asked;

  /** Forgets the time, for something has moved. Returns 0. */
  long none() {
    asked = false;
    waited = 0;
    return 0;
  }

  /**
   * Counts a test in which nothing moved.
   *
   * @param now the present time, as {@link System#nanoTime} tells it
   * @param movedAt when anything last moved, whoever made it
   * @param deadlineNanos how long the rank may ask in vain
   * @return how long it has asked in vain, in nanoseconds
   */
  long fruitless(long now, long movedAt, long deadlineNanos) {
    if (!asked || movedAt - before > 0) {
      waited = 0;
    } else {
      waited += Math.min(now - before, deadlineNanos / PART);
    }
    asked = true;
    before = now;
    return waited;
  }
}
