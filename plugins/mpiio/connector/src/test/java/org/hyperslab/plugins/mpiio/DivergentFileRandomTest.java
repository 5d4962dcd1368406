package org.hyperslab.plugins.mpiio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.MpiException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.testkit.Campaign;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Seeds;
import org.hyperslab.testkit.TemporaryFolder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Random programs of collective calls of the HDF5 API in which one rank leaves out a call, makes
 * another, passes other arguments, changes the order, comes late, or leaves without closing: no
 * rank waits forever, every error has a type, and what was flushed before the first call is in the
 * file.
 */
final class DivergentFileRandomTest {

  /** Enough elements for a transfer that continues after its call. */
  private static final int LARGE = 1 << 17;

  private static final int STEPS = 5;
  private static final double DEADLINE_SECONDS = 0.15;
  private static final List<String> HINTS =
      List.of("", "progress=engine", "progress=wait", "hyperslab_shared_memory=disable");

  private final TemporaryFolder folder = TemporaryFolder.create("divergent-file");

  @AfterEach
  void deleteFolder() {
    folder.close();
  }

  private enum Call {
    WRITE,
    READ,
    START_WRITE,
    START_READ,
    FLUSH,
    EXTENT,
    ATTRIBUTE,
    GROUP,
    DATASET,
    DATASET_LATER,
    DELETE
  }

  private enum Divergence {
    MISSING,
    OTHER,
    ARGUMENTS,
    ORDER,
    LATE,
    LEAVES
  }

  /** What all ranks call, and how one of them differs. */
  private record Program(
      List<Call> calls, Divergence divergence, int rank, int step, Call other, String hints) {

    static Program of(Random random, int ranks) {
      List<Call> calls = new ArrayList<>();
      for (int i = 0; i < STEPS; i++) {
        calls.add(any(Call.values(), random));
      }
      return new Program(
          calls,
          any(Divergence.values(), random),
          random.nextInt(ranks),
          random.nextInt(STEPS),
          any(Call.values(), random),
          "hyperslab_deadline=" + DEADLINE_SECONDS + " " + HINTS.get(random.nextInt(HINTS.size())));
    }

    private static <T> T any(T[] values, Random random) {
      return values[random.nextInt(values.length)];
    }

    List<Call> of(int me) {
      List<Call> mine = new ArrayList<>(calls);
      if (me == rank) {
        switch (divergence) {
          case MISSING -> mine.remove(step);
          case OTHER -> mine.set(step, other);
          case ORDER -> Collections.swap(mine, step, (step + 1) % STEPS);
          case LEAVES -> mine.subList(step, STEPS).clear();
          case ARGUMENTS, LATE -> {}
        }
      }
      return mine;
    }
  }

  /** One rank with an open file. */
  private static final class Rank {
    private final Communicator comm;
    private final H5File file;
    private final Dataset small;
    private final Dataset large;
    private final Dataset growing;
    private int made;

    Rank(Communicator comm, H5File file) {
      this.comm = comm;
      this.file = file;
      this.small = file.createDataset("small", int.class, 8L * comm.size());
      this.large = file.createDataset("large", double.class, (long) LARGE * comm.size());
      this.growing =
          file.datasetBuilder("growing")
              .type(int.class)
              .shape(8)
              .maxShape(Dataspace.UNLIMITED)
              .options(options -> options.chunked(8))
              .create();
      int[] ones = new int[8];
      Arrays.fill(ones, 1);
      small.write(mine(8), ones, TransferOptions.COLLECTIVE);
      file.flush();
    }

    private Selection mine(long count) {
      return Selection.box(new long[] {comm.rank() * count}, new long[] {count});
    }

