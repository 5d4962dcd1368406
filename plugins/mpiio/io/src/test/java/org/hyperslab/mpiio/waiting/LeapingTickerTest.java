package org.hyperslab.mpiio.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.hyperslab.mpiio.comm.Request;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that the time of ranks stands still while one of them runs, and leaps when all pause. */
@Timeout(60)
final class LeapingTickerTest {

  private static final long HOUR = 3_600_000_000_000L;

  private final LeapingTicker ticker = new LeapingTicker();

  @Test
  void advancesToTheEndOfTheShortestPause() throws InterruptedException {
    List<String> order = new CopyOnWriteArrayList<>();
    Thread late = ticker.newThread("late", () -> pause(2 * HOUR, order));
    Thread early = ticker.newThread("early", () -> pause(HOUR, order));
    late.start();
    early.start();
    late.join();
    early.join();
    assertThat(order).containsExactly("early at 1 h", "late at 2 h");
    assertThat(ticker.threads()).isZero();
  }

  private void pause(long nanos, List<String> order) {
    ticker.parkNanos(this, nanos);
    order.add(Thread.currentThread().getName() + " at " + ticker.nanoTime() / HOUR + " h");
  }

  @Test
  void timeStopsUntilCreatedThreadsEnd() throws InterruptedException {
    Thread waits = ticker.newThread("waits", () -> ticker.parkNanos(this, HOUR));
    Thread works = ticker.newThread("works", () -> ticker.unpark(waits));
    waits.start();
    while (waits.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    assertThat(ticker.nanoTime()).isZero();
    works.start();
    works.join();
    waits.join();
    assertThat(ticker.nanoTime()).isZero();
  }

  @Test
  void ranksReachALongDeadlineAtOnce() {
    long[] told = new long[1];
    ThreadWorld.of(2)
        .withTicker(ticker)
        .run(comm -> {
          if (comm.rank() == 0) {
            Request never = comm.startReceive(MemorySegment.ofArray(new byte[1]), 1, 0);
            assertThat(never.awaitAtMost(1_000_000_000L)).isFalse();
            told[0] = comm.ticker().nanoTime();
          }
        });
    assertThat(told[0]).isEqualTo(1_000_000_000L);
  }
}
