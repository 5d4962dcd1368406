package org.hyperslab.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a command line does the same with picocli's parser and without it. */
final class PlainCommandTest {

  @TempDir private Path folder;

  private String first;
  private String second;

  @BeforeEach
  void writeFiles() {
    first = write("first.h5", 3);
    second = write("second.h5", 4);
  }

  private String write(String name, double last) {
    Path path = folder.resolve(name);
    try (H5File file = Hdf5.create(path)) {
      file.createDataset("group/numbers", new double[] {1, 2, last});
      file.createDataset("same", new int[] {7});
      file.dataset("same").setAttribute("units", "m");
    }
    return path.toString();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-A", "-H", "-d /same", "-p -H"})
  void dumpsTheSame(String options) {
    String line = ("dump " + options).strip() + " " + first;
    CommandRun plain = CommandRun.of(line.split(" "));
    CommandRun parsed = CommandRun.of((line + " --connector native").split(" "));
    assertThat(plain).isEqualTo(parsed);
    assertThat(plain.code()).isZero();
    assertThat(plain.out()).contains("HDF5 \"");
  }

  @ParameterizedTest
  @CsvSource({"'', 1", "/same, 0", "/group/numbers /group/numbers, 1", "/missing, 2"})
  void comparesTheSame(String objects, int code) {
    String line = "diff " + first + " " + second + " " + objects;
    CommandRun plain = CommandRun.of(line.strip().split(" "));
    CommandRun parsed = CommandRun.of((line.strip() + " --connector native").split(" "));
    assertThat(plain).isEqualTo(parsed);
    assertThat(plain.code()).isEqualTo(code);
  }

  @ParameterizedTest
  @CsvSource({"first.h5, .h5, 0", "first.h5, .npy, 1", "none.h5, .h5, 1"})
  void convertsTheSame(String in, String ending, int code) {
    String from = folder.resolve(in).toString();
    Path out = folder.resolve("out" + ending);
    CommandRun plain = CommandRun.of("convert", from, out.toString());
    byte[] written = contentOf(out);
    CommandRun parsed = CommandRun.of("convert", from, out.toString(), "--memory=134217728");
    assertThat(plain).isEqualTo(parsed);
    assertThat(plain.code()).isEqualTo(code);
    assertThat(contentOf(out)).isEqualTo(written);
  }

  private static byte[] contentOf(Path path) {
    try {
      byte[] content = Files.exists(path) ? Files.readAllBytes(path) : new byte[0];
      Files.deleteIfExists(path);
      return content;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  @Test
  void reportsMissingFilesTheSame() {
    String missing = folder.resolve("missing.h5").toString();
    assertThat(CommandRun.of("diff", missing, second))
        .isEqualTo(CommandRun.of("diff", missing, second, "--connector=native"));
    assertThat(CommandRun.of("dump", missing))
        .isEqualTo(CommandRun.of("dump", missing, "--connector=native"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"--help", "-h", "-hA"})
  void leavesHelpToTheParser(String option) {
    assertThat(CommandRun.of("dump", option).out()).contains("Usage: hyperslab dump");
  }

  @Test
  void leavesLinesWithTooManyNamesToTheParser() {
    assertThat(CommandRun.of("diff", first, second, "/", "/", "/").err()).contains("Usage:");
  }
}
