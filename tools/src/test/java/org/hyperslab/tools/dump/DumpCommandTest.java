package org.hyperslab.tools.dump;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.tools.CommandRun;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the exit codes of the command are h5dump's. DumpOptionsTest compares the output. */
final class DumpCommandTest {

  @TempDir private Path folder;
  private String file;

  @BeforeEach
  void createFile() {
    Path path = folder.resolve("a.h5");
    file = path.toString();
    try (H5File made = Hdf5.create(path)) {
      made.createDataset("d", new int[] {1, 2, 3}).close();
    }
  }

  @Test
  void helpAndVersionEndWell() {
    assertThat(CommandRun.of("dump", "-h").code()).isZero();
    assertThat(CommandRun.of("dump", "--help").code()).isZero();
    assertThat(CommandRun.of("dump", "-V").code()).isZero();
    assertThat(CommandRun.of("dump", "--version").code()).isZero();
  }

  @Test
  void printsExistingObjectsAndFailsForMissingOnes() {
    assertThat(CommandRun.of("dump", "-H", "-d", "/d", file).code()).isZero();
    assertThat(CommandRun.of("dump", "-Hp", "--", file).code()).isZero();
    assertThat(CommandRun.of("dump", "-d", "/none", file).code()).isEqualTo(1);
    assertThat(CommandRun.of("dump", file + ".none").code()).isEqualTo(1);
  }

  @Test
  void wrongWordsFail() {
    assertThat(CommandRun.of("dump").code()).isEqualTo(1);
    assertThat(CommandRun.of("dump", "-H").code()).isEqualTo(1);
    assertThat(CommandRun.of("dump", "-Z", file).code()).isEqualTo(1);
    assertThat(CommandRun.of("dump", "-x", file).code()).isEqualTo(1);
  }

  @Test
  void aNameThatLooksLikeAnOptionFollowsTwoHyphens() {
    assertThat(CommandRun.of("dump", "--", "-H").code()).isEqualTo(1);
    assertThat(CommandRun.of("dump", "--", file).code()).isZero();
  }
}
