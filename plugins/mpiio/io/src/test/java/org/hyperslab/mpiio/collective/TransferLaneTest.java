package org.hyperslab.mpiio.collective;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.hyperslab.mpiio.hint.Hints;
import org.junit.jupiter.api.Test;

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
}
