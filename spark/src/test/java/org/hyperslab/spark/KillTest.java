package org.hyperslab.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.hyperslab.netcdf.NetcdfFile;
import org.hyperslab.testkit.Campaign;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills programs that write, with their tasks, at any moment. The file is that of the last write
 * that ended or of the one that was killed, whole, and only what {@link Leftovers} names is left.
 */
@Campaign
final class KillTest {

  @TempDir Path folder;

  @Test
  void aKilledWriteLeavesTheOldFileOrTheNewOne() throws Exception {
    long seed = Seeds.draw();
    Random random = Seeds.random(seed, 0);
    Path out = folder.resolve("out.nc");
    int ended = 0;
    for (int kill = 0; kill < Integer.getInteger("hyperslab.kills", Effort.times(3, 60)); kill++) {
      int began = ended + 1;
      Path said = folder.resolveSibling(folder.getFileName() + ".log");
      Process process = start(out, began, said);
      try {
        // Past the first write of the JVM, which is mostly loading of classes.
        int writes = 1 + random.nextInt(6);
        long limit = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
        while (lines(said, "begins ").size() < writes && System.nanoTime() < limit) {
          assertThat(process.waitFor(20, TimeUnit.MILLISECONDS))
              .as("ended by itself, kill " + kill)
              .isFalse();
        }
        process.waitFor(random.nextInt(900), TimeUnit.MILLISECONDS);
      } finally {
        process.destroyForcibly().waitFor();
      }
      began = lines(said, "begins ").stream().reduce(began, Math::max);
      ended = lines(said, "ended ").stream().reduce(ended, Math::max);
      requireOneOf(out, ended, began, "seed " + seed + ", kill " + kill);
      Leftovers.delete(out.toString());
      try (Stream<Path> all = Files.list(folder)) {
        assertThat(all.filter(each -> !each.equals(out))).isEmpty();
      }
    }
  }

  private static List<Integer> lines(Path said, String word) throws IOException {
    return Files.readString(said)
        .lines()
        .filter(line -> line.startsWith(word))
        .map(line -> Integer.valueOf(line.substring(word.length())))
        .toList();
  }

  private static void requireOneOf(Path out, int ended, int began, String what) throws IOException {
    if (!Files.exists(out)) {
      assertThat(ended).as(what).isZero();
      return;
    }
    try (NetcdfFile file = NetcdfFile.open(out)) {
      int[] values = file.root().variable("v").all().read(int[].class);
      assertThat(values).as(what).hasSize(KillProgram.ROWS * KillProgram.COLUMNS);
      assertThat(Arrays.stream(values).distinct().toArray()).as(what).hasSize(1);
      assertThat(values[0]).as(what).isIn(ended, began);
    }
  }

  private static Process start(Path out, int number, Path said) throws IOException {
    List<String> options =
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(each -> each.startsWith("--") || each.startsWith("-D"))
            .toList();
    Stream<String> command =
        Stream.of(
                Stream.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()),
                options.stream(),
                Stream.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
                Stream.of("-cp", System.getProperty("java.class.path")),
                Stream.of(KillProgram.class.getName(), out.toString(), Integer.toString(number)))
            .flatMap(each -> each);
    return new ProcessBuilder(command.toList())
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .redirectOutput(said.toFile())
        .start();
  }
}
