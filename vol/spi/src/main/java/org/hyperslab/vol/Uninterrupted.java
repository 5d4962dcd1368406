package org.hyperslab.vol;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Waits without being interrupted, for operations that still use the caller's buffers or resources.
 * An interrupt is restored afterwards.
 *
 * <p>Thread rule: any thread that holds the monitor.
 */
public final class Uninterrupted {

  private Uninterrupted() {}

  /**
   * Waits while a condition holds.
   *
   * @param monitor held by the caller; notified when the answer may have changed
   * @param holds whether to continue waiting; called with the monitor held
   */
  public static void await(Object monitor, BooleanSupplier holds) {
    await(monitor, holds, Long.MAX_VALUE);
  }

  /**
   * Waits while a condition holds, for a limited time.
   *
   * @param monitor the monitor to wait on; the caller holds it
   * @param holds whether to continue waiting; called with the monitor held
   * @param milliseconds the longest time between two evaluations
   */
  public static void await(Object monitor, BooleanSupplier holds, long milliseconds) {
    boolean interrupted = false;
    long begun = System.nanoTime();
    while (holds.getAsBoolean()) {
      long left = milliseconds - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
      if (left <= 0) {
        break;
      }
      try {
        monitor.wait(milliseconds == Long.MAX_VALUE ? 0 : left);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
