package org.hyperslab.mpiio.collective;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.MemoryStore;
import org.hyperslab.format.store.StoreDecorator;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.access.MemoryExtents;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.hint.Hints;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a lane does with transfers that move and end as a test wants. */
final class TransferLaneTest {

  private static TransferLane lane(String hints) {
    return new TransferLane("lane", TransferLane.Progress.WAIT, Hints.parse(hints));
  }

  /** Moves each time that it is asked, until it has ended. */
  private record Scripted(BooleanSupplier over, AtomicInteger moved, AtomicInteger ends)
      implements TransferLane.Moving<String> {

    static Scripted until(BooleanSupplier over) {
      return new Scripted(over, new AtomicInteger(), new AtomicInteger());
    }

    @Override
    public boolean advance(boolean here) {
      moved.incrementAndGet();
      return over.getAsBoolean();
    }

    @Override
    public long moves() {
      return moved.get();
    }

    @Override
    public boolean works() {
      return false;
    }

    @Override
    public Set<Integer> awaited() {
      return Set.of();
    }

    @Override
    public long allowanceNanos() {
      return 0;
    }

    @Override
    public void abandon(RuntimeException why) {}

    @Override
    public String end() {
      return "end " + ends.incrementAndGet();
    }
  }

  private static TransferLane.Start<String> start(Scripted moving, Thread owner, Runnable ended) {
    return new TransferLane.Start<>(true, true, owner, () -> moving, ended);
  }

  @Test
  void endsATransferOnceThoughItsEndStartsAnother() {
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
  void waitsAsLongAsAnotherThreadMakesTheTransferGoOn() {
    TransferLane lane = lane("hyperslab_deadline=0.1");
    CompletableFuture<TransferLane.Ongoing<String>> started = new CompletableFuture<>();
    Thread owner =
        Thread.ofPlatform()
            .unstarted(() -> {
              long end = System.nanoTime() + 500_000_000L;
              Scripted moving = Scripted.until(() -> System.nanoTime() > end);
              TransferLane.Ongoing<String> ongoing =
                  lane.start(start(moving, Thread.currentThread(), () -> {}));
              started.complete(ongoing);
              while (!ongoing.test()) {
                Thread.onSpinWait();
              }
            });
    owner.start();
    assertThat(started.join().await()).isEqualTo("end 1");
  }

  /** A started transfer as the lane moves it. */
  private record Real(StartedTransfer started) implements TransferLane.Moving<Outcome> {
    @Override
    public boolean advance(boolean here) {
      return started.advance(here);
    }

    @Override
    public long moves() {
      return started.moves();
    }

    @Override
    public boolean works() {
      return started.works();
    }

    @Override
    public Set<Integer> awaited() {
      return started.awaited();
    }

    @Override
    public long allowanceNanos() {
      return started.allowanceNanos();
    }

    @Override
    public void abandon(RuntimeException why) {
      started.abandon(why);
    }

    @Override
    public Outcome end() {
      return started.outcome();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"enable", "disable"})
  void waitsForAnAggregatorThatWritesForLong(String sharedMemory) {
    int length = 5_000_000;
    AtomicInteger writes = new AtomicInteger();
    MemoryStore bytes = new MemoryStore("store");
    ByteStore slow =
        new StoreDecorator(bytes) {
          @Override
          public void write(long offset, MemorySegment source) {
            long end = System.nanoTime() + 600_000_000L;
            while (writes.get() == 0 && System.nanoTime() < end) {
              Thread.onSpinWait();
            }
            writes.incrementAndGet();
            super.write(offset, source);
          }
        };
    Hints hints =
        Hints.parse(
            "hyperslab_deadline=0.2 cb_nodes=1 romio_cb_write=enable hyperslab_shared_memory="
                + sharedMemory);
    ThreadWorld.of(2)
        .withTimeLimit(Duration.ofMinutes(1))
        .run(comm -> {
          try (CollectiveIo io = CollectiveIo.open(comm, slow, hints, FileSystemTraits.local())) {
            io.prepare();
            TransferLane lane = new TransferLane("store", TransferLane.Progress.THREAD, hints);
            StartedTransfer.Helpers helpers =
                io.helpers(TransferLane.workers(), lane::changed, null);
            byte[] mine = new byte[length];
            MemoryExtents memory = MemoryExtents.contiguous(MemorySegment.ofArray(mine));
            ExtentRuns file = ExtentRuns.of((long) comm.rank() * length, length);
            TransferLane.Ongoing<Outcome> ongoing =
                lane.start(
                    new TransferLane.Start<>(
                        true,
                        true,
                        null,
                        () -> new Real(io.startWrite(file, memory, helpers)),
                        () -> {}));
            assertThat(ongoing.await().all().bytesWritten()).isEqualTo(2 * length);
          }
        });
    assertThat(bytes.size()).isEqualTo(2 * length);
  }
}
