package org.hyperslab.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.EnumType;
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

  @Test
  void negativeConstantsOfAnEnumAreTheSameInBothReaders() {
    Path path = folder.resolve("enum.h5");
    EnumType type = EnumType.builder(Datatypes.I8LE).constant("DOWN", -1).constant("UP", 1).build();
    try (H5File file = Hdf5.create(path)) {
      file.createDataset("directions", type, Dataspace.simple(2)).write(new byte[] {-1, 1});
    }
    CommandRun run = CommandRun.of("verify", path.toString());
    assertThat(run.out()).contains("the same, 0 differences");
  }
}
