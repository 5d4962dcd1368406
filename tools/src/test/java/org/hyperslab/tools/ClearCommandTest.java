package org.hyperslab.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.hyperslab.Hdf5;
import org.hyperslab.testkit.Corpus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code clear}. */
final class ClearCommandTest {

  @TempDir private Path folder;

  @Test
  void opensAFileWhoseWriterDied() throws IOException {
    Path path = folder.resolve("dead.h5");
    Files.copy(Corpus.file("misc/latest_h5clear_sec2_v3.h5"), path);
    assertThat(Main.run("ls", path.toString())).isNotZero();
    assertThat(Main.run("clear", "-s", path.toString())).isZero();
    assertThat(Main.run("ls", path.toString())).isZero();
    assertThat(Main.run("clear", "-s", path.toString())).isZero();
    Hdf5.open(path).close();
  }

  @Test
  void refusesWhatIsNoFile() {
    assertThat(Main.run("clear", "-s", folder.resolve("none.h5").toString())).isEqualTo(1);
    assertThat(Main.run("clear", folder.resolve("none.h5").toString())).isEqualTo(2);
  }
}
