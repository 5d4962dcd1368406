package org.hyperslab.plugins.forwarding.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.Durability;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.testkit.TemporaryFolder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests threads, and clients of one server, that append to one dataset concurrently. */
@Timeout(300)
final class AppendersTest {

  private static final int THREADS = 16;
  private static final int CALLS = 50;

  private static final CreateOptions FRESH =
      CreateOptions.DEFAULT.withAccess(OpenOptions.EDIT.withDurability(Durability.PROCESS));

  @ParameterizedTest
  @ValueSource(strings = {"native", "async | native", "caching | native", "compacting | native"})
  void threadsLoseNoRows(String stack) throws Exception {
    try (TemporaryFolder folder = TemporaryFolder.create("appenders");
        Session session = Hdf5.session(stack);
        H5File file = session.create(folder.path().resolve("rows.h5").toString(), FRESH)) {
      try (Dataset rows = create(file)) {
        appendAll(List.of(rows));
        requireAll(rows);
      }
    }
  }

  @Test
  void clientsOfOneServerLoseNoRows() throws Exception {
    try (TemporaryFolder folder = TemporaryFolder.create("appenders");
        StageServer server =
            StageServer.start(
                ServerOptions.of(new Address.Tcp("127.0.0.1", 0), folder.path().resolve("root")));
        Session one = Hdf5.session("forwarding servers=" + server.address());
        Session two = Hdf5.session("forwarding servers=" + server.address());
        H5File here = one.create("rows.h5", FRESH)) {
      create(here).close();
      here.flush();
      try (H5File there = two.open("rows.h5", OpenOptions.EDIT)) {
        Dataset first = here.dataset("d");
        Dataset second = there.dataset("d");
        appendAll(List.of(first, second));
        requireAll(first);
      }
    }
  }

  private static Dataset create(H5File file) {
    Dataspace empty = Dataspace.simple(new long[] {0, 2}, new long[] {Dataspace.UNLIMITED, 2});
    return file.datasetBuilder("d")
        .type(Datatypes.I32LE)
        .space(empty)
        .options(DatasetOptions.chunked(16, 2).build())
        .create();
  }

  /** Each thread appends pairs of rows, through one of the datasets. */
  private static void appendAll(List<Dataset> through) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Future<?>> done = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        int thread = t;
        Dataset dataset = through.get(t % through.size());
        done.add(
            threads.submit(() -> {
              for (int i = 0; i < CALLS; i++) {
                int id = thread * CALLS + i;
                dataset.append(new int[][] {{id, 1}, {id, 2}});
              }
            }));
      }
      for (Future<?> each : done) {
        each.get();
      }
    }
  }

  /** Requires that all rows are present, and that the rows of a call are adjacent. */
  private static void requireAll(Dataset dataset) {
    int[][] rows = dataset.read(int[][].class);
    assertThat(rows).hasDimensions(2 * THREADS * CALLS, 2);
    Set<Integer> seen = new HashSet<>();
    for (int i = 0; i < rows.length; i += 2) {
      assertThat(Arrays.deepToString(new int[][] {rows[i], rows[i + 1]}))
          .isEqualTo("[[%d, 1], [%d, 2]]".formatted(rows[i][0], rows[i][0]));
      assertThat(seen.add(rows[i][0])).isTrue();
    }
  }
}
