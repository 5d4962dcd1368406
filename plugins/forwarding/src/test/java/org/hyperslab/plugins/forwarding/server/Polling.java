package org.hyperslab.plugins.forwarding.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for states that nothing reports, such as that a server has noticed a client's death. */
final class Polling {

  private static final long PAUSE_NANOS = 1_000_000;

  /** Only ends a test that would hang. */
  private static final Duration LIMIT = Duration.ofMinutes(5);

  private Polling() {}

  /** Waits until a condition holds; leaves the processor to the threads that make it hold. */
  static void until(BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(LIMIT);
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /** Waits until a thread waits for another one. */
  static void untilWaiting(Thread thread) {
    until(() ->
        thread.getState() == Thread.State.WAITING
            || thread.getState() == Thread.State.TIMED_WAITING);
  }
}