    private void call(Call call, String suffix) {
      String name = call + "-" + made++ + suffix;
      switch (call) {
        case WRITE -> small.write(mine(8), new int[8], TransferOptions.COLLECTIVE);
        case READ -> small.readInto(mine(8), new int[8], TransferOptions.COLLECTIVE);
        case START_WRITE ->
            large.writeAsync(mine(LARGE), new double[LARGE], TransferOptions.COLLECTIVE);
        case START_READ ->
            large.readIntoAsync(mine(LARGE), new double[LARGE], TransferOptions.COLLECTIVE).join();
        case FLUSH -> file.flush();
        case EXTENT -> growing.setExtent(8L * (2 + made) + suffix.length());
        case ATTRIBUTE -> small.setAttribute(name, 1);
        case GROUP -> file.createGroup(name);
        case DATASET -> file.createDataset(name, int.class, 4);
        case DATASET_LATER ->
            file.root().datasetBuilder(name).type(Datatypes.I32LE).shape(4).createAsync();
        case DELETE -> {
          file.createGroup(name);
          file.root().delete(name);
        }
      }
    }
  }

  @Test
  void noRankWaitsForever() {
    Seeds.runFixed(Effort.times(40, 100), this::check);
  }

  @Campaign
  @Test
  void noRankWaitsForeverInManyPrograms() {
    Seeds.run(Effort.times(1, 1000), this::check);
  }

  private void check(Random random) {
    int ranks = 2 + random.nextInt(3);
    Program program = Program.of(random, ranks);
    Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();
    AtomicInteger prepared = new AtomicInteger();
    String said = "";
    try {
      ThreadWorld.of(ranks)
          .withTimeLimit(Duration.ofMinutes(2))
          .run(comm -> {
            try {
              run(comm, program, prepared);
            } catch (RuntimeException | Error failure) {
              thrown.add(failure);
            }
          });
    } catch (MpiException ended) {
      said = ended.getMessage();
    }
    assertThat(said).as("%s", program).doesNotContain("time limit", "deadlock");
    assertThat(thrown).as("%s", program).allMatch(DivergentFileRandomTest::isTyped);
    boolean locked = program.rank == 0 && program.divergence == Divergence.LEAVES;
    if (locked || prepared.get() < ranks) {
      return; // or a rank came late to the first calls, because the machine is busy
    }
    assertThatCode(
            () -> {
              try (H5File file = Hdf5.open(folder.file("file.h5"))) {
                int[] first = file.dataset("small").read(int[].class);
                assertThat(first).hasSize(8 * ranks).containsAnyOf(0, 1);
              }
            })
        .as("%s", program)
        .doesNotThrowAnyException();
  }

  private static boolean isTyped(Throwable failure) {
    Throwable cause = failure instanceof CompletionException wrapper ? wrapper.getCause() : failure;
    return cause instanceof HyperslabException;
  }

  @SuppressWarnings("resource") // a rank that leaves closes nothing
  private void run(Communicator comm, Program program, AtomicInteger prepared) {
    MpiioOptions options = MpiioOptions.DEFAULT.withHints(Hints.parse(program.hints));
    Session session = Hdf5.session(MpiioConnector.over(comm, options));
    H5File file = session.create(folder.file("file.h5"));
    boolean differs = comm.rank() == program.rank;
    RuntimeException failure = null;
    try {
      Rank rank = new Rank(comm, file);
      prepared.incrementAndGet();
      int step = 0;
      for (Call call : program.of(comm.rank())) {
        boolean here = differs && step++ == program.step;
        if (here && program.divergence == Divergence.LATE) {
          comeLate(comm);
        }
        rank.call(call, here && program.divergence == Divergence.ARGUMENTS ? "x" : "");
      }
    } catch (HyperslabException | CompletionException typed) {
      failure = typed;
    }
    if (differs && program.divergence == Divergence.LEAVES) {
      return;
    }
    try {
      file.close();
    } catch (HyperslabException closing) {
      failure = failure == null ? closing : failure;
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** Waits until the others may have given this rank up. */
  private static void comeLate(Communicator comm) {
    long nanos = (long) (DEADLINE_SECONDS * 1e9);
    long start = System.nanoTime();
    for (long left = nanos; left > 0; left = nanos - (System.nanoTime() - start)) {
      comm.ticker().parkNanos(comm, left);
    }
  }
}
