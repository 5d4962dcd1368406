package org.hyperslab.tools;

import static org.assertj.core.api.Assertions.assertThat;

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

  @Test
  void writesIntoTheFolderWithTheConnectorAndTellsHow() {
    String out = folder.resolve("out").toString();

    Said said =
        Said.onOutput("flash-io", "--ranks", "2", "--connector=mpiio", "--out", out, "--explain");

    assertThat(said.code()).isZero();
    assertThat(said.text()).contains("2 ranks", "connector \"mpiio\"", "every value read back");
    assertThat(said.text()).contains("write collective");
    assertThat(folder.resolve("out/flash_io_test_hdf5_chk_0000")).exists();
  }

  @Test
  void usesTheNativeConnectorAndExplainsNothingUnlessAsked() {
    Said said = Said.onOutput("flash-io", "--ranks=1", "--out", folder.toString());

    assertThat(said.code()).isZero();
    assertThat(said.text()).contains("1 ranks", "connector \"native\"");
    assertThat(said.text()).doesNotContain("collective");
  }

  @Test
  void refusesNumbersThatAreNone() {
    assertThat(Said.onOutput("flash-io", "--ranks", "x").code()).isEqualTo(WRONG_USE);
  }

  @Test
  void helpTellsOptionsAndTheirDefaults() {
    Said said = Said.onOutput("flash-io", "--help");

    assertThat(said.code()).isZero();
    assertThat(said.text())
        .contains("--connector=CONFIG", "--out=DIR", "--ranks=N", "--explain", "--version")
        .contains("flash-io-out)", "(default: native)");
  }
}
