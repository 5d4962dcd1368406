package org.hyperslab.plugins.forwarding.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.testkit.Campaign;
import org.hyperslab.testkit.Seeds;
import org.hyperslab.testkit.TemporaryFolder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Kills servers that share a file while they write it, the home and others. The file must open,
 * contain what the other servers had applied, and contain no partial row.
 */
@Campaign
final class PeersCrashTest {

  private static final int KILLS = Integer.getInteger("hyperslab.peer.kills", 2);
  private static final int ROWS = 64;
  private static final int COLUMNS = 64;
  private static final String NAME = "shared.h5";

  private final long[] least = new long[ROWS];

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void appliedEditsAreVisible() throws IOException, InterruptedException {
    long seed = Seeds.draw();
    System.out.println("PeersCrashTest: seed " + seed);
    Random random = new Random(seed);
    try (TemporaryFolder folder = TemporaryFolder.create("peers")) {
      Path root = folder.path().resolve("root");
      List<Path> sockets = List.of(folder.file("s0"), folder.file("s1"));
      StageChild[] servers = new StageChild[2];
      try {
        for (int life = 0; life < KILLS; life++) {
          for (int i = 0; i < 2; i++) {
            if (servers[i] == null) {
              servers[i] = StageChild.start(root, sockets.get(i), sockets);
            }
          }
          int victim = life % 2;
          work(sockets, life, random, servers, victim);
          servers[victim] = null;
        }
      } finally {
        for (StageChild server : servers) {
          if (server != null) {
            server.kill();
          }
        }
      }
      try (H5File file = Hdf5.open(root.resolve(NAME))) {
        check(file.dataset("m").read(long[][].class));
      }
    }
  }

  private void work(List<Path> sockets, int life, Random random, StageChild[] servers, int victim)
      throws InterruptedException {
    String configuration =
        "forwarding reconnect=0 stripe=1K servers=unix:"
            + sockets.get(0)
            + ",unix:"
            + sockets.get(1);
    List<CompletableFuture<Void>> writes = new ArrayList<>();
    long[] wanted = new long[ROWS];
    try (Session session = Hdf5.session(configuration)) {
      H5File file =
          life == 0
              ? session.create(NAME, CreateOptions.DEFAULT)
              : session.open(NAME, OpenOptions.EDIT);
      Dataset dataset =
          life == 0
              ? file.createDataset("m", Datatypes.I64LE, Dataspace.simple(ROWS, COLUMNS))
              : file.dataset("m");
      check(dataset.read(long[][].class));
      file.flush();
      // One write for each row: which of two would have been the last is not promised.
      int kill = random.nextInt(ROWS);
      for (int row = 0; row < ROWS; row++) {
        wanted[row] = life * 1000L + row + 1;
        long[] elements = new long[COLUMNS];
        Arrays.fill(elements, wanted[row]);
        writes.add(
            dataset.writeAsync(
                Selection.box(new long[] {row, 0}, new long[] {1, COLUMNS}), elements));
        if (row == kill) {
          writes.get(random.nextInt(writes.size())).exceptionally(gone -> null).join();
          servers[victim].kill();
        }
      }
      for (int row = 0; row < ROWS; row++) {
        writes.get(row).exceptionally(gone -> null).join();
        if (!writes.get(row).isCompletedExceptionally()) {
          least[row] = wanted[row];
        }
      }
    } catch (HyperslabException gone) {
      assertThat(gone.getMessage()).isNotBlank();
    }
  }

  private void check(long[][] found) {
    for (int row = 0; row < ROWS; row++) {
      assertThat(found[row]).as("half of row %d", row).containsOnly(found[row][0]);
      assertThat(found[row][0]).as("row %d", row).isGreaterThanOrEqualTo(least[row]);
    }
  }
}
