package org.hyperslab.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the command {@code verify}. */
final class VerifyCommandTest {

  @TempDir private Path folder;

  @Test
  void danglingLinksAreComparedAndSoIsEverythingBesideThem() {
    Path path = folder.resolve("links.h5");
    try (H5File file = Hdf5.create(path)) {
      file.createDataset("a/numbers", new int[] {1, 2, 3});
      file.root().createSoftLink("a/nowhere", "/none");
      file.root().createExternalLink("a/outside", "none.h5", "/x");
      file.createDataset("z", new double[] {1});
    }
    CommandRun run = CommandRun.of("verify", path.toString());
    assertThat(run.code()).isZero();
    assertThat(run.out()).contains("the same, 0 differences, 0 places not compared");
  }
}
