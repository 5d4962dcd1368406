package org.hyperslab.tools.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.hyperslab.tools.CommandRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the command prints and draws the times of each variant. */
final class GaborCommandTest {

  @TempDir private Path folder;

  private CommandRun run(String... more) {
    String[] all = {"example", "gabor", "--ranks", "2", "--size", "48", "--out", folder.toString()};
    String[] both = Arrays.copyOf(all, all.length + more.length);
    System.arraycopy(more, 0, both, all.length, more.length);
    return CommandRun.of(both);
  }

  @Test
  void comparesTheVariants() {
    Path plot = folder.resolve("times.png");
    CommandRun run = run("--priced", "100", "--plot", plot.toString());
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("gabor on 2 ranks (threads)", "as HDF5 files", "| started |")
        .containsPattern("\\| blocking \\|.*\\| \\+0% \\|")
        .contains("| started, tests in the FFT |", "every byte of every variant is the same");
    assertThat(plot).isNotEmptyFile();
  }

  @Test
  void anUnknownVariantIsRefused() {
    CommandRun run = run("--variant", "quick");
    assertThat(run.code()).isNotZero();
    assertThat(run.err()).contains("--variant: actual=quick, expected=blocking, started or tested");
  }

  @ParameterizedTest
  @ValueSource(strings = {"example gabor", "example ior", "flash-io"})
  void nonPositiveNumberOfRanksIsRefused(String command) {
    for (String ranks : List.of("0", "-1")) {
      String line = command + " --ranks=" + ranks + " --out " + folder;
      CommandRun run = CommandRun.of(line.split(" "));
      assertThat(run.code()).isNotZero();
      assertThat(run.err()).contains("--ranks: actual=" + ranks + ", expected=1 or more");
    }
  }
}
