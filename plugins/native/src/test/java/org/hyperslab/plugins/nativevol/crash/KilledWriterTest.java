package org.hyperslab.plugins.nativevol.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.hyperslab.Hdf5;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that edits a file is killed, again and again, at any moment: the file is as the last
 * flush that the process had spoken of left it, or as the next one, and the HDF5 library reads it.
 */
final class KilledWriterTest {

  private static final int KILLS = Integer.getInteger("hyperslab.kills", 50);
  private static final int MOST_FLUSHES = 12;
  private static final int MOST_MILLIS = 40;

  @TempDir Path folder;

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void noCompletedFlushIsLost() throws IOException, InterruptedException {
    long seed = Seeds.draw();
    Random random = new Random(seed);
    Path path = folder.resolve("killed.h5");
    Hdf5.create(path, CreateOptions.DEFAULT).close();
    int flushes = 0;
    int recovered = 0;
    for (int kill = 0; kill < KILLS; kill++) {
      byte[] before = Files.readAllBytes(path);
      int completed =
          WriterChild.start(path, seed + kill)
              .kill(1 + random.nextInt(MOST_FLUSHES), random.nextInt(MOST_MILLIS));
      byte[] left = Files.readAllBytes(path);
      recovered += left[1] == 'H' && left[2] == 'S' ? 1 : 0;
      flushes += completed;
      check(before, left, seed + kill, completed);
      try (var file = Hdf5.openForEdit(path)) {
        file.flush();
      }
      Files.copy(path, folder.resolve(kill + ".h5"));
    }
    dump(seed);
    System.out.printf(
        "kills: %d of a writer that had completed %d flushes; %d left a journal to be applied;"
            + " seed %d%n",
        KILLS, flushes, recovered, seed);
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

  private void dump(long seed) {
    List<String> files = new ArrayList<>();
    for (int kill = 0; kill < KILLS; kill++) {
      files.add(folder.resolve(kill + ".h5").toString());
    }
    assertThat(Oracle.h5dump().run(files.toArray(String[]::new)).exitCode())
        .as("h5dump of what the kills left, seed %d", seed)
        .isZero();
  }
}
