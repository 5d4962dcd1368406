package org.hyperslab.mpiio.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.MpiException;
import org.hyperslab.format.memory.BufferPool;
import org.hyperslab.format.store.MemoryStore;
import org.hyperslab.mpiio.MpiFile;
import org.hyperslab.mpiio.comm.Request;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.waiting.LeapingTicker;
import org.hyperslab.mpiio.waiting.Ticker;
import org.hyperslab.testkit.Campaign;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;

/**
 * Runs random programs of collective calls, blocking and started, in which one rank omits a call,
 * makes another, passes other arguments, changes the order, throws, ends or is late. No rank may
 * wait forever, every error must be typed, and all buffers are freed. Time leaps to the next
 * deadline when all threads wait, so that a rank can arrive at the moment at which others give it
 * up.
 */
final class DivergenceRandomTest {

  private static final int AT_A_TIME = 8;
  private static final List<String> HINTS =
      List.of(
          "",
          "",
          "",
          "hyperslab_shared_memory=disable romio_cb_write=enable romio_cb_read=enable",
          "hyperslab_shared_memory=disable hyperslab_collective=dynamic cb_nodes=2",
          "hyperslab_collective=individual romio_ds_write=enable",
          "hyperslab_schedules=disable",
          "hyperslab_declared=messages",
          "sharedfp=addproc");

  private static final double DEADLINE_SECONDS = 0.005;

  @Test
  void noRankWaitsForever() throws Exception {
    programs(300);
  }

  @Campaign
  @Test
  void noRankWaitsForeverInManyPrograms() throws Exception {
    programs(Effort.times(1, 100_000));
  }

  /**
   * The number of concurrent programs, so that a processor can run another rank while one waits.
   */
  private static void programs(int count) throws Exception {
    long seed = Seeds.draw();
    long lent = BufferPool.lentByAll();
    try (ExecutorService together = Executors.newFixedThreadPool(AT_A_TIME)) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        Random random = Seeds.random(seed, i);
        all.add(together.submit(() -> program(new LeapingTicker(), random)));
      }
      for (int i = 0; i < count; i++) {
        try {
          all.get(i).get(5, TimeUnit.MINUTES);
        } catch (ExecutionException | TimeoutException failed) {
          together.shutdownNow();
          throw new AssertionError("program " + i + " of seed " + seed, failed);
        }
      }
    }
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (BufferPool.lentByAll() > lent && System.nanoTime() - end < 0) {
      Request.testGivenUp(); // threads of files that were left open may go on briefly
      Thread.yield();
    }
    assertThat(BufferPool.lentByAll())
        .as("buffers in use after %s programs of seed %s", count, seed)
        .isEqualTo(lent);
  }

  private static void program(Ticker ticker, Random random) {
    int ranks = 2 + random.nextInt(3);
    DivergentProgram program =
        DivergentProgram.of(random, ranks, DEADLINE_SECONDS)
            .with(HINTS.get(random.nextInt(HINTS.size())));
    MemoryStore store = new MemoryStore("diverging");
    Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();
    String said = "";
    try {
      ThreadWorld.of(ranks)
          .withTimeLimit(Duration.ofSeconds(60))
          .withTicker(ticker)
          .run(comm -> {
            try {
              program.run(
                  comm, (ranked, modes, hints) -> MpiFile.over(ranked, store, modes, hints));
            } catch (RuntimeException | Error e) {
              thrown.add(e); // not thrown on, for the world would end the waits of the others
            }
          });
    } catch (MpiException ended) {
      said = ended.getMessage();
    }
    // The world of threads notices many hangs itself, long after the deadline.
    assertThat(said).as(program.toString()).doesNotContain("time limit", "deadlock");
    assertThat(thrown)
        .as(program.toString())
        .allMatch(each ->
            each instanceof HyperslabException || each instanceof DivergentProgram.Injected);
  }
}
