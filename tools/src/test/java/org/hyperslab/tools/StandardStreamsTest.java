package org.hyperslab.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.tools.command.Streams;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that {@code convert} takes {@code -} for standard input and output. */
final class StandardStreamsTest {

  private static final String TABLE = "a,b\n1,x\n2,y\n";

  @TempDir private Path folder;

  /** What a command printed, as bytes. */
  private record Run(int code, byte[] out, String err) {}

  private static Run run(byte[] input, String... words) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    PrintStream printed = new PrintStream(out, false, StandardCharsets.UTF_8);
    PrintStream errors = new PrintStream(err, true, StandardCharsets.UTF_8);
    int code = Main.run(new Streams(new ByteArrayInputStream(input), printed, errors), words);
    printed.flush();
    return new Run(code, out.toByteArray(), err.toString(StandardCharsets.UTF_8));
  }

  private static byte[] table() {
    return TABLE.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void aTableIsPipedIn() {
    Path out = folder.resolve("out.h5");
    Run run = run(table(), "convert", "--from", "csv", "--columns", "-", out.toString());
    assertThat(run.code()).as(run.err()).isZero();
    try (H5File file = Hdf5.open(out)) {
      assertThat(file.dataset("a").readInts()).containsExactly(1, 2);
      assertThat(file.dataset("b").readStrings()).containsExactly("x", "y");
    }
  }

  @Test
  void aTableIsPipedThrough() {
    Run run = run(table(), "convert", "--from", "csv", "--to", "tsv", "-", "-");
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out())
        .asString(StandardCharsets.UTF_8)
        .isEqualToNormalizingNewlines(TABLE.replace(',', '\t'));
  }

  /** What goes to a stream is what goes to a file, whether it is made in order or not. */
  @ParameterizedTest
  @ValueSource(strings = {"csv", "tsv", "npy", "npz", "netcdf", "raw"})
  void theOutputIsThatOfAFile(String format) throws IOException {
    Path in = folder.resolve("in.h5");
    try (H5File file = Hdf5.create(in)) {
      file.createDataset("numbers", new double[] {1, 2.5, 3}).close();
    }
    String path = format.equals("netcdf") || format.equals("npz") ? "/" : "/numbers";
    Path out = folder.resolve("out");
    String[] words = {"convert", "--to", format, "--path", path, in.toString(), out.toString()};
    assertThat(run(new byte[0], words).code()).isZero();
    words[words.length - 1] = "-";
    Run run = run(new byte[0], words);
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out()).isEqualTo(Files.readAllBytes(out));
    words[words.length - 2] = "-";
    assertThat(run(Files.readAllBytes(in), words).out()).isEqualTo(Files.readAllBytes(out));
  }

  @Test
  void anHdf5FileIsPipedThroughAsAZipOfZarrAndBack() throws IOException {
    Path in = folder.resolve("in.h5");
    try (H5File file = Hdf5.create(in)) {
      file.createDataset("numbers", new double[] {1, 2.5, 3}).close();
    }
    Run zip = run(Files.readAllBytes(in), "convert", "--to", "zarr3", "-", "-");
    assertThat(zip.code()).as(zip.err()).isZero();
    Run back = run(zip.out(), "convert", "--to", "hdf5", "-", "-");
    assertThat(back.code()).as(back.err()).isZero();
    try (H5File file = Hdf5.openInMemory(back.out())) {
      assertThat(file.dataset("numbers").readDoubles()).containsExactly(1, 2.5, 3);
    }
  }

  @Test
  void formatsThatNothingTellsAreAskedFor() {
    Run input = run(table(), "convert", "-", folder.resolve("out.h5").toString());
    assertThat(input.code()).isEqualTo(1);
    assertThat(input.err()).contains("--from");
    Run output = run(table(), "convert", "--from", "csv", "-", "-");
    assertThat(output.code()).isEqualTo(1);
    assertThat(output.err()).contains("--to");
    assertThat(output.out()).isEmpty();
  }
}
