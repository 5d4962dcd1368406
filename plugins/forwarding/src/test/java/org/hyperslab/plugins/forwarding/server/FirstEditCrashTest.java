package org.hyperslab.plugins.forwarding.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.testkit.Campaign;
import org.hyperslab.testkit.Seeds;
import org.hyperslab.testkit.TemporaryFolder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Kills a server around the first durable edits of new files: the next one serves the folder, and
 * has what was acknowledged.
 */
@Campaign
final class FirstEditCrashTest {

  private static final int KILLS = Integer.getInteger("hyperslab.kills", 30);

  /** The number of concurrent servers, each of which is killed a share of the times. */
  private static final int SERVERS = 5;

  /** The longest time from the first request to the kill; all of it takes about as long. */
  private static final int LONGEST_NANOS = 100_000_000;

  /** What of a file was acknowledged. */
  private enum Acknowledged {
    NOTHING,
    FILE,
    DATASET,
    WRITE
  }

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void theFirstDurableEditsOfAFileSurvive() throws Exception {
    long seed = Seeds.draw();
    // Side by side, for most of a life is waiting for a process to start.
    try (ExecutorService threads = Executors.newFixedThreadPool(SERVERS)) {
      List<Future<?>> servers = new ArrayList<>();
      for (int i = 0; i < SERVERS; i++) {
        Random random = Seeds.random(seed, i);
        int lives = KILLS / SERVERS + (i < KILLS % SERVERS ? 1 : 0);
        servers.add(threads.submit(() -> dieAndLiveAgain(lives, random, "seed " + seed)));
      }
      for (Future<?> server : servers) {
        server.get();
      }
    }
  }

  /** One folder, a file for each life, and a server that is killed a number of times. */
  private static Void dieAndLiveAgain(int lives, Random random, String seed) throws Exception {
    try (TemporaryFolder folder = TemporaryFolder.create("first")) {
      Path root = folder.path().resolve("root");
      Path socket = folder.file("socket");
      List<Acknowledged> all = new ArrayList<>();
      for (int i = 0; i < lives; i++) {
        StageChild server = StageChild.start(root, socket);
        all.add(work(socket, i, random.nextInt(LONGEST_NANOS), server));
      }
      StageServer last =
          StageServer.start(ServerOptions.of(new Address.Unix(socket.toString()), root));
      last.close();
      for (int i = 0; i < lives; i++) {
        check(root.resolve(name(i)), all.get(i), seed + ", file " + i);
      }
    }
    return null;
  }

  private static String name(int number) {
    return "f" + number + ".h5";
  }

  private static Session client(Path socket) {
    return Hdf5.session("forwarding acknowledge=durable reconnect=0 servers=unix:" + socket);
  }

  private static Acknowledged work(Path socket, int number, int nanos, StageChild server)
      throws InterruptedException {
    Acknowledged most = Acknowledged.NOTHING;
    try (Session session = client(socket)) {
      session.create("warm" + number + ".h5").close();
      Thread killer = Thread.ofPlatform().start(() -> kill(server, nanos));
      try {
        H5File file = session.create(name(number));
        most = Acknowledged.FILE;
        file.createDataset("d", new int[] {1, 2, 3});
        most = Acknowledged.DATASET;
        file.dataset("d").write(new int[] {4, 5, 6});
        most = Acknowledged.WRITE;
      } finally {
        killer.join();
      }
    } catch (HyperslabException gone) {
      assertThat(gone.getMessage()).isNotBlank();
    } finally {
      server.kill();
    }
    return most;
  }

  private static void kill(StageChild server, int nanos) {
    LockSupport.parkNanos(nanos);
    try {
      server.kill();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void check(Path path, Acknowledged acknowledged, String what) {
    if (acknowledged == Acknowledged.NOTHING) {
      return;
    }
    try (H5File file = Hdf5.open(path)) {
      assertThat(file.root().attributeCount()).as(what).isZero();
      if (acknowledged != Acknowledged.FILE) {
        int first = file.dataset("d").readInts()[0];
        // A write that was not acknowledged may have been carried out.
        assertThat(first).as(what).isIn(acknowledged == Acknowledged.WRITE ? 4 : 1, 4);
      }
    }
  }
}
