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
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.MpiException;
import org.hyperslab.format.store.MemoryStore;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.testkit.Campaign;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;

/**
 * Random programs of collective calls, started and waited for, in which one rank leaves out a call,
 * makes another, passes other arguments, changes the order, throws or ends: no rank waits forever,
 * and every error has a type.
 */
final class DivergenceRandomTest {

  private static final int AT_A_TIME = 60;
  private static final double DEADLINE_SECONDS = 0.1;

  @Test
  void noRankWaitsForever() throws Exception {
    programs(300);
  }

  @Campaign
  @Test
  void noRankWaitsForeverInManyPrograms() throws Exception {
    programs(Effort.times(1, 20_000));
  }

  /** Many at a time: most of them wait for a deadline. */
  private static void programs(int count) throws Exception {
    long seed = Seeds.draw();
    try (ExecutorService together = Executors.newFixedThreadPool(AT_A_TIME)) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        Random random = Seeds.random(seed, i);
        all.add(together.submit(() -> program(random)));
      }
      for (int i = 0; i < count; i++) {
        try {
          all.get(i).get();
        } catch (ExecutionException failed) {
          together.shutdownNow();
          throw new AssertionError("program " + i + " of seed " + seed, failed.getCause());
        }
      }
    }
  }

  private static void program(Random random) {
    int ranks = 2 + random.nextInt(3);
    DivergentProgram program = DivergentProgram.of(random, ranks, DEADLINE_SECONDS);
    MemoryStore store = new MemoryStore("diverging");
    Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();
    String said = "";
    try {
      ThreadWorld.of(ranks)
          .withTimeLimit(Duration.ofSeconds(60))
          .run(comm -> {
            try {
              program.run(
                  comm, (ranked, modes, hints) -> MpiFile.over(ranked, store, modes, hints));
            } catch (RuntimeException | Error e) {
              thrown.add(e);
              throw e;
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
