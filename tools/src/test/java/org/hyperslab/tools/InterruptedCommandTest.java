package org.hyperslab.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.testkit.ChildJvm;
import org.hyperslab.testkit.Effort;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sends SIGINT and SIGTERM to each command that writes a file while it does so: an older output is
 * as it was, there is no new one, and no temporary file remains.
 */
@Timeout(600)
final class InterruptedCommandTest {

  private static final int BLOCK = 1 << 20;
  private static final byte[] OLDER = {1, 2, 3};

  @TempDir private static Path inputs;

  /** The commands, whose outputs take a while; OUT is the file to write, IN and CSV to read. */
  private static final List<String> COMMANDS =
      List.of(
          "repack -f GZIP=9 IN OUT",
          "convert --replace --deflate 9 IN OUT --to hdf5",
          "convert --replace --deflate 9 IN OUT --to zarr3",
          "convert --replace IN OUT --to netcdf4",
          "convert --replace IN OUT --to npz",
          "convert --replace --path /numbers IN OUT --to csv",
          "convert --replace CSV OUT --to hdf5",
          "dump -o OUT IN",
          "dump -b LE -d /numbers -o OUT IN",
          "plot IN:/numbers -o OUT.png --size 9999x9999",
          "index IN --inline 1000000000 -o OUT",
          "copy -i IN -s /numbers -d /numbers -o OUT");

  @BeforeAll
  static void createInputs() throws IOException {
    int blocks = Effort.times(4, 12);
    try (H5File file = Hdf5.create(inputs.resolve("in.h5"));
        Dataset numbers =
            file.datasetBuilder("numbers")
                .type(Datatypes.I32LE)
                .shape((long) blocks * BLOCK)
                .options(DatasetOptions.chunked(1 << 12).build())
                .create()) {
      int[] block = new Random(1).ints(BLOCK).toArray();
      for (int i = 0; i < blocks; i++) {
        numbers.write(Selection.box(new long[] {(long) i * BLOCK}, new long[] {BLOCK}), block);
      }
    }
    Files.writeString(inputs.resolve("in.csv"), "a,b\n" + "1234.5,text\n".repeat(blocks * BLOCK));
  }

  @Test
  void anInterruptLeavesTheOlderOutputAndNoPart(@TempDir Path folder) throws Exception {
    int interrupted = 0;
    int runs = 0;
    for (int i = 0; i < COMMANDS.size(); i += Effort.times(5, 1)) {
      List<String> signals =
          Effort.isFull() ? List.of("INT", "TERM") : List.of(i % 2 == 0 ? "INT" : "TERM");
      for (String signal : signals) {
        Path place = Files.createDirectory(folder.resolve("run" + runs++));
        interrupted += isInterrupted(COMMANDS.get(i), signal, place) ? 1 : 0;
      }
    }
    assertThat(interrupted).as("commands that were at work").isGreaterThan(runs / 2);
  }

  /** Returns whether the signal came before the command had finished. */
  private static boolean isInterrupted(String line, String signal, Path place) throws Exception {
    List<String> words = new ArrayList<>();
    for (String word : line.split(" ")) {
      words.add(
          word.replace("IN", inputs.resolve("in.h5").toString())
              .replace("CSV", inputs.resolve("in.csv").toString())
              .replace("OUT", place.resolve("out").toString()));
    }
    Path out = place.resolve(line.startsWith("plot") ? "out.png" : "out");
    boolean isNew = line.startsWith("copy");
    if (!isNew) {
      Files.write(out, OLDER);
    }
    int before = names(place).size();
    List<String> start = new ArrayList<>(List.of("env", "--default-signal=INT,TERM"));
    start.addAll(ChildJvm.command(1024, Main.class, words.toArray(String[]::new)));
    Process process =
        new ProcessBuilder(start)
            .redirectErrorStream(true)
            .redirectOutput(place.resolveSibling(place.getFileName() + ".txt").toFile())
            .start();
    try {
      while (names(place).size() == before && process.isAlive()) {
        process.waitFor(1, TimeUnit.MILLISECONDS);
      }
      new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
      process.waitFor();
    } finally {
      process.destroyForcibly();
    }
    String said = line + " after SIG" + signal;
    if (process.exitValue() == 0) {
      assertThat(names(place)).as(said).containsExactly(out.getFileName().toString());
      assertThat(Files.isDirectory(out) || Files.size(out) > OLDER.length).as(said).isTrue();
      return false;
    }
    if (isNew) {
      assertThat(names(place)).as(said).isEmpty();
    } else {
      assertThat(names(place)).as(said).containsExactly(out.getFileName().toString());
      if (Files.isDirectory(out) || Files.size(out) != OLDER.length) {
        return false; // it was complete, and the signal came before the process ended
      }
      assertThat(out).as(said).hasBinaryContent(OLDER);
    }
    return true;
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }
}
