package org.hyperslab.plugins.compacting.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hyperslab.plugins.compacting.options.CompactorOptions;
import org.hyperslab.plugins.compacting.plan.MergedRead;
import org.hyperslab.plugins.compacting.plan.MergedWrite;
import org.hyperslab.plugins.compacting.plan.ReadRequest;
import org.hyperslab.plugins.compacting.plan.Requests;
import org.hyperslab.plugins.compacting.report.RequestOutcome;
import org.junit.jupiter.api.Test;

/** Tests that reads do not wait for a large write in progress that does not concern them. */
final class BypassReadsTest {

  private final MemoryLayer memory = MemoryLayer.simple();
  private final Requests requests = new Requests(Requests.KEY, 64);
  private final Deque<Runnable> tasks = new ArrayDeque<>();
  private final Stuck layer = new Stuck();
  private final Compactor compactor =
      new Compactor(layer, CompactorOptions.DEFAULT, tasks::add, (ns, action) -> {}, 1);

  /** A storage in which everything that is stopped takes until it is let go. */
  private final class Stuck implements StorageLayer {
    final List<CompletableFuture<Void>> writes = new ArrayList<>();
    final List<CompletableFuture<Void>> reads = new ArrayList<>();
    boolean stopsReads;

    @Override
    public CompletionStage<?> write(MergedWrite write) {
      CompletableFuture<Void> gate = new CompletableFuture<>();
      writes.add(gate);
      return gate.thenCompose(open -> memory.write(write));
    }

    @Override
    public CompletionStage<?> read(MergedRead read) {
      CompletableFuture<Void> gate = new CompletableFuture<>();
      reads.add(gate);
      if (!stopsReads) {
        gate.complete(null);
      }
      return gate.thenCompose(open -> memory.read(read));
    }
  }

  BypassReadsTest() {
    short[] data = new short[64];
    Arrays.fill(data, (short) 7);
    memory.datasets.put(Requests.KEY, data);
  }

  private void runAll() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }

  private CompletableFuture<Reply> writeUnderWay() {
    CompletableFuture<Reply> reply = compactor.submit(requests.write(1, Requests.range(0, 16), 1));
    runAll();
    assertThat(layer.writes).hasSize(1);
    return reply;
  }

  @Test
  void readsOfOtherElementsGoTogetherPastAWrite() {
    CompletableFuture<Reply> write = writeUnderWay();
    ReadRequest first = requests.read(2, Requests.range(40, 44));
    ReadRequest second = requests.read(3, Requests.range(48, 52));
    CompletableFuture<Reply> one = compactor.submit(first);
    CompletableFuture<Reply> two = compactor.submit(second);
    runAll();
    assertThat(one.join().trace().outcome()).isEqualTo(RequestOutcome.PASSED_BY);
    assertThat(two).isCompleted();
    assertThat(memory.reads).hasSize(1);
    assertThat(Requests.values(first)).containsOnly(7);
    assertThat(Requests.values(second)).containsOnly(7);
    assertThat(write).isNotDone();
  }

  @Test
  void readTakesQueuedElementsAndReadsTheRest() {
    writeUnderWay();
    compactor.submit(requests.write(1, Requests.range(8, 24), 9));
    ReadRequest read = requests.read(2, Requests.range(20, 28));
    CompletableFuture<Reply> reply = compactor.submit(read);
    runAll();
    assertThat(reply.join().trace().outcome()).isEqualTo(RequestOutcome.PARTLY_STOLEN);
    assertThat(Requests.values(read)).containsExactly(9, 9, 9, 9, 7, 7, 7, 7);
    assertThat(memory.reads).hasSize(1);
    assertThat(memory.reads.getFirst().region().elements()).isEqualTo(4);
    assertThat(layer.writes).as("the queued write still waits").hasSize(1);
  }

  @Test
  void laterWriteWaitsForBypassingReads() {
    writeUnderWay();
    layer.stopsReads = true;
    ReadRequest read = requests.read(2, Requests.range(40, 44));
    CompletableFuture<Reply> answered = compactor.submit(read);
    compactor.submit(requests.write(1, Requests.range(32, 64), 3));
    runAll();
    layer.writes.getFirst().complete(null);
    runAll();
    assertThat(layer.writes).as("nothing overtakes the read").hasSize(1);
    layer.reads.getFirst().complete(null);
    runAll();
    assertThat(answered).isCompleted();
    assertThat(Requests.values(read)).containsOnly(7);
    assertThat(layer.writes).hasSize(2);
  }

  @Test
  void readsDoNotKeepAQueuedWriteWaitingForEver() {
    writeUnderWay();
    layer.stopsReads = true;
    compactor.submit(requests.read(2, Requests.range(40, 44)));
    compactor.submit(requests.write(1, Requests.range(0, 8), 3));
    runAll();
    layer.writes.getFirst().complete(null);
    layer.stopsReads = false;
    CompletableFuture<Reply> later = compactor.submit(requests.read(3, Requests.range(48, 52)));
    runAll();
    assertThat(later).as("nothing is under way that it could pass").isNotDone();
    layer.reads.getFirst().complete(null);
    runAll();
    assertThat(layer.writes).as("the write's turn has come").hasSize(2);
  }
}
