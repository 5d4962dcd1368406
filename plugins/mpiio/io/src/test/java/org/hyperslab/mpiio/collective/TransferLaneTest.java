package org.hyperslab.mpiio.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.MpiException;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.MemoryStore;
import org.hyperslab.format.store.StoreDecorator;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.access.MemoryExtents;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.store.FileSystemTraits;
import org.hyperslab.mpiio.waiting.LeapingTicker;
import org.hyperslab.mpiio.waiting.Ticker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests a lane with transfers whose progress and end the test controls. */
final class TransferLaneTest {

  private static TransferLane lane(String hints) {
    return lane(hints, Ticker.SYSTEM);
  }

  private static TransferLane lane(String hints, Ticker ticker) {
    return new TransferLane("lane", TransferLane.Progress.WAIT, Hints.parse(hints), ticker);
  }

  /** A time that only the test moves. */
  private static final class SetTime implements Ticker {
    private long nanos;

    @Override
    public long nanoTime() {
      return nanos;
    }

    @Override
    public void parkNanos(Object blocker, long most) {
      nanos += most;
    }

    @Override
    public void unpark(Thread thread) {}

    @Override
    public Thread newThread(String name, Runnable task) {
      return Ticker.SYSTEM.newThread(name, task);
    }
  }

  /** Advances at each call, unless it is stuck, until it has ended. */
  private static class Scripted implements LoneTransfer {
    private final BooleanSupplier over;
    private final AtomicInteger moved = new AtomicInteger();
    private final AtomicInteger ends = new AtomicInteger();
    private final boolean stuck;

    Scripted(BooleanSupplier over, boolean stuck) {
      this.over = over;
      this.stuck = stuck;
    }

    static Scripted until(BooleanSupplier over) {
      return new Scripted(over, false);
    }

    static Scripted stuck() {
      return new Scripted(() -> false, true);
    }

    @Override
    public boolean advance(boolean here) {
      moved.addAndGet(stuck ? 0 : 1);
      return over.getAsBoolean();
    }

    @Override
    public long moves() {
      return moved.get();
    }

    @Override
    public String end() {
      return "end " + ends.incrementAndGet();
    }
  }

  private static TransferLane.Start<String> start(
      TransferLane.Moving<String> moving, Thread owner, Runnable ended) {
    return new TransferLane.Start<>(true, true, owner, () -> moving, ended);
  }

  @Test
  void endsATransferOnceAlthoughItsEndStartsAnother() {
    TransferLane lane = lane("");
    Scripted first = Scripted.until(() -> true);
    Scripted second = Scripted.until(() -> true);
    AtomicInteger told = new AtomicInteger();
    AtomicReference<TransferLane.Ongoing<String>> next = new AtomicReference<>();
    TransferLane.Ongoing<String> ongoing =
        lane.start(
            start(
                first,
                null,
                () -> {
                  if (told.incrementAndGet() == 1) {
                    next.set(lane.start(start(second, null, () -> {})));
                  }
                }));
    assertThat(ongoing.await()).isEqualTo("end 1");
    assertThat(next.get().await()).isEqualTo("end 1");
    assertThat(told).hasValue(1);
    assertThat(lane.isIdle()).isTrue();
  }

  @Test
  void waitsWhileAnotherThreadAdvancesTheTransfer() {
    LeapingTicker ticker = new LeapingTicker();
    Hints hints = Hints.parse("hyperslab_deadline=0.5");
    TransferLane lane = new TransferLane("lane", TransferLane.Progress.WAIT, hints, ticker);
    CompletableFuture<TransferLane.Ongoing<String>> started = new CompletableFuture<>();
    CompletableFuture<String> ended = new CompletableFuture<>();
    Thread owner =
        ticker.newThread(
            "owner",
            () -> {
              Scripted moving = Scripted.until(() -> ticker.nanoTime() > 1_000_000_000L);
              TransferLane.Ongoing<String> ongoing =
                  lane.start(start(moving, Thread.currentThread(), () -> {}));
              started.complete(ongoing);
              ticker.pauseUntil(ongoing::test);
            });
    Thread waiter =
        ticker.newThread(
            "waiter",
            () -> {
              ticker.pauseUntil(started::isDone);
              try {
                ended.complete(started.join().await());
              } catch (RuntimeException | Error failure) {
                ended.completeExceptionally(failure);
              }
            });
    owner.start();
    waiter.start();
    assertThat(ended.join()).isEqualTo("end 1");
    assertThat(ticker.nanoTime()).isGreaterThan(1_000_000_000L);
  }

