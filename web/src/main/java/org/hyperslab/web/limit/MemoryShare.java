package org.hyperslab.web.limit;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.hyperslab.error.LimitExceededException;

/**
 * The memory that all requests of a server share for elements and texts. A smaller part is set
 * apart, from which each request may take a little when the share is in use: small requests are
 * answered while large replies wait for their clients.
 *
 * <p>Thread rule: any thread.
 */
public final class MemoryShare {

  private static final int UNIT = 1 << 16;
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final long LEAST_BYTES = 32L << 20;
  private static final long MOST_BYTES = 512L << 20;

  /** The most that a request may take of what is set apart, in units: the text of a list. */
  public static final int MOST_APART = 4;

  /** The share, divided by what is set apart. */
  private static final int PARTS = 8;

  private final int units;
  private final long patienceMillis;
  private final Semaphore free;
  private final Semaphore apart;

  /**
   * Creates a share.
   *
   * @param bytes its size, without what is set apart
   * @param patience the longest time for which a request waits
   */
  public MemoryShare(long bytes, Duration patience) {
    units = Math.toIntExact(Math.max(1, bytes / UNIT));
    patienceMillis = patience.toMillis();
    free = new Semaphore(units, true);
    apart = new Semaphore(Math.max(MOST_APART, units / PARTS));
  }

  /** {@return a share of a quarter of the heap, within bounds} */
  public static MemoryShare ofHeap() {
    long quarter = Runtime.getRuntime().maxMemory() / 4;
    return new MemoryShare(Math.clamp(quarter, LEAST_BYTES, MOST_BYTES), PATIENCE);
  }

  /**
   * Takes memory; waits some seconds for other requests to free it.
   *
   * @param bytes the number of bytes
   * @param heldApart the units that the request holds of what is set apart
   * @return what {@link #free} takes: the number of units, negative if they were set apart
   * @throws LimitExceededException if the whole share is smaller
   * @throws RequestRefusal if too little becomes free
   */
  int take(long bytes, int heldApart) {
    long needed = (bytes + UNIT - 1) / UNIT;
    if (needed > units) {
      throw new LimitExceededException(
          "memory for one reply: actual="
              + bytes
              + " bytes, expected=at most "
              + (long) units * UNIT
              + "; request a part with a selection");
    }
    int count = (int) needed;
    try {
      if (free.tryAcquire(count, 0, TimeUnit.SECONDS)) { // after those that wait
        return count;
      }
      if (count + heldApart <= MOST_APART && apart.tryAcquire(count)) {
        return -count;
      }
      if (free.tryAcquire(count, patienceMillis, TimeUnit.MILLISECONDS)) {
        return count;
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
    throw new RequestRefusal(
        503, "memory: actual=in use by other requests, expected=" + bytes + " bytes; try again");
  }

  /**
   * Returns memory to the share.
   *
   * @param taken what {@link #take} has returned
   */
  void free(int taken) {
    if (taken < 0) {
      apart.release(-taken);
    } else {
      free.release(taken);
    }
  }
}
