package org.hyperslab.plugins.compacting.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.space.Selection;
import org.hyperslab.plugins.compacting.options.CompactorOptions;
import org.hyperslab.plugins.compacting.options.FullPolicy;
import org.hyperslab.plugins.compacting.options.GatherPolicy;
import org.hyperslab.plugins.compacting.plan.DataKey;
import org.hyperslab.plugins.compacting.plan.MergedRead;
import org.hyperslab.plugins.compacting.plan.MergedWrite;
import org.hyperslab.plugins.compacting.plan.ReadRequest;
import org.hyperslab.plugins.compacting.plan.Requests;
import org.hyperslab.plugins.compacting.report.RequestOrigin;
import org.hyperslab.plugins.compacting.report.RequestOutcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The compactor as a whole. The tests of {@link OriginalsDefects} are named after the defects of
 * the HDF5 server of 2013, which ours must not have.
 */
@Timeout(300)
final class CompactorTest {

  private final MemoryLayer layer = MemoryLayer.simple();
  private final Requests requests = new Requests(Requests.KEY, 64);
  private final List<Runnable> timers = new ArrayList<>();

  CompactorTest() {
    layer.datasets.put(Requests.KEY, new short[64]);
  }

  private Compactor gathering(int number) {
    return with(CompactorOptions.DEFAULT.withGather(new GatherPolicy(number, 0)));
  }

  private Compactor with(CompactorOptions options) {
    return new Compactor(layer, options, Runnable::run, (ns, action) -> timers.add(action));
  }

  private static RequestOutcome outcome(CompletableFuture<Reply> reply) {
    assertThat(reply).isCompleted();
    return reply.join().trace().outcome();
  }

  @Test
  void gathersUntilTheNumberIsReached() {
    Compactor compactor = gathering(3);
    compactor.submit(requests.write(1, Requests.range(0, 8), 1));
    compactor.submit(requests.write(2, Requests.range(8, 16), 2));
    assertThat(layer.writes).isEmpty();
    CompletableFuture<Reply> last = compactor.submit(requests.write(3, Requests.range(16, 24), 3));
    assertThat(outcome(last)).isEqualTo(RequestOutcome.MERGED);
    assertThat(layer.writes).hasSize(1);
    assertThat(layer.datasets.get(Requests.KEY)).startsWith(1, 1, 1, 1, 1, 1, 1, 1, 2, 2);
  }

  @Test
  void gathersUntilTheTimeHasPassed() {
    Compactor compactor = with(CompactorOptions.DEFAULT.withGather(new GatherPolicy(100, 1000)));
    CompletableFuture<Reply> one = compactor.submit(requests.write(1, Requests.range(0, 8), 1));
    CompletableFuture<Reply> two = compactor.submit(requests.write(1, Requests.range(8, 9), 1));
    assertThat(timers).hasSize(1);
    timers.removeFirst().run();
    assertThat(one).isCompleted();
    assertThat(two).isCompleted();
    assertThat(layer.writes).hasSize(1);
  }

  @Test
  void anOrderedRequestEndsGathering() {
    Compactor compactor = gathering(100);
    CompletableFuture<Reply> write = compactor.submit(requests.write(1, Requests.range(0, 8), 1));
    CompletableFuture<Reply> flush =
        compactor.submit(
            new OrderedRequest(
                new RequestOrigin(1, 2),
                new OrderScope.File(1),
                () -> CompletableFuture.completedFuture("flushed")));
    assertThat(write).isCompleted();
    assertThat(flush.join().result()).isEqualTo("flushed");
  }

