package org.hyperslab.tools.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.tools.CommandRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the options of {@code flash-io}, which are described without annotations. */
final class FlashIoCommandTest {

  private static final int WRONG_USE = 2;

  @TempDir private Path folder;

  @Test
  void writesIntoTheFolderWithTheConnectorAndReportsIt() {
    String out = folder.resolve("out").toString();

    CommandRun run =
        CommandRun.of("flash-io", "--ranks", "2", "--connector=mpiio", "--out", out, "--explain");

    assertThat(run.code()).isZero();
    assertThat(run.out()).contains("2 ranks", "connector \"mpiio\"", "every value read back");
    assertThat(run.out()).contains("write collective");
    assertThat(folder.resolve("out/flash_io_test_hdf5_chk_0000")).exists();
  }

  @Test
  void usesTheNativeConnectorAndPrintsNoExplanationByDefault() {
    CommandRun run = CommandRun.of("flash-io", "--ranks=1", "--out", folder.toString());

    assertThat(run.code()).isZero();
    assertThat(run.out()).contains("1 ranks", "connector \"native\"");
    assertThat(run.out()).doesNotContain("collective");
  }

  @Test
  void datasetsTogetherAndApartMakeTheSameFiles() throws IOException {
    for (String way : List.of("together", "apart")) {
      String out = folder.resolve(way).toString();
      CommandRun run =
          CommandRun.of(
              "flash-io",
              "--ranks=3",
              "--connector=mpiio",
              "--out",
              out,
              "--datasets",
              way,
              "--explain");
      assertThat(run.code()).isZero();
      assertThat(run.out().contains("10 datasets together")).isEqualTo(way.equals("together"));
    }
    try (Stream<Path> files = Files.list(folder.resolve("apart"))) {
      for (Path apart : files.toList()) {
        Path together = folder.resolve("together").resolve(apart.getFileName());
        Oracle.h5diff().run(apart.toString(), together.toString()).orFail();
      }
    }
  }

  @Test
  void refusesOptionsThatAreNoNumbers() {
    assertThat(CommandRun.of("flash-io", "--ranks", "x").code()).isEqualTo(WRONG_USE);
    assertThat(CommandRun.of("flash-io", "--datasets", "some").err()).contains("actual=some");
  }

  @Test
  void helpListsOptionsAndTheirDefaults() {
    CommandRun run = CommandRun.of("flash-io", "--help");

    assertThat(run.code()).isZero();
    assertThat(run.out())
        .contains("--connector=CONFIG", "--out=DIR", "--ranks=N", "--explain", "--version")
        .contains("flash-io-out)", "(default: native)");
  }

  @Test
  void uncreatableFolderIsReportedInOneLine() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "");
    CommandRun run = CommandRun.of("flash-io", "--ranks=1", "--out", file.toString());

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err().lines())
        .containsExactly("hyperslab flash-io: file system: actual=exists already, at=" + file);
  }
}
