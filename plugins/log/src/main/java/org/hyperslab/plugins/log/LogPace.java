package org.hyperslab.plugins.log;

import org.hyperslab.vol.base.Scheduling;

/**
 * Limits the bytes that are migrated in a second, by waiting after each batch.
 *
 * <p>Thread rule: any thread; all share the rate.
 */
final class LogPace {

  private static final double NANOS_PER_SECOND = 1e9;

  private final long bytesPerSecond;
  private final Scheduling scheduling;
  private long free;

  /**
   * Creates a limit.
   *
   * @param bytesPerSecond the bytes; {@link Long#MAX_VALUE} for no limit
   * @param scheduling the clock
   */
  LogPace(long bytesPerSecond, Scheduling scheduling) {
    this.bytesPerSecond = bytesPerSecond;
    this.scheduling = scheduling;
    this.free = scheduling.nanoTime();
  }

  /** Waits until a batch of some bytes may be followed by another one. */
  synchronized void waitAfter(long bytes) {
    if (bytesPerSecond == Long.MAX_VALUE) {
      return;
    }
    long now = scheduling.nanoTime();
    free = Math.max(free, now) + (long) (bytes * NANOS_PER_SECOND / bytesPerSecond);
    long end = free;
    scheduling.await(
        this, () -> scheduling.nanoTime() - end < 0, Math.max(1, (end - now) / 1_000_000));
  }
}
