package org.hyperslab.convert.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.util.Collections;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.hyperslab.error.StorageException;
import org.junit.jupiter.api.Test;

/** Tests how items that are processed in parallel end. */
final class ConversionRunTest {

  private static final List<Integer> ITEMS = Collections.nCopies(1000, 1);

  private final ConversionRun run =
      new ConversionRun(
          new ConversionRun.Limits(1 << 20, 1 << 20, Long.MAX_VALUE, false), done -> {});
  private final AtomicInteger processed = new AtomicInteger();

  @Test
  void firstFailureIsThrownAndStopsTheRest() {
    try (run) {
      assertThatThrownBy(() ->
              run.parallel(
                  ITEMS,
                  4,
                  item -> {
                    if (processed.incrementAndGet() > 10) {
                      throw new StorageException("disk full");
                    }
                  }))
          .isInstanceOf(StorageException.class)
          .hasMessage("disk full");
      assertThat(processed.get()).isLessThan(100);
    }
  }

  @Test
  void interruptedCallersWaitForItemsInProgressAndStopTheRest() throws InterruptedException {
    assumeThat(Runtime.getRuntime().availableProcessors()).isGreaterThan(1);
    CountDownLatch begun = new CountDownLatch(2);
    CountDownLatch release = new CountDownLatch(1);
    AtomicInteger active = new AtomicInteger();
    AtomicInteger activeAtEnd = new AtomicInteger(-1);
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    try (run) {
      Thread caller =
          Thread.ofPlatform()
              .start(() -> {
                thrown.set(
                    catchThrowable(() ->
                        run.parallel(
                            () -> Stream.generate(() -> 1).iterator(), // ends only if stopped
                            2,
                            item -> {
                              active.incrementAndGet();
                              begun.countDown();
                              awaitQuietly(release);
                              active.decrementAndGet();
                            })));
                activeAtEnd.set(active.get());
              });
      begun.await();
      caller.interrupt();
      while (caller.isInterrupted() && caller.isAlive()) {
        Thread.onSpinWait(); // until the caller has noticed
      }
      release.countDown();
      caller.join();
    }
    assertThat(thrown.get()).isInstanceOf(CancellationException.class);
    assertThat(activeAtEnd).hasValue(0);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
