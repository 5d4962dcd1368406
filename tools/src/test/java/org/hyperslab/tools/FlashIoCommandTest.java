package org.hyperslab.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** The options of {@code flash-io}, which are described without annotations. */
@ResourceLock(Resources.SYSTEM_OUT)
final class FlashIoCommandTest {

  private static final int WRONG_USE = 2;

  @TempDir private Path folder;

  /** What a command line ended with, and what it said on standard output. */
  private record Said(int code, String text) {}

  private static Said run(String... arguments) {
    PrintStream before = System.out;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    try {
      return new Said(Main.run(arguments), bytes.toString(StandardCharsets.UTF_8));
    } finally {
      System.setOut(before);
    }
  }

  @Test
  void writesIntoTheFolderWithTheConnectorAndTellsHow() {
    String out = folder.resolve("out").toString();

    Said said = run("flash-io", "--ranks", "2", "--connector=mpiio", "--out", out, "--explain");

    assertThat(said.code()).isZero();
    assertThat(said.text()).contains("2 ranks", "connector \"mpiio\"", "every value read back");
    assertThat(said.text()).contains("write collective");
    assertThat(folder.resolve("out/flash_io_test_hdf5_chk_0000")).exists();
  }

  @Test
  void usesTheNativeConnectorAndExplainsNothingUnlessAsked() {
    Said said = run("flash-io", "--ranks=1", "--out", folder.toString());

    assertThat(said.code()).isZero();
    assertThat(said.text()).contains("1 ranks", "connector \"native\"");
    assertThat(said.text()).doesNotContain("collective");
  }

  @Test
  void refusesNumbersThatAreNone() {
    assertThat(run("flash-io", "--ranks", "x").code()).isEqualTo(WRONG_USE);
  }

  @Test
  void helpTellsOptionsAndTheirDefaults() {
    Said said = run("flash-io", "--help");

    assertThat(said.code()).isZero();
    assertThat(said.text())
        .contains("--connector=CONFIG", "--out=DIR", "--ranks=N", "--explain", "--version")
        .contains("flash-io-out)", "(default: native)");
  }
}
