package org.hyperslab.plugins.libhdf5;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a rehearsal does what a program of libhdf5 does. */
final class RehearsalTest {

  private static final int DATASETS = 20;

  @TempDir private Path folder;

  @Test
  void writesWhatIsReadBack() {
    Oracle.program("gcc");

    BridgeLibrary.rehearse(folder, DATASETS);

    int each = 0x01010101;
    try (H5File file = Hdf5.open(folder.resolve("rehearsal.h5"))) {
      assertThat(file.root().names()).hasSize(2 + DATASETS);
      assertThat(file.dataset("small" + (DATASETS - 1)).readInts()).containsExactly(each);
      assertThat(file.root().names().stream().filter(name -> name.startsWith("large")))
          .hasSize(2)
          .allSatisfy(name ->
              assertThat(file.dataset(name).readFloats())
                  .hasSize(1 << 18)
                  .containsOnly(Float.intBitsToFloat(each)));
    }
  }
}
