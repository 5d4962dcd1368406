package org.hyperslab.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The exit codes of the command are h5dump's; what it prints is judged by DumpOptionsTest. */
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
    assertThat(Main.run("dump", "-h")).isZero();
    assertThat(Main.run("dump", "--help")).isZero();
    assertThat(Main.run("dump", "-V")).isZero();
    assertThat(Main.run("dump", "--version")).isZero();
  }

  @Test
  void whatIsThereIsPrintedAndWhatIsNotFails() {
    assertThat(Main.run("dump", "-H", "-d", "/d", file)).isZero();
    assertThat(Main.run("dump", "-Hp", "--", file)).isZero();
    assertThat(Main.run("dump", "-d", "/none", file)).isEqualTo(1);
    assertThat(Main.run("dump", file + ".none")).isEqualTo(1);
  }

  @Test
  void wrongWordsFail() {
    assertThat(Main.run("dump")).isEqualTo(1);
    assertThat(Main.run("dump", "-H")).isEqualTo(1);
    assertThat(Main.run("dump", "-Z", file)).isEqualTo(1);
    assertThat(Main.run("dump", "-x", file)).isEqualTo(1);
  }

  @Test
  void aNameThatLooksLikeAnOptionFollowsTwoHyphens() {
    assertThat(Main.run("dump", "--", "-H")).isEqualTo(1);
    assertThat(Main.run("dump", "--", file)).isZero();
  }
}
