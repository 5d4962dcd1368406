package org.hyperslab.mpiio.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.hyperslab.error.MpiException;
import org.hyperslab.format.memory.BufferPool;
import org.hyperslab.format.store.MemoryStore;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.access.MemoryExtents;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Request;
import org.hyperslab.mpiio.schedule.ByteLocation;
import org.hyperslab.mpiio.schedule.Schedule;
import org.hyperslab.mpiio.schedule.Step;
import org.hyperslab.mpiio.store.FileRangeLock;
import org.hyperslab.mpiio.waiting.Ticker;
import org.junit.jupiter.api.Test;

/** Tests schedules whose communication fails. */
final class ProgressingDriverTest {

  private static final MpiException BROKEN = new MpiException("receive", 1, 7, "broken");

  /** A message that fails when it is tested or awaited. */
  private static final Request FAILING =
      new Request() {
        @Override
        public boolean test() {
          throw BROKEN;
        }

        @Override
        public long await() {
          throw BROKEN;
        }
      };

  /** A message that ends when it is told to. */
  private static final class Pending implements Request {
    private boolean ended;
    private boolean cancelled;

    @Override
    public boolean test() {
      return ended;
    }

    @Override
    public void cancel() {
      cancelled = true;
    }

    @Override
    public long await() {
      throw new AssertionError("a driver that must not wait waits");
    }
  }

  /** Fails every message that is received through it. */
  private static Communicator failing() {
    return receiving(FAILING);
  }

  /** Receives these messages in turn, the last one again and again. */
  private static Communicator receiving(Request... messages) {
    ArrayDeque<Request> next = new ArrayDeque<>(List.of(messages));
    return (Communicator)
        Proxy.newProxyInstance(
            Communicator.class.getClassLoader(),
            new Class<?>[] {Communicator.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "rank" -> 0;
                  case "size" -> 2;
                  case "startReceive" -> next.size() > 1 ? next.remove() : next.peek();
                  case "ticker" -> Ticker.SYSTEM;
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  private static StepContext context(BufferPool pool) {
    return context(failing(), pool);
  }

  private static StepContext context(Communicator comm, BufferPool pool) {
    return new StepContext(
        comm,
        1,
        new MemoryStore("store"),
        MemoryExtents.none(),
        StepContext.Peers.none(2, null),
        pool,
        new StepContext.Locks(FileRangeLock.amongThreads("store"), null));
  }

  private static Schedule schedule() {
    return inBuffer(
        new Step.Receive(1, new ByteLocation.Buffer(0, 0), 32, 0),
        new Step.Write(ExtentRuns.of(0, 32), new ByteLocation.Buffer(0, 32)),
        new Step.Await(0));
  }

  /** One round of steps with a buffer of 64 bytes. */
  private static Schedule inBuffer(Step... steps) {
    List<Step> round = new ArrayList<>(List.of(new Step.Allocate(0, 64)));
    round.addAll(List.of(steps));
    return new Schedule("test", 0, List.of(round));
  }

  @Test
  void endsOnlyWithItsWorkerIfMessagesFail() {
    ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    try (BufferPool pool = new BufferPool(1 << 20)) {
      ProgressingDriver driver =
          new ProgressingDriver(context(pool), schedule(), tasks::add, () -> {});
      assertThat(driver.advance(false)).isFalse();
      assertThat(driver.works()).isTrue();
      assertThat(driver.advance(false)).as("while a worker has it").isFalse();
      tasks.remove().run();
      assertThat(driver.advance(false)).isTrue();
      assertThat(driver.failure()).isSameAs(BROKEN);
    }
  }

  @Test
  void keepsMemoryUntilNoMessageReachesIt() {
    try (BufferPool pool = new BufferPool(1 << 20)) {
      Pending late = new Pending();
      StepContext context = context(receiving(FAILING, late), pool);
      ProgressingDriver driver =
          new ProgressingDriver(context, twoMessages(), Runnable::run, () -> {});
      Driving.toEnd(() -> driver.advance(true));
      assertThat(driver.failure()).isSameAs(BROKEN);
      assertFreedWithItsMessage(pool, late);
    }
  }

  @Test
  void keepsMemoryOfAnAbandonedScheduleUntilNoMessageReachesIt() {
    try (BufferPool pool = new BufferPool(1 << 20)) {
      Pending late = new Pending();
      ProgressingDriver driver =
          new ProgressingDriver(
              context(receiving(late), pool), twoMessages(), Runnable::run, () -> {});
      assertThat(driver.advance(true)).isFalse();
      AtomicInteger untouched = new AtomicInteger();
      driver.abandon(BROKEN, untouched::incrementAndGet);
      assertThat(untouched).hasValue(0);
      assertFreedWithItsMessage(pool, late);
      assertThat(untouched).hasValue(1);
      assertThat(driver.failure()).isSameAs(BROKEN);
    }
  }

  private static void assertFreedWithItsMessage(BufferPool pool, Pending late) {
    assertThat(late.cancelled).isTrue();
    Request.testGivenUp();
    assertThat(pool.lent()).isEqualTo(1);
    late.ended = true;
    Request.testGivenUp();
    assertThat(pool.lent()).isZero();
  }

  private static Schedule twoMessages() {
    return inBuffer(
        new Step.Receive(1, new ByteLocation.Buffer(0, 0), 32, 0),
        new Step.Receive(1, new ByteLocation.Buffer(0, 32), 32, 1),
        new Step.Await(0),
        new Step.Await(1));
  }

  /** Messages that never come. */
  private static Communicator silent(int ranks) {
    Request pending = new Pending();
    return (Communicator)
        Proxy.newProxyInstance(
            Communicator.class.getClassLoader(),
            new Class<?>[] {Communicator.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "rank" -> 0;
                  case "size" -> ranks;
                  case "startReceive", "startSend" -> pending;
                  case "ticker" -> Ticker.SYSTEM;
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  @Test
  void namesTheRanksOfABarrierThatItWaitsFor() {
    try (BufferPool pool = new BufferPool(1 << 20)) {
      Schedule barrier = new Schedule("test", 0, List.of(List.of(new Step.Barrier())));
      ProgressingDriver driver =
          new ProgressingDriver(context(silent(2), pool), barrier, Runnable::run, () -> {});
      assertThat(driver.advance(false)).isFalse();
      assertThat(driver.awaitedRanks()).containsExactly(1);
    }
  }

  @Test
  void keepsMemoryUntilNoMessageReachesItIfTheRankWaits() {
    try (BufferPool pool = new BufferPool(1 << 20)) {
      Pending late = new Pending();
      StepContext context = context(receiving(FAILING, late), pool);
      assertThatThrownBy(() -> context.run(twoMessages())).isSameAs(BROKEN);
      assertFreedWithItsMessage(pool, late);
    }
  }
}