  @Test
  void givesUpIfItsRankOnlyTests() {
    SetTime time = new SetTime();
    TransferLane lane = lane("hyperslab_deadline=0.1", time);
    Scripted stuck = Scripted.stuck();
    TransferLane.Ongoing<String> ongoing = lane.start(start(stuck, null, () -> {}));
    while (!ongoing.test()) {
      time.nanos += 1_000_000;
      assertThat(time.nanos).isLessThan(200_000_000);
    }
    assertThat(time.nanos).isGreaterThan(100_000_000);
    assertThatThrownBy(ongoing::await)
        .isInstanceOf(MpiException.class)
        .hasMessageContaining("nothing has moved for 100 ms");
    assertThat(lane.isLost()).isTrue();
  }

  @Test
  void doesNotCountTheTimeBetweenTestsThatAreFarApart() {
    SetTime time = new SetTime();
    TransferLane lane = lane("hyperslab_deadline=0.5", time);
    Scripted stuck = Scripted.stuck();
    TransferLane.Ongoing<String> ongoing = lane.start(start(stuck, null, () -> {}));
    assertThat(ongoing.test()).isFalse();
    time.nanos += 700_000_000;
    assertThat(ongoing.test()).isFalse();
    assertThat(lane.isLost()).isFalse();
  }

  @Test
  void givesUpOnlyWhenNoOtherRankTouchesTheMemory() {
    TransferLane lane = lane("hyperslab_deadline=0.05");
    AtomicInteger asked = new AtomicInteger();
    AtomicInteger abandoned = new AtomicInteger();
    Scripted stuck =
        new Scripted(() -> false, true) {
          @Override
          public TransferLane.Withdrawal withdraw() {
            return asked.incrementAndGet() < 5
                ? TransferLane.Withdrawal.BUSY
                : TransferLane.Withdrawal.UNCERTAIN;
          }

          @Override
          public void abandon(RuntimeException why) {
            abandoned.set(asked.get());
          }
        };
    TransferLane.Ongoing<String> ongoing = lane.start(start(stuck, null, () -> {}));
    assertThatThrownBy(ongoing::await)
        .hasMessageContaining("nothing has moved for 50 ms")
        .hasMessageContaining("which must not be used again");
    assertThat(abandoned).hasValue(5);
  }

  @Test
  void usesTheDeadlineOfTheLatestHints() {
    TransferLane lane = lane("hyperslab_deadline=0");
    Scripted stuck = Scripted.stuck();
    TransferLane.Ongoing<String> ongoing = lane.start(start(stuck, null, () -> {}));
    lane.use(Hints.parse("hyperslab_deadline=0.1"));
    assertThatThrownBy(ongoing::await).hasMessageContaining("nothing has moved for 100 ms");
  }

  @Test
  void failsPendingAccessesThatNoThreadCanAdvance() {
    TransferLane lane = lane("hyperslab_deadline=0");
    Scripted stuck = Scripted.stuck();
    TransferLane.Ongoing<String> ongoing = lane.start(start(stuck, null, () -> {}));
    lane.fail(new OutOfMemoryError("in the progress thread"));
    assertThatThrownBy(ongoing::await)
        .isInstanceOf(HyperslabException.class)
        .hasStackTraceContaining("in the progress thread");
    assertThatThrownBy(() -> lane.run(() -> null)).isInstanceOf(MpiException.class);
  }

  @Test
  void theEngineOutlivesATransferThatIsBroken() throws Exception {
    Hints hints = Hints.parse("hyperslab_deadline=30");
    CountDownLatch asked = new CountDownLatch(1);
    Scripted broken =
        new Scripted(() -> false, true) {
          @Override
          public boolean reports() {
            asked.countDown();
            throw new IllegalStateException("broken on purpose");
          }
        };
    TransferLane first =
        new TransferLane("first", TransferLane.Progress.ENGINE, hints, Ticker.SYSTEM);
    TransferLane.Ongoing<String> lost = first.start(start(broken, null, () -> {}));
    asked.await();
    CompletableFuture<Void> told = new CompletableFuture<>();
    TransferLane second =
        new TransferLane("second", TransferLane.Progress.ENGINE, hints, Ticker.SYSTEM);
    second.start(
        start(Scripted.until(TransferLaneTest::onProgressThread), null, () -> told.complete(null)));
    told.get(1, TimeUnit.MINUTES);
    assertThatThrownBy(lost::await)
        .isInstanceOf(MpiException.class)
        .hasStackTraceContaining("broken on purpose");
  }

