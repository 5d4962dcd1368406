package org.hyperslab.mpiio.comm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the detection of deadlocks. */
@Timeout(300)
final class ThreadUniverseTest {

  private final ThreadUniverse universe = new ThreadUniverse(ThreadWorld.of(3));
  private final Thread[] ranks = new Thread[3];
  private final AtomicBoolean go = new AtomicBoolean();
  private final CountDownLatch hasGone = new CountDownLatch(1);
  private final CountDownLatch hasLooked = new CountDownLatch(1);
  private final AtomicBoolean free = new AtomicBoolean();

  /** Ranks 0 and 1 wait for rank 2, which can continue, and does so while one of them checks. */
  @Test
  void runningRankIsNotReportedAsDeadlock() throws InterruptedException {
    for (int rank = 0; rank < 2; rank++) {
      int own = rank;
      ranks[rank] =
          Thread.ofPlatform()
              .unstarted(() -> {
                universe.await(own, "barrier", () -> isFree(own));
                hasLooked.countDown();
              });
    }
    ranks[2] =
        Thread.ofPlatform()
            .unstarted(() -> {
              universe.await(2, "receive", go::get);
              hasGone.countDown();
              await(hasLooked);
            });
    for (int rank = 0; rank < 3; rank++) {
      universe.bind(rank, ranks[rank]);
    }
    for (Thread rank : ranks) {
      rank.start();
    }
    for (Thread rank : ranks) {
      rank.join();
    }
    assertThat(universe.failure()).isNull();
  }

  /** Called by the rank itself, or by one that checks whether any rank can continue. */
  private boolean isFree(int rank) {
    Thread asks = Thread.currentThread();
    if (asks == ranks[2]) {
      return true; // the checking rank is told that this one can continue
    }
    if (asks != ranks[rank] && !free.get()) {
      go.set(true);
      LockSupport.unpark(ranks[2]);
      await(hasGone);
      free.set(true);
      return false; // as it was before
    }
    return free.get();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException stopped) {
      throw new AssertionError(stopped);
    }
  }
}
