package org.hyperslab.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.hyperslab.Hdf5;
import org.hyperslab.testkit.Corpus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the command {@code clear}. */
final class ClearCommandTest {

  @TempDir private Path folder;

  @Test
  void opensAFileOfACrashedWriter() throws IOException {
    Path path = folder.resolve("dead.h5");
    Files.copy(Corpus.file("misc/latest_h5clear_sec2_v3.h5"), path);
    assertThat(CommandRun.of("ls", path.toString()).code()).isNotZero();
    assertThat(CommandRun.of("clear", "-s", path.toString()).code()).isZero();
    assertThat(CommandRun.of("ls", path.toString()).code()).isZero();
    assertThat(CommandRun.of("clear", "-s", path.toString()).code()).isZero();
    Hdf5.open(path).close();
  }

  @Test
  void missingOptionIsNamedAndHelpExplainsIt() {
    CommandRun run = CommandRun.of("clear", "a.h5");
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("--status", "Usage: hyperslab clear -s", " FILE");
    assertThat(CommandRun.of("clear", "--help").out()).contains("crashes", "-s, --status");
  }

  @Test
  void refusesPathsThatAreNoFiles() {
    assertThat(CommandRun.of("clear", "-s", folder.resolve("none.h5").toString()).code())
        .isEqualTo(1);
    assertThat(CommandRun.of("clear", folder.resolve("none.h5").toString()).code()).isEqualTo(2);
  }
}