  @Test
  void failureIsReportedBeforeLaterRequestsAreExecuted() {
    Compactor compactor = gathering(1);
    List<String> order = new ArrayList<>();
    CompletableFuture<Object> edit = new CompletableFuture<>();
    compactor
        .submit(
            new OrderedRequest(
                new RequestOrigin(1, 1), new OrderScope.Dataset(Requests.KEY), () -> edit))
        .whenComplete((reply, failure) -> order.add("told"));
    CompletableFuture<Reply> flush =
        compactor.submit(
            new OrderedRequest(
                new RequestOrigin(1, 2),
                new OrderScope.File(1),
                () -> CompletableFuture.completedFuture(order.add("flushed"))));
    assertThat(flush).isNotDone();
    edit.completeExceptionally(new StorageException("full"));
    assertThat(flush).isCompleted();
    assertThat(order).containsExactly("told", "flushed");
  }

  @Test
  void submittingThreadLeavesLaterRequestsToOthers() {
    Scheduler others = new Scheduler(new Random(1));
    List<CompletableFuture<Reply>> meanwhile = new ArrayList<>();
    Compactor[] compactor = new Compactor[1];
    StorageLayer busy =
        new StorageLayer() {
          @Override
          public CompletionStage<?> write(MergedWrite write) {
            if (meanwhile.isEmpty()) {
              meanwhile.add(compactor[0].submit(requests.write(2, Requests.range(4, 8), 2)));
            }
            return layer.write(write);
          }

          @Override
          public CompletionStage<?> read(MergedRead read) {
            return layer.read(read);
          }
        };
    compactor[0] = new Compactor(busy, CompactorOptions.DEFAULT, others, others);
    CompletableFuture<Reply> mine =
        compactor[0].submitAndRun(requests.write(1, Requests.range(0, 8), 1));
    assertThat(mine).isCompleted();
    assertThat(meanwhile.getFirst()).isNotDone();
    assertThat(layer.datasets.get(Requests.KEY)).startsWith(1, 1, 1, 1, 1, 1, 1, 1, 0);
    others.runAll();
    assertThat(meanwhile.getFirst()).isCompleted();
    assertThat(layer.datasets.get(Requests.KEY)).startsWith(1, 1, 1, 1, 2, 2, 2, 2, 0);
    CompletableFuture<Reply> next =
        compactor[0].submitAndRun(requests.write(1, Requests.range(8, 9), 3));
    assertThat(next).as("the lane has come to rest").isCompleted();
  }

  @Test
  void fullQueueRefusesRequestsIfConfigured() {
    Compactor compactor =
        with(
            CompactorOptions.DEFAULT
                .withGather(new GatherPolicy(100, 0))
                .withQueue(40, 100, FullPolicy.REJECT));
    CompletableFuture<Reply> fits = compactor.submit(requests.write(1, Requests.range(0, 20), 1));
    CompletableFuture<Reply> refused =
        compactor.submit(requests.write(1, Requests.range(20, 21), 1));
    assertThatThrownBy(refused::join)
        .hasCauseInstanceOf(StorageException.class)
        .hasMessageContaining("queue of the compactor: actual=full");
    compactor.release();
    assertThat(fits).isCompleted();
    assertThat(compactor.submit(requests.write(1, Requests.range(20, 21), 1))).isNotDone();
    assertThat(compactor.counts().queuedBytes()).isEqualTo(2);
  }

  @Test
  void aFullQueueBlocksAndEndsGathering() {
    Compactor compactor =
        with(
            CompactorOptions.DEFAULT
                .withGather(new GatherPolicy(100, 0))
                .withQueue(40, 100, FullPolicy.BLOCK));
    CompletableFuture<Reply> first = compactor.submit(requests.write(1, Requests.range(0, 20), 1));
    // There is no room for it until the first has been carried out, which nothing else would start.
    compactor.submit(requests.write(1, Requests.range(20, 21), 1));
    assertThat(first).isCompleted();
  }

