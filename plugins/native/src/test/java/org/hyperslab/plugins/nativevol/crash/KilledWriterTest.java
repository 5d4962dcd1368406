package org.hyperslab.plugins.nativevol.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.hyperslab.Hdf5;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.testkit.Campaign;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills a process that edits a file, repeatedly, at arbitrary moments. The file must have the state
 * of the last flush that the process reported, or of the next one, and the HDF5 library must read
 * it.
 */
@Campaign
final class KilledWriterTest {

  private static final int KILLS = Integer.getInteger("hyperslab.kills", 50);
  private static final int FILES = 5;
  private static final int MAX_FLUSHES = 12;
  private static final int MAX_MILLIS = 40;

  @TempDir Path folder;

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void noCompletedFlushIsLost() {
    long seed = Seeds.draw();
    int kills = Math.ceilDiv(KILLS, FILES);
    List<Lane> lanes =
        IntStream.range(0, FILES).mapToObj(i -> new Lane(i, seed + i * 1_000L, kills)).toList();
    // Processes start concurrently, because most of their time is the start of a JVM.
    lanes.parallelStream().forEach(Lane::run);
    System.out.printf(
        "kills: %d of writers that had completed %d flushes; %d left a journal to be applied;"
            + " seed %d%n",
        FILES * kills,
        lanes.stream().mapToInt(lane -> lane.flushes).sum(),
        lanes.stream().mapToInt(lane -> lane.recovered).sum(),
        seed);
  }

  /** One file, whose writers are killed one after another. Confined to one thread. */
  private final class Lane {
    private final long seed;
    private final int kills;
    private final Path path;
    private final Random random;
    private final List<String> copies = new ArrayList<>();
    private int flushes;
    private int recovered;

    Lane(int number, long seed, int kills) {
      this.seed = seed;
      this.kills = kills;
      this.path = folder.resolve("killed" + number + ".h5");
      this.random = new Random(seed);
    }

    void run() {
      try {
        Hdf5.create(path, CreateOptions.DEFAULT).close();
        for (int kill = 0; kill < kills; kill++) {
          kill(seed + kill);
          Path copy = path.resolveSibling(path.getFileName() + "." + kill);
          Files.copy(path, copy);
          copies.add(copy.toString());
        }
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      } catch (InterruptedException stopped) {
        throw new IllegalStateException(stopped);
      }
      assertThat(Oracle.h5dump().run(copies.toArray(String[]::new)).exitCode())
          .as("h5dump of what the kills left, seed %d", seed)
          .isZero();
    }

    private void kill(long seedOfKill) throws IOException, InterruptedException {
      byte[] before = Files.readAllBytes(path);
      int completed =
          WriterChild.start(path, seedOfKill)
              .kill(1 + random.nextInt(MAX_FLUSHES), random.nextInt(MAX_MILLIS));
      byte[] left = Files.readAllBytes(path);
      recovered += left[1] == 'H' && left[2] == 'S' ? 1 : 0;
      flushes += completed;
      check(before, left, seedOfKill, completed);
      try (var file = Hdf5.openForEdit(path)) {
        file.flush();
      }
    }
  }

  private static void check(byte[] before, byte[] left, long seed, int completed) {
    List<Recording.Flushed> expected = WriterChild.expected(before, seed, completed + 1);
    State found = CutJudge.state(left);
    String last = expected.get(completed).state().difference(found);
    if (last != null) {
      assertThat(expected.get(completed + 1).state().difference(found))
          .as("after flush %d, seed %d; not the last flush: %s", completed, seed, last)
          .isNull();
    }
  }
}
