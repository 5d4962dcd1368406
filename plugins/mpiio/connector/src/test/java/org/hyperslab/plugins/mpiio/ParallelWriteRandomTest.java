package org.hyperslab.plugins.mpiio;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Memory;
import org.hyperslab.Session;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.Durability;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.model.Locking;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.Seeds;
import org.hyperslab.testkit.TemporaryFolder;
import org.junit.jupiter.api.Test;

/**
 * Tests that collective writes, in every layout and with filters and conversions, give the same
 * content as a native connector that writes for one rank after the other.
 */
final class ParallelWriteRandomTest {

  /** A step of a scenario, the same for all ranks. */
  private sealed interface Step {}

  private record Create(RandomDatasets.Made made) implements Step {}

  private record Write(int dataset, List<Selection> shares, List<Object> elements)
      implements Step {}

  private record Extend(int dataset, long[] dims) implements Step {}

  private record Flush() implements Step {}

  @Test
  void ranksWriteTheSameFileAsTheNativeConnector() {
    Seeds.runFixed(Effort.times(12, 60), random -> scenario(random, false));
  }

  @Test
  void otherProgramsReadTheFile() {
    Oracle.h5diff();
    Seeds.runFixed(Effort.times(4, 8), random -> scenario(random, true));
  }

  private static void scenario(Random random, boolean judged) {
    int ranks = 2 + random.nextInt(4);
    boolean old = random.nextInt(4) == 0;
    CreateOptions options =
        CreateOptions.DEFAULT.withAccess(OpenOptions.EDIT.withDurability(Durability.PROCESS));
    if (old) {
      // No older upper bound: some datasets have edges that are not filtered, which need V110.
      options = options.withBounds(FormatVersion.EARLIEST, FormatVersion.V110);
    }
    List<Step> steps = steps(random, ranks);
    try (TemporaryFolder folder = TemporaryFolder.create("parallel")) {
      String sequential = folder.file("native.h5").toString();
      String parallel = folder.file("parallel.h5").toString();
      write(sequential, options, steps);
      MpiioOptions how = options(random);
      CreateOptions same = options;
      ThreadWorld.run(ranks, comm -> write(comm, how, parallel, same, steps));
      compare(sequential, parallel);
      long reads = random.nextLong();
      ThreadWorld.run(ranks, comm -> read(comm, how, sequential, parallel, reads + comm.rank()));
      if (judged) {
        Oracle.h5diff().run("-r", sequential, parallel).orFail();
        Oracle.h5py().run(ALL_READABLE, parallel).orFail();
      }
    }
  }

  private static final String ALL_READABLE =
      """
      import sys, h5py
      with h5py.File(sys.argv[1], "r") as f:
          f.visititems(lambda n, o: o[()] if isinstance(o, h5py.Dataset) else None)
      """;

  private static MpiioOptions options(Random random) {
    Hints hints = Hints.defaults();
    if (random.nextBoolean()) {
      hints = hints.with("cb_buffer_size", Integer.toString(16 << random.nextInt(8)));
    }
    if (random.nextBoolean()) {
      hints = hints.with("romio_cb_write", "enable").with("romio_cb_read", "enable");
    }
    return MpiioOptions.DEFAULT.withHints(hints).withEarlyAllocation(random.nextBoolean());
  }