  @Test
  void requestsWithoutRoomPassThroughInOrder() {
    Compactor compactor =
        with(
            CompactorOptions.DEFAULT
                .withGather(new GatherPolicy(100, 0))
                .withQueue(40, 100, FullPolicy.PASS_THROUGH));
    CompletableFuture<Reply> first = compactor.submit(requests.write(1, Requests.range(0, 20), 1));
    CompletableFuture<Reply> second =
        compactor.submit(requests.write(2, Requests.range(10, 30), 2));
    assertThat(first).isCompleted();
    assertThat(second).isCompleted();
    assertThat(layer.datasets.get(Requests.KEY)[15]).isEqualTo((short) 2);
  }

  @Test
  void aClosedCompactorRefuses() {
    Compactor compactor = gathering(100);
    CompletableFuture<Reply> waiting = compactor.submit(requests.write(1, Requests.range(0, 8), 1));
    compactor.close();
    assertThat(waiting).isCompleted();
    assertThatThrownBy(compactor.submit(requests.write(1, Requests.range(0, 8), 1))::join)
        .hasCauseInstanceOf(InvalidUseException.class);
  }

  @Test
  void concurrentRequestsInASmallQueueLeaveTheRightBytes() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(2);
    Random random = new Random(7);
    layer.datasets.put(Requests.KEY, new short[64]);
    StorageLayer locked =
        new StorageLayer() {
          @Override
          public CompletionStage<?> write(MergedWrite write) {
            synchronized (layer) {
              return layer.write(write);
            }
          }

          @Override
          public CompletionStage<?> read(MergedRead read) {
            synchronized (layer) {
              return layer.read(read);
            }
          }
        };
    Compactor compactor =
        new Compactor(
            locked,
            CompactorOptions.DEFAULT.withQueue(200, 8, FullPolicy.BLOCK),
            pool,
            (ns, action) -> {});
    List<Thread> clients = new ArrayList<>();
    List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    for (int client = 0; client < 4; client++) {
      int mine = client;
      Requests own = new Requests(Requests.KEY, 64);
      long seed = random.nextLong();
      clients.add(
          Thread.ofPlatform()
              .start(() -> {
                try {
                  writeAndReadOwnPart(compactor, own, mine, new Random(seed));
                } catch (Throwable failure) {
                  failures.add(failure);
                }
              }));
    }
    for (Thread client : clients) {
      client.join();
    }
    assertThat(failures).isEmpty();
    compactor.close();
    pool.shutdown();
    assertThat(compactor.counts().replied()).isEqualTo(compactor.counts().submitted());
    assertThat(layer.complaints).isEmpty();
  }

  /** Each client has its own elements, so that the expected content is known. */
  private static void writeAndReadOwnPart(
      Compactor compactor, Requests own, int client, Random random) {
    for (int i = 0; i < 500; i++) {
      int from = 16 * client + random.nextInt(12);
      Selection part = Requests.range(from, from + 1 + random.nextInt(4));
      compactor.submit(own.write(client, part, i));
      ReadRequest read = own.read(client, part);
      compactor.submit(read).orTimeout(3, TimeUnit.MINUTES).join();
      assertThat(Requests.values(read)).containsOnly((short) i);
    }
  }

  /** The defects of the original. */
  @org.junit.jupiter.api.Nested
  final class OriginalsDefects {

    @Test
    void aReadQueuedBeforeAnOverlappingWriteDoesNotSeeIt() {
      Compactor compactor = gathering(3);
      compactor.submit(requests.write(1, Requests.range(0, 4), 1));
      ReadRequest before = requests.read(2, Requests.range(0, 8));
      compactor.submit(before);
      compactor.submit(requests.write(1, Requests.range(0, 8), 9));
      assertThat(Requests.values(before)).containsExactly(1, 1, 1, 1, 0, 0, 0, 0);
      assertThat(layer.datasets.get(Requests.KEY)[0]).isEqualTo((short) 9);
    }

    @Test
    void overlapsAreAttributedToTheirClientsAndForgottenAfterTheBatch() {
      Compactor compactor = gathering(2);
      // Sequence numbers are next to each other; the clients differ, so nothing folds.
      CompletableFuture<Reply> one = compactor.submit(requests.write(1, Requests.range(0, 8), 1));
      CompletableFuture<Reply> two = compactor.submit(requests.write(2, Requests.range(4, 12), 2));
      assertThat(outcome(one)).isEqualTo(RequestOutcome.ALONE);
      assertThat(outcome(two)).isEqualTo(RequestOutcome.AFTER_OTHER_CLIENT);
      // In the next batch nothing overlaps: it is merged as if nothing had been.
      CompletableFuture<Reply> three =
          compactor.submit(requests.write(1, Requests.range(20, 24), 3));
      compactor.submit(requests.write(2, Requests.range(24, 28), 4));
      assertThat(outcome(three)).isEqualTo(RequestOutcome.MERGED);
      assertThat(layer.writes).hasSize(3);
    }

    @Test
    void anErrorStillRepliesToEveryClientOfTheBatch() {
      List<MergedWrite> calls = new ArrayList<>();
      StorageLayer failing =
          new StorageLayer() {
            @Override
            public CompletionStage<?> write(MergedWrite write) {
              calls.add(write);
              throw new StorageException("disk: actual=full, expected=room");
            }

            @Override
            public CompletionStage<?> read(MergedRead read) {
              return CompletableFuture.failedFuture(new StorageException("disk: actual=broken"));
            }
          };
      Compactor compactor =
          new Compactor(
              failing,
              CompactorOptions.DEFAULT.withGather(new GatherPolicy(5, 0)),
              Runnable::run,
              (ns, action) -> {});
      List<CompletableFuture<Reply>> replies = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        replies.add(compactor.submit(requests.write(i, Requests.range(8 * i, 8 * i + 8), i)));
      }
      replies.add(compactor.submit(requests.read(4, Requests.range(40, 48))));
      replies.add(compactor.submit(requests.read(5, Requests.range(44, 50))));
      assertThat(replies).allMatch(CompletableFuture::isCompletedExceptionally);
      assertThat(calls).as("one merged, then each by itself").hasSize(4);
      assertThat(compactor.counts().replied()).isEqualTo(5);
      assertThat(compactor.counts().queuedBytes()).isZero();
    }

    @Test
    void batchOfTwoDatasetsWritesEachOnceAndRepliesOnce() {
      DataKey other = new DataKey(1, 2);
      layer.datasets.put(other, new short[64]);
      Requests others = new Requests(other, 64);
      Compactor compactor = gathering(2);
      List<Integer> replies = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        Selection part = Requests.range(8 * i, 8 * i + 8);
        compactor.submit(requests.write(1, part, 1)).thenRun(() -> replies.add(1));
        compactor.submit(others.write(1, part, 2)).thenRun(() -> replies.add(2));
      }
      assertThat(layer.writes).hasSize(2);
      assertThat(layer.writes.stream().mapToLong(MergedWrite::bytes)).containsExactly(32L, 32L);
      assertThat(replies).containsExactlyInAnyOrder(1, 1, 2, 2);
    }

    @Test
    void selectionsAllAndNoneAreServed() {
      Compactor compactor = gathering(3);
      CompletableFuture<Reply> nothing = compactor.submit(requests.write(1, Selection.none(), 1));
      CompletableFuture<Reply> all = compactor.submit(requests.write(1, Selection.all(), 5));
      ReadRequest read = requests.read(2, Selection.all());
      CompletableFuture<Reply> stolen = compactor.submit(read);
      CompletableFuture<Reply> empty = compactor.submit(requests.read(2, Selection.none()));
      assertThat(outcome(nothing)).isEqualTo(RequestOutcome.EMPTY);
      assertThat(outcome(empty)).isEqualTo(RequestOutcome.EMPTY);
      assertThat(outcome(all)).isEqualTo(RequestOutcome.ALONE);
      assertThat(outcome(stolen)).isEqualTo(RequestOutcome.STOLEN);
      assertThat(Requests.values(read)).containsOnly((short) 5).hasSize(64);
    }

    @Test
    void stealingFromSeveralWritesReadsNothingTwice() {
      Compactor compactor = gathering(4);
      compactor.submit(requests.write(1, Requests.range(0, 10), 1));
      compactor.submit(requests.write(2, Requests.range(20, 30), 2));
      compactor.submit(requests.write(3, Requests.range(5, 25), 3));
      ReadRequest read = requests.read(4, Requests.range(0, 40));
      CompletableFuture<Reply> reply = compactor.submit(read);
      assertThat(outcome(reply)).isEqualTo(RequestOutcome.PARTLY_STOLEN);
      assertThat(layer.reads).hasSize(1);
      assertThat(layer.reads.getFirst().region().elements()).isEqualTo(10);
      assertThat(layer.reads.getFirst().targets()).hasSize(1);
      short[] expected = new short[40];
      Arrays.fill(expected, 0, 5, (short) 1);
      Arrays.fill(expected, 5, 25, (short) 3);
      Arrays.fill(expected, 25, 30, (short) 2);
      assertThat(Requests.values(read)).isEqualTo(expected);
    }

    @Test
    void writesOfDisjointRegionsRunOnSeveralThreads() throws InterruptedException {
      CountDownLatch twoAtOnce = new CountDownLatch(2);
      StorageLayer slow =
          new StorageLayer() {
            @Override
            public CompletionStage<?> write(MergedWrite write) {
              twoAtOnce.countDown();
              try {
                if (!twoAtOnce.await(2, TimeUnit.MINUTES)) {
                  throw new IllegalStateException("the other did not come");
                }
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
              return CompletableFuture.completedFuture(null);
            }

            @Override
            public CompletionStage<?> read(MergedRead read) {
              throw new AssertionError();
            }
          };
      try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
        Compactor compactor =
            new Compactor(
                slow,
                CompactorOptions.OFF.withGather(new GatherPolicy(2, 0)),
                pool,
                (ns, action) -> {});
        // Two writes on one dataset, of regions that have nothing in common, are under way at once.
        CompletableFuture<Reply> one = compactor.submit(requests.write(1, Requests.range(0, 8), 1));
        CompletableFuture<Reply> two =
            compactor.submit(requests.write(2, Requests.range(8, 16), 1));
        one.orTimeout(3, TimeUnit.MINUTES).join();
        two.orTimeout(3, TimeUnit.MINUTES).join();
      }
    }

    @Test
    void anOperationOnAnotherRegionDoesNotWait() {
      Scheduler scheduler = new Scheduler(new Random(1));
      CompletableFuture<Void> disk = new CompletableFuture<>();
      StorageLayer stuck =
          new StorageLayer() {
            @Override
            public CompletionStage<?> write(MergedWrite write) {
              return disk;
            }

            @Override
            public CompletionStage<?> read(MergedRead read) {
              return disk;
            }
          };
      Compactor compactor = new Compactor(stuck, CompactorOptions.DEFAULT, scheduler, scheduler);
      CompletableFuture<Reply> write = compactor.submit(requests.write(1, Requests.range(0, 8), 1));
      scheduler.runAll();
      CompletableFuture<Reply> elsewhere = ordered(compactor, Requests.range(8, 16));
      CompletableFuture<Reply> here = ordered(compactor, Requests.range(4, 5));
      scheduler.runAll();
      assertThat(write).isNotDone();
      assertThat(elsewhere).isCompleted();
      assertThat(here).isNotDone();
      disk.complete(null);
      scheduler.runAll();
      assertThat(write).isCompleted();
      assertThat(here).isCompleted();
    }

    private CompletableFuture<Reply> ordered(Compactor compactor, Selection part) {
      OrderScope scope = new OrderScope.Part(Requests.KEY, requests.region(part));
      return compactor.submit(new OrderedRequest(new RequestOrigin(1, 1), scope, () -> null));
    }
  }
}
