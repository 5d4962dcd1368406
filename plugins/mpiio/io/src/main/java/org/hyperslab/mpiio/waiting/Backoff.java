package org.hyperslab.mpiio.waiting;

/**
 * Pauses between two checks of something that is not ready: first briefly, then for an eighth of
 * the time waited so far. A thread that makes progress may end a pause by unparking this thread.
 *
 * <p>Thread rule: one thread.
 */
public final class Backoff {

  private static final int QUICK_LOOKS = 20;
  private static final long MIN_NANOS = 20_000;
  private static final long MAX_NANOS = 500_000;

  private final Ticker ticker;
  private int looks;
  private long since;

  /**
   * Creates pauses that grow.
   *
   * @param ticker the time
   */
  public Backoff(Ticker ticker) {
    this.ticker = ticker;
  }

  /** Resets the pauses after progress. */
  public void reset() {
    looks = 0;
  }

  /** Pauses briefly, longer each time. */
  public void pause() {
    if (looks == 0) {
      since = ticker.nanoTime();
    }
    if (looks++ < QUICK_LOOKS) {
      Thread.yield();
      return;
    }
    ticker.parkNanos(this, Math.clamp(waitedNanos() / 8, MIN_NANOS, MAX_NANOS));
  }

  /** {@return the time since the last progress} */
  public long waitedNanos() {
    return looks == 0 ? 0 : ticker.nanoTime() - since;
  }
}
