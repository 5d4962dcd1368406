package org.hyperslab.mpiio.waiting;

/**
 * Adds up the time in which a rank tests transfers repeatedly without progress. Between two tests
 * that are far apart the rank does other work, so only a small part of that time counts.
 *
 * <p>Thread rule: one thread at a time.
 */
public final class StallTimer {

  /** Creates a timer. */
  public StallTimer() {}

  /**
   * The divisor of the deadline that gives the longest time between two tests that counts in full.
   */
  private static final int PART = 16;

  private long before;
  private long waited;
  private boolean asked;

  /**
   * Resets the time after progress.
   *
   * @return 0, the time without progress
   */
  public long reset() {
    asked = false;
    waited = 0;
    return 0;
  }

  /**
   * Counts a test without progress.
   *
   * @param now the current time
   * @param movedAt the time of the last progress in any thread
   * @param deadlineNanos the greatest time of tests without progress, in nanoseconds
   * @return the time of tests without progress so far, in nanoseconds
   */
  public long stalledNanos(long now, long movedAt, long deadlineNanos) {
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
