package org.hyperslab.mpiio.collective;

import java.util.concurrent.locks.LockSupport;

/**
 * Pauses between two looks at something that is not ready: short ones first, then an eighth of what
 * was waited so far. Whoever changes something may end a pause by unparking the thread.
 *
 * <p>Thread rule: one thread.
 */
final class Idling {

  private static final int QUICK_LOOKS = 20;
  private static final long LEAST_NANOS = 20_000;
  private static final long MOST_NANOS = 500_000;

  private int looks;
  private long since;

  /** Something has moved. */
  void reset() {
    looks = 0;
  }

  /** Waits a little, longer each time. */
  void pause() {
    if (looks == 0) {
      since = System.nanoTime();
    }
    if (looks++ < QUICK_LOOKS) {
      Thread.yield();
      return;
    }
    LockSupport.parkNanos(this, Math.clamp(waitedNanos() / 8, LEAST_NANOS, MOST_NANOS));
  }

  /** Returns how long nothing has moved. */
  long waitedNanos() {
    return looks == 0 ? 0 : System.nanoTime() - since;
  }
}
