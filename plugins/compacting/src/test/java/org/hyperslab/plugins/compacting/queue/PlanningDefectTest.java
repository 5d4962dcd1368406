package org.hyperslab.plugins.compacting.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hyperslab.error.InternalErrorException;
import org.hyperslab.plugins.compacting.options.CompactorOptions;
import org.hyperslab.plugins.compacting.plan.BatchPlanner;
import org.hyperslab.plugins.compacting.plan.MergedRead;
import org.hyperslab.plugins.compacting.plan.MergedWrite;
import org.hyperslab.plugins.compacting.plan.Plan;
import org.hyperslab.plugins.compacting.plan.RawRequest;
import org.hyperslab.plugins.compacting.plan.RemainingRead;
import org.hyperslab.plugins.compacting.plan.Requests;
import org.junit.jupiter.api.Test;

/** Tests that a defect in planning is reported, and that other requests are carried out. */
final class PlanningDefectTest {

  private final MemoryLayer memory = MemoryLayer.simple();
  private final Requests requests = new Requests(Requests.KEY, 64);
  private final Deque<Runnable> tasks = new ArrayDeque<>();
  private final CompletableFuture<Void> gate = new CompletableFuture<>();

  /** The number of plans that succeed before one fails. */
  private int good;

  private final Compactor compactor =
      new Compactor(
          new Slow(), CompactorOptions.DEFAULT, tasks::add, (ns, action) -> {}, 1, new Defective());

  PlanningDefectTest() {
    memory.datasets.put(Requests.KEY, new short[64]);
  }

  /** A storage whose writes wait for the gate. */
  private final class Slow implements StorageLayer {
    @Override
    public CompletionStage<?> write(MergedWrite write) {
      return gate.thenCompose(open -> memory.write(write));
    }

    @Override
    public CompletionStage<?> read(MergedRead read) {
      return memory.read(read);
    }
  }

  private final class Defective extends BatchPlanner {
    Defective() {
      super(Compactor.limits(CompactorOptions.DEFAULT));
    }

    private void plans() {
      if (good-- == 0) {
        throw new IllegalStateException("a defect of the planner");
      }
    }

    @Override
    public Plan plan(List<? extends RawRequest> batch) {
      plans();
      return super.plan(batch);
    }

    @Override
    public List<MergedRead> mergeReads(List<RemainingRead> reads) {
      plans();
      return super.mergeReads(reads);
    }
  }

  private void runAll() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }

  private static void assertDefect(CompletableFuture<Reply> reply) {
    assertThatThrownBy(reply::join)
        .hasCauseInstanceOf(InternalErrorException.class)
        .hasMessageContaining("a defect of the planner");
  }

  @Test
  void onlyTheFirstRequestOfABatchFails() {
    gate.complete(null);
    CompletableFuture<Reply> one = compactor.submit(requests.write(1, Requests.range(0, 8), 1));
    CompletableFuture<Reply> two = compactor.submit(requests.write(2, Requests.range(8, 16), 2));
    runAll();
    assertDefect(one);
    assertThat(two).isCompleted();
    assertThat(memory.datasets.get(Requests.KEY)[8]).isEqualTo((short) 2);
    CompletableFuture<Reply> later = compactor.submit(requests.write(1, Requests.range(0, 8), 3));
    runAll();
    assertThat(later).isCompleted();
    assertThat(memory.datasets.get(Requests.KEY)[0]).isEqualTo((short) 3);
  }

  @Test
  void readsThatPassAWriteFailAndLaterOnesDoNot() {
    good = 1;
    CompletableFuture<Reply> write = compactor.submit(requests.write(1, Requests.range(0, 16), 1));
    runAll();
    CompletableFuture<Reply> read = compactor.submit(requests.read(2, Requests.range(40, 44)));
    runAll();
    assertDefect(read);
    CompletableFuture<Reply> again = compactor.submit(requests.read(2, Requests.range(40, 44)));
    runAll();
    assertThat(again).isCompleted();
    gate.complete(null);
    runAll();
    assertThat(write).isCompleted();
  }
}
