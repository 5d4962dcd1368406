package org.hyperslab.plugins.forwarding.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks run when they may, once, and every end reaches those that wait for it. */
@Timeout(300)
final class TaskEngineTest {

  private final TaskEngine engine = new TaskEngine("test", 2);
  private final List<String> ran = Collections.synchronizedList(new ArrayList<>());

  @AfterEach
  void closeEngine() {
    engine.close();
  }

  private TaskBody note(String name) {
    return TaskBody.of(() -> ran.add(name));
  }

  private static TaskBody failing(String message) {
    return () -> {
      throw new StorageException(message);
    };
  }

  /** A task that has begun, and runs until the latch opens. */
  private Task held(CountDownLatch latch, String name) throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    Task task =
        engine.submit(
            name,
            () -> {
              begun.countDown();
              latch.await();
              ran.add(name);
              return null;
            });
    begun.await();
    return task;
  }

  @Test
  void runsWhenAllNecessaryTasksAreDone() throws InterruptedException {
    CountDownLatch latch = new CountDownLatch(1);
    Task a = held(latch, "a");
    Task b = engine.submit("b", note("b"));
    Task c = engine.submit(TaskSpec.of("c").needing(a, b), note("c"));
    assertThat(b.await()).isEqualTo(TaskStatus.DONE);
    assertThat(c.await(Duration.ofMillis(20))).isEqualTo(TaskStatus.WAITING);
    latch.countDown();
    assertThat(c.await()).isEqualTo(TaskStatus.DONE);
    assertThat(ran).containsExactly("b", "a", "c");
  }

  @Test
  void runsWhenOneSufficientTaskIsDone() throws InterruptedException {
    CountDownLatch latch = new CountDownLatch(1);
    Task a = held(latch, "a");
    Task b = engine.submit("b", note("b"));
    Task c = engine.submit(TaskSpec.of("c").sufficing(a, b), note("c"));
    assertThat(c.await()).isEqualTo(TaskStatus.DONE);
    assertThat(a.status()).isEqualTo(TaskStatus.RUNNING);
    latch.countDown();
  }

  @Test
  void necessaryAndSufficientTasksAreBothWaitedFor() throws InterruptedException {
    CountDownLatch latch = new CountDownLatch(1);
    Task necessary = held(latch, "necessary");
    Task sufficient = engine.submit("sufficient", note("sufficient"));
    Task child =
        engine.submit(TaskSpec.of("c").needing(necessary).sufficing(sufficient), note("c"));
    sufficient.await();
    assertThat(child.status()).isEqualTo(TaskStatus.WAITING);
    latch.countDown();
    assertThat(child.await()).isEqualTo(TaskStatus.DONE);
  }

  @Test
  void failureTravelsWithItsCause() throws InterruptedException {
    Task a = engine.submit("a", failing("disk: actual=full"));
    Task b = engine.submit(TaskSpec.of("b").needing(a), note("b"));
    Task c = engine.submit(TaskSpec.of("c").needing(b), note("c"));
    assertThat(c.await()).isEqualTo(TaskStatus.FAILED);
    assertThat(ran).isEmpty();
    Throwable failure = c.failure().orElseThrow();
    assertThat(failure)
        .isInstanceOf(CompletionException.class)
        .hasMessageContaining("\"c\"")
        .hasMessageContaining("\"b\" failed");
    assertThat(failure.getCause()).hasMessageContaining("\"a\" failed");
    assertThat(failure).hasRootCauseInstanceOf(StorageException.class);
    assertThatThrownBy(() -> c.completion().toCompletableFuture().join())
        .hasRootCauseMessage("disk: actual=full");
  }

  @Test
  void oneSufficientFailureDoesNoHarmAllDo() throws InterruptedException {
    Task bad = engine.submit("bad", failing("no"));
    Task good = engine.submit("good", note("good"));
    Task child = engine.submit(TaskSpec.of("c").sufficing(bad, good), note("c"));
    assertThat(child.await()).isEqualTo(TaskStatus.DONE);
    Task worse = engine.submit("worse", failing("no"));
    Task orphan = engine.submit(TaskSpec.of("d").sufficing(bad, worse), note("d"));
    assertThat(orphan.await()).isEqualTo(TaskStatus.FAILED);
  }

  @Test
  void orderingTasksPassNoFailureOn() throws InterruptedException {
    Task bad = engine.submit("bad", failing("no"));
    Task next = engine.submit(TaskSpec.of("next").following(bad), note("next"));
    assertThat(next.await()).isEqualTo(TaskStatus.DONE);
  }

  @Test
  void cancelsWhatHasNotStartedAndFailsItsChildren() throws InterruptedException {
    CountDownLatch latch = new CountDownLatch(1);
    Task running = held(latch, "running");
    Task waiting = engine.submit(TaskSpec.of("waiting").needing(running), note("waiting"));
    Task child = engine.submit(TaskSpec.of("child").needing(waiting), note("child"));
    assertThat(waiting.cancel()).isTrue();
    assertThat(waiting.cancel()).as("again").isTrue();
    assertThat(waiting.await()).isEqualTo(TaskStatus.CANCELLED);
    assertThat(child.await()).isEqualTo(TaskStatus.FAILED);
    assertThat(child.failure().orElseThrow()).hasRootCauseInstanceOf(CancellationException.class);
    latch.countDown();
    running.await();
    assertThat(ran).containsExactly("running");
  }

  @Test
  void aRunningTaskCannotBeCancelled() throws InterruptedException {
    CountDownLatch latch = new CountDownLatch(1);
    CountDownLatch started = new CountDownLatch(1);
    Task task =
        engine.submit(
            "a",
            () -> {
              started.countDown();
              latch.await();
              return null;
            });
    started.await();
    assertThat(task.cancel()).isFalse();
    latch.countDown();
    assertThat(task.await()).isEqualTo(TaskStatus.DONE);
    assertThat(task.cancel()).isFalse();
  }

  @Test
  void aTaskCreatedUnderACancelledOneFails() throws InterruptedException {
    CountDownLatch latch = new CountDownLatch(1);
    Task running = held(latch, "running");
    Task cancelled = engine.submit(TaskSpec.of("cancelled").needing(running), note("cancelled"));
    cancelled.cancel();
    Task late = engine.submit(TaskSpec.of("late").needing(cancelled), note("late"));
    assertThat(late.status()).isEqualTo(TaskStatus.FAILED);
    latch.countDown();
  }

  @Test
  void aBarrierComesAfterEverythingBeforeItAlsoAfterFailures() throws InterruptedException {
    CountDownLatch latch = new CountDownLatch(1);
    Task a = held(latch, "a");
    engine.submit(TaskSpec.of("b").needing(a), note("b"));
    engine.submit(TaskSpec.of("bad").needing(a), failing("no"));
    Task barrier = engine.barrier("barrier", note("barrier"));
    Task after = engine.submit("after", note("after"));
    after.await();
    assertThat(barrier.status()).isEqualTo(TaskStatus.WAITING);
    latch.countDown();
    assertThat(barrier.await()).isEqualTo(TaskStatus.DONE);
    assertThat(ran).containsExactly("after", "a", "b", "barrier");
  }

  @Test
  void urgentTasksRunFirstAndEqualsInOrder() throws InterruptedException {
    CountDownLatch latch = new CountDownLatch(1);
    List<Task> tasks = new ArrayList<>();
    // One thread: of two, either may be held up between taking a task and noting it.
    try (TaskEngine single = new TaskEngine("single", 1)) {
      single.submit(
          TaskSpec.of("held").withPriority(2),
          () -> {
            latch.await();
            return null;
          });
      for (int i = 0; i < 6; i++) {
        String name = (i % 2) + "-" + i;
        tasks.add(single.submit(TaskSpec.of(name).withPriority(i % 2), note(name)));
      }
      latch.countDown();
      for (Task task : tasks) {
        assertThat(task.await()).isEqualTo(TaskStatus.DONE);
      }
    }
    assertThat(ran).containsExactly("1-1", "1-3", "1-5", "0-0", "0-2", "0-4");
  }

  @Test
  void aStageKeepsATaskRunningWithoutAThread() throws InterruptedException {
    CompletableFuture<Void> one = new CompletableFuture<>();
    CompletableFuture<Void> two = new CompletableFuture<>();
    CompletableFuture<Void> three = new CompletableFuture<>();
    Task a = engine.submit("a", () -> one);
    Task b = engine.submit("b", () -> two);
    Task c = engine.submit("c", () -> three);
    Task free = engine.submit("free", note("free"));
    assertThat(free.await()).isEqualTo(TaskStatus.DONE);
    one.complete(null);
    two.completeExceptionally(new StorageException("late"));
    three.complete(null);
    assertThat(a.await()).isEqualTo(TaskStatus.DONE);
    assertThat(b.await()).isEqualTo(TaskStatus.FAILED);
    assertThat(c.await()).isEqualTo(TaskStatus.DONE);
  }

  @Test
  void errorsOfBodiesEndTheTaskToo() throws InterruptedException {
    Task task =
        engine.submit(
            "deep",
            () -> {
              throw new StackOverflowError();
            });
    assertThat(task.await()).isEqualTo(TaskStatus.FAILED);
  }

  @Test
  void aChainOfAMillionTasksRunsAndLeavesNothingBehind() throws InterruptedException {
    AtomicInteger count = new AtomicInteger();
    CountDownLatch latch = new CountDownLatch(1);
    Task last = held(latch, "first");
    ReferenceQueue<Object> collected = new ReferenceQueue<>();
    WeakReference<Object> first = new WeakReference<>(last.node(), collected);
    TaskBody body = TaskBody.of(count::incrementAndGet);
    for (int i = 0; i < 1_000_000; i++) {
      last = engine.submit(TaskSpec.of("link").needing(last), body);
    }
    latch.countDown();
    assertThat(last.await()).isEqualTo(TaskStatus.DONE);
    assertThat(count).hasValue(1_000_000);
    assertThat(engine.counts().live()).isZero();
    Reference<?> found = null;
    for (int i = 0; i < 50 && found == null; i++) {
      System.gc();
      found = collected.remove(200);
    }
    assertThat(found).as("the first task, when only the last is known").isSameAs(first);
  }

  @Test
  void aChainOfAMillionTasksFailsWithoutDeepStacks() throws InterruptedException {
    CountDownLatch latch = new CountDownLatch(1);
    Task last =
        engine.submit(
            "first",
            () -> {
              latch.await();
              throw new StorageException("the cause");
            });
    for (int i = 0; i < 1_000_000; i++) {
      last = engine.submit(TaskSpec.of("link").needing(last), TaskBody.nothing());
    }
    latch.countDown();
    assertThat(last.await()).isEqualTo(TaskStatus.FAILED);
    assertThat(last.failure().orElseThrow()).hasRootCauseMessage("the cause");
  }

  @Test
  void closingLetsTasksEndAndRefusesNewOnes() {
    Task a = engine.submit("a", note("a"));
    engine.close();
    assertThat(a.status()).isEqualTo(TaskStatus.DONE);
    assertThatThrownBy(() -> engine.submit("late", note("late")))
        .isInstanceOf(InvalidUseException.class);
    assertThat(engine.counts()).isEqualTo(new TaskCounts(0, 0, 1, 0, 0));
  }
}
