package org.hyperslab.web;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.hyperslab.error.LimitExceededException;

/**
 * The memory that all requests of a server share for elements and texts.
 *
 * <p>Thread rule: any thread.
 */
final class MemoryShare {

  private static final int UNIT = 1 << 16;
  private static final long PATIENCE_SECONDS = 15;
  private static final long LEAST_BYTES = 32L << 20;
  private static final long MOST_BYTES = 512L << 20;

  private final int units;
  private final Semaphore free;

  /**
   * Creates a share.
   *
   * @param bytes its size
   */
  MemoryShare(long bytes) {
    units = Math.toIntExact(Math.max(1, bytes / UNIT));
    free = new Semaphore(units, true);
  }

  /** {@return a share of a quarter of the heap, within bounds} */
  static MemoryShare ofHeap() {
    long quarter = Runtime.getRuntime().maxMemory() / 4;
    return new MemoryShare(Math.clamp(quarter, LEAST_BYTES, MOST_BYTES));
  }

  /**
   * Takes memory; waits some seconds for other requests to free it.
   *
   * @param bytes the number of bytes
   * @return the number of units taken, which {@link #free} returns
   * @throws LimitExceededException if the whole share is smaller
   * @throws RequestRefusal if too little becomes free
   */
  int take(long bytes) {
    long needed = (bytes + UNIT - 1) / UNIT;
    if (needed > units) {
      throw new LimitExceededException(
          "memory for one reply: actual="
              + bytes
              + " bytes, expected=at most "
              + (long) units * UNIT
              + "; request a part with a selection");
    }
    try {
      if (free.tryAcquire((int) needed, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        return (int) needed;
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
    throw new RequestRefusal(
        503, "memory: actual=in use by other requests, expected=" + bytes + " bytes; try again");
  }

  /**
   * Returns memory.
   *
   * @param taken the number of units
   */
  void free(int taken) {
    free.release(taken);
  }
}
