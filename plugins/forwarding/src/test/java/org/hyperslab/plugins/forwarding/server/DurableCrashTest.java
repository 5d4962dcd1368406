package org.hyperslab.plugins.forwarding.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.RemoteException;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.testkit.Campaign;
import org.hyperslab.testkit.Seeds;
import org.hyperslab.testkit.TemporaryFolder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Kills servers repeatedly while they work, and checks that all acknowledged edits are present. */
@Campaign
final class DurableCrashTest {

  private static final int KILLS = Integer.getInteger("hyperslab.kills", 50);

  /** The number of concurrent servers, each of which is killed a share of the times. */
  private static final int SERVERS = 5;

  private static final int ROWS = 64;
  private static final int COLUMNS = 32;

  /** An edit that was sent to a server, and its acknowledgement. */
  private record Promise(String group, int row, long value, CompletableFuture<?> done) {}

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void noDurableAcknowledgementIsLost() {
    long seed = Seeds.draw();
    // Side by side, for much of a life is waiting for the disk and for a process to start.
    try (ExecutorService threads = Executors.newFixedThreadPool(SERVERS)) {
      List<Future<?>> servers = new ArrayList<>();
      for (int i = 0; i < SERVERS; i++) {
        Random random = Seeds.random(seed, i);
        int lives = KILLS / SERVERS + (i < KILLS % SERVERS ? 1 : 0);
        servers.add(threads.submit(() -> dieAndLiveAgain(lives, random)));
      }
      for (Future<?> server : servers) {
        server.get();
      }
    } catch (ExecutionException | InterruptedException failed) {
      throw new AssertionError("seed " + seed, failed);
    }
  }

  /** One folder, one file, and a server that is killed a number of times. */
  private static Void dieAndLiveAgain(int lives, Random random)
      throws IOException, InterruptedException {
    try (TemporaryFolder folder = TemporaryFolder.create("durable")) {
      Path root = folder.path().resolve("root");
      Path socket = folder.file("socket");
      long[][] promised = new long[lives][ROWS];
      for (int life = 0; life < lives; life++) {
        StageChild server = StageChild.start(root, socket);
        boolean exists = Files.exists(root.resolve("crash.h5"));
        List<Promise> promises = work(socket, exists, life, random, server);
        for (Promise promise : promises) {
          if (promise.row >= 0 && succeeded(promise.done)) {
            promised[life][promise.row] = promise.value;
          }
        }
      }
      StageServer last =
          StageServer.start(ServerOptions.of(new Address.Unix(socket.toString()), root));
      last.close();
      check(root.resolve("crash.h5"), promised);
    }
    return null;
  }

  private static boolean succeeded(CompletableFuture<?> done) {
    return done.isDone() && !done.isCompletedExceptionally();
  }

  private static List<Promise> work(
      Path socket, boolean exists, int life, Random random, StageChild server)
      throws InterruptedException {
    List<Promise> promises = new ArrayList<>();
    boolean killed = false;
    String configuration = "forwarding acknowledge=durable reconnect=0 servers=unix:" + socket;
    try (Session session = Hdf5.session(configuration)) {
      H5File file =
          exists
              ? session.open("crash.h5", OpenOptions.EDIT)
              : session.create("crash.h5", CreateOptions.DEFAULT);
      String group = "life" + life;
      Dataset dataset =
          file.root()
              .datasetBuilder(group)
              .type(Datatypes.I64LE)
              .shape(ROWS, COLUMNS)
              .options(
                  life % 2 == 0
                      ? DatasetOptions.DEFAULT
                      : DatasetOptions.chunked(7, 9).deflate(1).build())
              .createAsync();
      int writes = 20 + random.nextInt(200);
      for (int i = 0; i < writes; i++) {
        int row = random.nextInt(ROWS);
        // One write at a time for a row: which of two would have been the last is not promised.
        long value = (long) life * 1_000_000 + i + 1;
        promises.removeIf(p -> p.row == row && !p.done.isDone());
        long[] elements = new long[COLUMNS];
        Arrays.fill(elements, value);
        CompletableFuture<Void> done =
            dataset.writeAsync(
                Selection.box(new long[] {row, 0}, new long[] {1, COLUMNS}), elements);
        promises.add(new Promise(group, row, value, done));
        if (random.nextInt(60) == 0) {
          file.flushAsync();
        }
      }
      promises.get(random.nextInt(promises.size())).done.exceptionally(e -> null).join();
      killed = true;
      server.kill();
      for (Promise promise : promises) {
        promise.done.exceptionally(e -> null).join();
      }
    } catch (HyperslabException gone) {
      // A machine that is too busy to welcome the client has promised nothing.
      if (!killed && !(gone instanceof RemoteException)) {
        throw gone;
      }
    } finally {
      server.kill();
    }
    return promises;
  }

  /** Every row holds one whole write, no older than the last that was promised. */
  private static void check(Path path, long[][] promised) {
    try (H5File file = Hdf5.open(path)) {
      for (int life = 0; life < promised.length; life++) {
        boolean any = Arrays.stream(promised[life]).anyMatch(v -> v > 0);
        if (!any) {
          continue;
        }
        long[][] found = file.dataset("life" + life).read(long[][].class);
        for (int row = 0; row < ROWS; row++) {
          for (int column = 1; column < COLUMNS; column++) {
            assertThat(found[row][column]).as("half a write").isEqualTo(found[row][0]);
          }
          assertThat(found[row][0])
              .as("life %d, row %d", life, row)
              .isGreaterThanOrEqualTo(promised[life][row]);
        }
      }
      assertThat(file.root().attributeCount()).isZero();
    }
  }
}