  @ParameterizedTest
  @EnumSource(
      value = TransferLane.Progress.class,
      names = {"THREAD", "ENGINE"})
  void continuesIfAListenerThrows(TransferLane.Progress progress) {
    TransferLane lane =
        new TransferLane("lane", progress, Hints.parse("hyperslab_deadline=30"), Ticker.SYSTEM);
    AtomicBoolean over = new AtomicBoolean();
    CompletableFuture<Void> told = new CompletableFuture<>();
    Scripted first = Scripted.until(() -> onProgressThread() && over.get());
    lane.start(
        start(
            first,
            null,
            () -> {
              throw new IllegalStateException("the listener throws");
            }));
    Scripted second =
        Scripted.until(() -> onProgressThread() && first.ends.get() > 0 && over.get());
    TransferLane.Ongoing<String> ongoing =
        lane.start(start(second, null, () -> told.complete(null)));
    over.set(true);
    told.join();
    assertThat(ongoing.await()).isEqualTo("end 1");
    assertThat(lane.isLost()).isFalse();
  }

  /** Keeps the lengths of pauses. */
  private static final class CountedPauses implements Ticker {
    final BlockingQueue<Long> pauses = new LinkedBlockingQueue<>();

    @Override
    public long nanoTime() {
      return SYSTEM.nanoTime();
    }

    @Override
    public void parkNanos(Object blocker, long nanos) {
      pauses.add(nanos);
      SYSTEM.parkNanos(blocker, nanos);
    }

    @Override
    public void unpark(Thread thread) {
      SYSTEM.unpark(thread);
    }

    @Override
    public Thread newThread(String name, Runnable task) {
      return SYSTEM.newThread(name, task);
    }
  }

  @Test
  void theProgressThreadLeavesATransferToItsWorkerUntilThatIsDone() throws InterruptedException {
    CountedPauses ticker = new CountedPauses();
    TransferLane lane =
        new TransferLane("lane", TransferLane.Progress.THREAD, Hints.defaults(), ticker);
    AtomicBoolean worked = new AtomicBoolean();
    Scripted moving =
        new Scripted(worked::get, true) {
          @Override
          public boolean works() {
            return !worked.get();
          }
        };
    CountDownLatch ended = new CountDownLatch(1);
    TransferLane.Ongoing<String> ongoing = lane.start(start(moving, null, ended::countDown));
    // Looks in vain would be 0.5 ms apart at most.
    assertThat(ticker.pauses.poll(5, TimeUnit.MINUTES)).isGreaterThan(10_000_000);
    worked.set(true);
    lane.changed();
    ended.await();
    assertThat(ongoing.hasEnded()).isTrue();
    assertThat(ongoing.await()).isEqualTo("end 1");
  }

  private static boolean onProgressThread() {
    return Thread.currentThread().getName().startsWith("progress");
  }

  @ParameterizedTest
  @ValueSource(strings = {"enable", "disable"})
  void waitsForAnAggregatorThatWritesForLong(String sharedMemory) {
    int length = 5_000_000;
    LeapingTicker ticker = new LeapingTicker();
    AtomicInteger writes = new AtomicInteger();
    MemoryStore bytes = new MemoryStore("store");
    ByteStore slow =
        new StoreDecorator(bytes) {
          @Override
          public void write(long offset, MemorySegment source) {
            if (writes.getAndIncrement() == 0) {
              ticker.pause(TimeUnit.MILLISECONDS.toNanos(600));
            }
            super.write(offset, source);
          }
        };
    Hints hints =
        Hints.parse(
            "hyperslab_deadline=0.2 cb_nodes=1 romio_cb_write=enable hyperslab_shared_memory="
                + sharedMemory);
    ThreadWorld.of(2)
        .withTicker(ticker)
        .withTimeLimit(Duration.ofMinutes(1))
        .run(comm -> {
          try (CollectiveIo io = CollectiveIo.open(comm, slow, hints, FileSystemTraits.local())) {
            io.prepare();
            TransferLane lane =
                new TransferLane("store", TransferLane.Progress.THREAD, hints, comm.ticker());
            StartedTransfer.Helpers helpers =
                io.helpers(TransferLane.workers(comm.ticker()), lane::changed, null);
            byte[] mine = new byte[length];
            MemoryExtents memory = MemoryExtents.contiguous(MemorySegment.ofArray(mine));
            ExtentRuns file = ExtentRuns.of((long) comm.rank() * length, length);
            TransferLane.Ongoing<CollectiveOutcome> ongoing =
                lane.start(
                    new TransferLane.Start<>(
                        true,
                        true,
                        null,
                        () -> {
                          StartedTransfer started = io.startWrite(file, memory, helpers);
                          return started.inLane(started::outcome);
                        },
                        () -> {}));
            assertThat(ongoing.await().all().bytesWritten()).isEqualTo(2 * length);
          }
        });
    assertThat(TimeUnit.NANOSECONDS.toMillis(ticker.nanoTime())).isBetween(600L, 2_000L);
    assertThat(bytes.size()).isEqualTo(2 * length);
  }
}
