package org.hyperslab.plugins.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.hyperslab.testkit.Campaign;
import org.hyperslab.testkit.ChildJvm;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.Seeds;
import org.hyperslab.testkit.TemporaryFolder;
import org.junit.jupiter.api.Test;

/**
 * Processes that write through a log are killed; h5py and h5dump judge the file before and after
 * its log is migrated.
 */
class LogKillTest {

  private static final int FEW = Effort.times(1, 10);
  private static final int MANY = 30;

  /** Prints the generation of a file, whose elements must all be of it. */
  private static final String JUDGE =
      """
      import sys, h5py
      with h5py.File(sys.argv[1], 'r') as f:
          g = int(f.attrs['generation'])
          assert (f['values'][:] == g).all() and (f['packed'][:] == g).all()
          assert max(int(n) for n in f['steps']) == g and int(f['steps'][str(g)][()]) == g
          assert list(f.attrs) == ['generation']
          print(g)
      """;

  @Test
  void killedWritersLeaveTheStateOfAFlush() {
    Seeds.run(FEW, LogKillTest::livesAndDeaths);
  }

  @Campaign
  @Test
  void manyKilledWritersLeaveTheStateOfAFlush() {
    Seeds.run(MANY, LogKillTest::livesAndDeaths);
  }

  private static void livesAndDeaths(Random random) {
    try (TemporaryFolder folder = TemporaryFolder.create("log-kill")) {
      Path logs = Files.createDirectory(folder.file("logs"));
      Path file = folder.file("a.h5");
      int flushed = 0;
      for (int life = 0; life < 3; life++) {
        String drain = List.of("close", "background", "manual").get(random.nextInt(3));
        flushed = Math.max(flushed, life(logs, file, flushed + 1, drain, random));
        if (Files.exists(file)) {
          assertThat(generation(file)).as("before the migration").isLessThanOrEqualTo(flushed + 1);
          Oracle.h5dump().run("-H", file.toString()).orFail();
        }
        if (random.nextBoolean()) {
          FileLogs.drain(file, FileLogs.Conflict.REFUSE);
          flushed = checked(file, flushed);
        }
      }
      FileLogs.drain(file, FileLogs.Conflict.REFUSE);
      checked(file, flushed);
      assertThat(logs).isEmptyDirectory();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static int checked(Path file, int flushed) {
    if (flushed == 0 && !Files.exists(file)) {
      return 0;
    }
    int generation = generation(file);
    assertThat(generation).as("after the migration").isBetween(flushed, flushed + 1);
    return generation;
  }

  private static int generation(Path file) {
    return Integer.parseInt(Oracle.h5py().run(JUDGE, file.toString()).orFail().output().strip());
  }

  /**
   * Lets a writer live for some flushes and a while; returns the last generation it has flushed.
   */
  private static int life(Path logs, Path file, int first, String drain, Random random)
      throws IOException, InterruptedException {
    List<String> command =
        ChildJvm.command(
            256, LogChild.class, logs.toString(), file.toString(), Integer.toString(first), drain);
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    int flushes = random.nextInt(8);
    int last = first - 1;
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      String line = "";
      for (int i = 0; i < flushes && line != null; i++) {
        line = lines.readLine();
        last = line == null ? last : Integer.parseInt(line.substring("flushed ".length()));
      }
      process.onExit().completeOnTimeout(process, random.nextInt(30), TimeUnit.MILLISECONDS).join();
      process.toHandle().destroyForcibly(); // leaves what it has printed
      for (line = lines.readLine(); line != null && line.startsWith("flushed "); ) {
        last = Integer.parseInt(line.substring("flushed ".length()));
        line = lines.readLine();
      }
      process.waitFor();
    }
    return last;
  }
}
