package org.hyperslab.plugins.forwarding.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.hyperslab.testkit.Effort;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests that every future is completed once, even if others are completed, blocked or added at the
 * same time.
 */
@Timeout(300)
final class CompletionsTest {

  @Test
  void noInterleavingLosesACompletion() {
    new ModelCheckingOptions()
        .iterations(Effort.times(4, 12))
        .invocationsPerIteration(150)
        .threads(3)
        .actorsPerThread(2)
        .actorsBefore(0)
        .actorsAfter(0)
        .check(Model.class);
  }

  @Test
  void shutDownExecutorLeavesNothingUncompleted() {
    Queue<Runnable> threads = new ConcurrentLinkedQueue<>();
    boolean[] shutDown = new boolean[1];
    Completions completions =
        new Completions(task -> {
          if (shutDown[0]) {
            throw new RejectedExecutionException("shut down");
          }
          threads.add(task);
        });
    List<Integer> completed = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      int number = i;
      CompletableFuture<Void> future = new CompletableFuture<>();
      future.thenRun(() -> {});
      completions.add(future, () -> completed.add(number));
    }
    shutDown[0] = true;
    threads.remove().run();
    completions.add(new CompletableFuture<>(), () -> completed.add(3));
    assertThat(completed).containsExactly(0, 1, 2, 3);
  }

  /** Completions, whose threads Lincheck interleaves. */
  public static final class Model {
    private final Queue<Runnable> threads = new ConcurrentLinkedQueue<>();
    private final Completions completions = new Completions(threads::add);
    private final AtomicIntegerArray completed = new AtomicIntegerArray(3);
    private final AtomicIntegerArray added = new AtomicIntegerArray(3);

    /** Creates the model without futures. */
    public Model() {}

    private void add(int which, boolean hasDependents) {
      CompletableFuture<Void> future = new CompletableFuture<>();
      if (hasDependents) {
        future.thenRun(() -> {});
      }
      added.incrementAndGet(which);
      completions.add(future, () -> completed.incrementAndGet(which));
    }

    /** Adds a future without dependents. */
    @Operation(runOnce = true)
    public void addOne() {
      add(0, false);
    }

    /** Adds a future with a dependent, which might block. */
    @Operation(runOnce = true)
    public void addOneWithDependents() {
      add(1, true);
    }

    /** Adds another future without dependents. */
    @Operation(runOnce = true)
    public void addAnother() {
      add(2, false);
    }

    /** Runs the next thread. */
    @Operation
    public void turn() {
      Runnable next = threads.poll();
      if (next != null) {
        next.run();
      }
    }

    /** Requires that the requested threads complete everything once. */
    @Validate
    public void allAreCompleted() {
      for (Runnable next = threads.poll(); next != null; next = threads.poll()) {
        next.run();
      }
      for (int i = 0; i < 3; i++) {
        if (completed.get(i) != added.get(i)) {
          throw new IllegalStateException("completed " + completed.get(i) + " times: " + i);
        }
      }
    }
  }

  @Test
  void dependentsMayWaitForOtherFutures() throws InterruptedException {
    int count = 2000;
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Completions completions = new Completions(threads);
      List<CompletableFuture<Void>> futures = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        futures.add(new CompletableFuture<>());
      }
      CountDownLatch all = new CountDownLatch(count);
      AtomicInteger ended = new AtomicInteger();
      // Each future but the last waits, in the thread that completes it, for the next one.
      for (int i = 0; i < count; i++) {
        int next = i + 1;
        futures
            .get(i)
            .thenRun(() -> {
              if (next < count && next % 3 != 0) {
                futures.get(next).join();
              }
              ended.incrementAndGet();
              all.countDown();
            });
      }
      futures.forEach(future -> completions.add(future, () -> future.complete(null)));
      assertThat(all.await(4, TimeUnit.MINUTES)).isTrue();
      assertThat(ended).hasValue(count);
    }
  }

  @Test
  void lateBlockingDependentIsHandledByTheNextCheck() throws InterruptedException {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Completions completions = new Completions(threads);
      CompletableFuture<Void> stuck = new CompletableFuture<>();
      CompletableFuture<Void> behind = new CompletableFuture<>();
      CountDownLatch reached = new CountDownLatch(1);
      CompletableFuture<Void> blocked = new CompletableFuture<>();
      completions.add(
          stuck,
          () -> {
            reached.countDown();
            behind.join();
            blocked.complete(null);
          });
      reached.await();
      completions.add(behind, () -> behind.complete(null));
      completions.check(); // notes how far it is
      completions.check(); // nothing has begun since
      blocked.join();
    }
  }
}
