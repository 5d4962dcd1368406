package org.hyperslab.plugins.forwarding.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.testkit.world.World;
import org.hyperslab.testkit.world.WorldError;
import org.hyperslab.testkit.world.WorldProcess;
import org.hyperslab.vol.Connector;
import org.junit.jupiter.api.Test;

class WorldTest {

  @Test
  void theSameSeedMakesTheSameSteps() {
    for (long seed = 1; seed <= 20; seed++) {
      assertThat(fingerprint(seed)).as("seed " + seed).isEqualTo(fingerprint(seed));
    }
    assertThat(fingerprint(1)).isNotEqualTo(fingerprint(2));
  }

  private static long fingerprint(long seed) {
    StagedWorld staged = new StagedWorld(seed);
    staged.run(() -> {
      staged.start();
      WorldProcess client = staged.process("client");
      CompletableFuture<Integer> read = new CompletableFuture<>();
      client.start("program", () -> read.complete(writtenAndRead(staged, client)));
      assertThat(read.join()).isEqualTo(7);
      staged.stop();
    });
    return staged.world().fingerprint();
  }

  private static int writtenAndRead(StagedWorld staged, WorldProcess client) {
    try (Connector connector = staged.connect(client, "acknowledge=durable");
        Session session = Hdf5.session(connector);
        H5File file = session.create("a.h5")) {
      file.createDataset("x", new int[] {5, 6, 7});
      return file.dataset("x").readInts()[2];
    }
  }

  @Test
  void threadsThatWaitForEachOtherAreReported() {
    World world = new World(1);
    WorldProcess process = world.process("p");
    CompletableFuture<Void> never = new CompletableFuture<>();
    assertThatThrownBy(() -> world.run(process, never::join))
        .isInstanceOf(WorldError.class)
        .hasMessageContaining("deadlock");
  }

  @Test
  void twoLocksInTwoOrdersAreADeadlockForSomeSeeds() {
    int deadlocks = 0;
    for (long seed = 1; seed <= 50; seed++) {
      deadlocks += ends(seed) ? 0 : 1;
    }
    assertThat(deadlocks).isBetween(1, 49);
  }

  private static boolean ends(long seed) {
    World world = new World(seed);
    WorldProcess process = world.process("p");
    ReentrantLock a = new ReentrantLock();
    Object b = new Object();
    CompletableFuture<Void> first = new CompletableFuture<>();
    process.start(
        "first",
        () -> {
          a.lock();
          world.pass();
          synchronized (b) {
            first.complete(null);
          }
          a.unlock();
        });
    try {
      world.run(
          process,
          () -> {
            synchronized (b) {
              world.pass();
              a.lock();
              a.unlock();
            }
            first.join();
          });
      return true;
    } catch (WorldError deadlock) {
      assertThat(deadlock).hasMessageContaining("deadlock");
      return false;
    } finally {
      process.kill();
    }
  }
}
