package org.hyperslab.mpiio.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.MpiException;
import org.hyperslab.format.store.MemoryStore;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.testkit.Campaign;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;

/**
 * Random programs of collective calls, started and waited for, in which one rank leaves out a call,
 * makes another, throws or ends: no rank waits forever, and every error has a type.
 */
final class DivergenceRandomTest {

  private static final int STEPS = 6;
  private static final int BYTES = 64;
  private static final int AT_A_TIME = 40;

  private enum Call {
    WRITE,
    START_WRITE,
    START_READ,
    SYNC,
    SET_SIZE,
    SET_INFO
  }

  private enum Divergence {
    MISSING,
    OTHER,
    THROWS,
    ENDS
  }

  /** What a rank that throws throws. */
  private static final class Injected extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  @Test
  void noRankWaitsForever() throws Exception {
    programs(120);
  }

  @Campaign
  @Test
  void noRankWaitsForeverInManyPrograms() throws Exception {
    programs(Effort.times(1, 5000));
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
          throw new AssertionError("program " + i + " of seed " + seed, failed.getCause());
        }
      }
    }
  }

  private static void program(Random random) {
    int ranks = 2 + random.nextInt(3);
    List<Call> calls = new ArrayList<>();
    for (int i = 0; i < STEPS; i++) {
      calls.add(Call.values()[random.nextInt(Call.values().length)]);
    }
    Divergence divergence = Divergence.values()[random.nextInt(Divergence.values().length)];
    int rank = random.nextInt(ranks);
    int step = random.nextInt(STEPS);
    Call other = Call.values()[random.nextInt(Call.values().length)];
    String progress = List.of("thread", "engine", "wait").get(random.nextInt(3));
    Hints hints = Hints.parse("hyperslab_deadline=0.5 progress=" + progress);
    MemoryStore store = new MemoryStore("diverging");
    Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();
    String said = "";
    try {
      ThreadWorld.of(ranks)
          .withTimeLimit(Duration.ofSeconds(60))
          .run(comm -> {
            List<Call> mine = new ArrayList<>(calls);
            boolean diverges = comm.rank() == rank;
            if (diverges && divergence == Divergence.MISSING) {
              mine.remove(step);
            } else if (diverges && divergence == Divergence.OTHER) {
              mine.set(step, other);
            }
            int length =
                diverges && divergence.compareTo(Divergence.OTHER) > 0 ? step : mine.size();
            try {
              run(comm, store, hints, mine.subList(0, length));
              if (diverges && divergence == Divergence.THROWS) {
                throw new Injected();
              }
            } catch (RuntimeException | Error e) {
              thrown.add(e);
              throw e;
            }
          });
    } catch (MpiException ended) {
      said = ended.getMessage();
    }
    String program = calls + ", rank " + rank + " " + divergence + " at " + step + " " + progress;
    assertThat(said).as(program).doesNotContain("time limit");
    assertThat(thrown)
        .as(program)
        .allMatch(each -> each instanceof HyperslabException || each instanceof Injected);
  }

  /** The file is closed only by ranks that come to the end: closing is collective, too. */
  private static void run(Communicator comm, MemoryStore store, Hints hints, List<Call> calls) {
    MpiFile file =
        MpiFile.over(comm, store, Set.of(AccessMode.CREATE, AccessMode.READ_WRITE), hints);
    List<FileRequest> requests = new ArrayList<>();
    for (int i = 0; i < calls.size(); i++) {
      long offset = (long) comm.rank() * BYTES;
      MemoryBuffer buffer = MemoryBuffer.of(MemorySegment.ofArray(new byte[BYTES]));
      switch (calls.get(i)) {
        case WRITE -> file.writeAtAll(offset, buffer);
        case START_WRITE -> requests.add(file.startWriteAtAll(offset, buffer));
        case START_READ -> requests.add(file.startReadAtAll(offset, buffer));
        case SYNC -> file.sync();
        case SET_SIZE -> file.setSize(1000);
        case SET_INFO -> file.setInfo(Map.of("cb_nodes", "1"));
      }
      requests.forEach(FileRequest::test);
    }
    requests.forEach(FileRequest::await);
    if (calls.size() == STEPS) {
      file.close();
    }
  }
}