  private static List<Step> steps(Random random, int ranks) {
    List<Step> steps = new ArrayList<>();
    List<RandomDatasets.Made> made = new ArrayList<>();
    List<long[]> extents = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      int kind = made.isEmpty() ? 0 : random.nextInt(8);
      if (kind < 2) {
        RandomDatasets.Made next = RandomDatasets.dataset(random, made.size());
        made.add(next);
        extents.add(next.space().dims());
        steps.add(new Create(next));
        continue;
      }
      int dataset = random.nextInt(made.size());
      if (kind == 2 && made.get(dataset).isExtendible()) {
        long[] dims = extents.get(dataset);
        long[] maximum = made.get(dataset).space().maxDims();
        for (int d = 0; d < dims.length; d++) {
          dims[d] = maximum[d] == Dataspace.UNLIMITED ? 1 + random.nextInt(20) : dims[d];
        }
        steps.add(new Extend(dataset, dims.clone()));
      } else if (kind == 3) {
        steps.add(new Flush());
      } else {
        steps.add(write(random, ranks, dataset, extents.get(dataset)));
      }
    }
    return steps;
  }

  private static Write write(Random random, int ranks, int dataset, long[] extent) {
    List<Selection> shares = RandomDatasets.shares(random, extent, ranks);
    List<Object> elements = new ArrayList<>();
    int type = random.nextInt(3);
    for (Selection share : shares) {
      int count = (int) share.elementCount(extent);
      elements.add(
          switch (type) {
            case 0 -> random.ints(count, -30000, 30000).toArray();
            case 1 -> random.longs(count, -30000, 30000).toArray();
            default -> random.doubles(count).map(x -> Math.rint(30000 * x)).toArray();
          });
    }
    return new Write(dataset, shares, elements);
  }

  private static void write(String name, CreateOptions options, List<Step> steps) {
    try (Session session = Hdf5.session("native");
        H5File file = session.create(name, options)) {
      List<Dataset> datasets = new ArrayList<>();
      for (Step step : steps) {
        switch (step) {
          case Create(RandomDatasets.Made made) ->
              datasets.add(
                  file.datasetBuilder(made.name())
                      .type(made.type())
                      .space(made.space())
                      .options(made.options())
                      .create());
          case Write write -> {
            for (int rank = 0; rank < write.shares.size(); rank++) {
              datasets.get(write.dataset).write(write.shares.get(rank), write.elements.get(rank));
            }
          }
          case Extend extend -> datasets.get(extend.dataset).setExtent(extend.dims);
          case Flush _ -> file.flush();
        }
      }
    }
  }

  private static void write(
      Communicator comm, MpiioOptions how, String name, CreateOptions options, List<Step> steps) {
    try (MpiioConnector connector = MpiioConnector.over(comm, how);
        Session session = Hdf5.session(connector);
        H5File file = session.create(name, options)) {
      List<Dataset> datasets = new ArrayList<>();
      for (Step step : steps) {
        switch (step) {
          case Create(RandomDatasets.Made made) ->
              datasets.add(
                  file.datasetBuilder(made.name())
                      .type(made.type())
                      .space(made.space())
                      .options(made.options())
                      .create());
          case Write write ->
              await(
                  datasets
                      .get(write.dataset)
                      .writeAsync(
                          write.shares.get(comm.rank()),
                          write.elements.get(comm.rank()),
                          TransferOptions.COLLECTIVE));
          case Extend extend -> datasets.get(extend.dataset).setExtent(extend.dims);
          case Flush _ -> file.flush();
        }
      }
    }
  }

  private static void await(CompletableFuture<Void> written) {
    written.join();
  }

  private static void compare(String sequential, String parallel) {
    try (Session session = Hdf5.session("native");
        H5File expected = session.open(sequential, OpenOptions.READ);
        H5File actual = session.open(parallel, OpenOptions.READ)) {
      List<String> names = expected.root().links().map(link -> link.name()).toList();
      assertThat(actual.root().links().map(link -> link.name()).toList()).isEqualTo(names);
      for (String name : names) {
        assertThat(actual.dataset(name).readDoubles())
            .as(name + " " + expected.dataset(name).datasetInfo())
            .isEqualTo(expected.dataset(name).readDoubles());
      }
    }
  }

  /** Every rank reads something of its own, together with the others, and by itself. */
  private static void read(
      Communicator comm, MpiioOptions how, String sequential, String parallel, long seed) {
    long common = Communicators.sameOnAll(comm, seed);
    Random random = new Random(common);
    try (Session local = Hdf5.session("native");
        H5File expected = local.open(sequential, OpenOptions.READ.withLocking(Locking.OFF));
        MpiioConnector connector = MpiioConnector.over(comm, how);
        Session session = Hdf5.session(connector);
        H5File actual = session.open(parallel, OpenOptions.READ)) {
      for (String name : expected.root().links().map(link -> link.name()).toList()) {
        Dataset there = actual.dataset(name);
        List<Selection> shares = RandomDatasets.shares(random, there.shape(), comm.size());
        Selection mine = shares.get((comm.rank() + 1) % comm.size());
        long[] wanted = expected.dataset(name).readLongs(mine);
        long[] together = new long[wanted.length];
        there
            .readIntoAsync(mine, Memory.of(together, wanted.length), TransferOptions.COLLECTIVE)
            .join();
        assertThat(together).as(name + " together, " + mine).isEqualTo(wanted);
        long[] alone = new long[wanted.length];
        there.readInto(mine, Memory.of(alone, wanted.length));
        assertThat(alone).as(name + " alone, " + mine).isEqualTo(wanted);
      }
    }
  }
}
