package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.Layout;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests datasets whose external raw files do not exist yet. */
final class ExternalRawFileTest {

  private static final Selection EVERY_SECOND =
      Selection.hyperslab(new long[] {1}, new long[] {2}, new long[] {4}, new long[] {1});

  @TempDir private Path folder;

  private Dataset create(H5File file) {
    Layout raw =
        new Layout.External(
            List.of(
                new Layout.External.Segment("first.raw", 0, 16),
                new Layout.External.Segment("second.raw", 0, 16)));
    return file.root()
        .createDataset(
            "d",
            Datatypes.I32LE,
            Dataspace.simple(8),
            DatasetOptions.builder().layout(raw).build());
  }

  @Test
  void createsTheFilesForAStridedWrite() throws IOException {
    Path path = folder.resolve("strided.h5");
    try (H5File file = Hdf5.create(path)) {
      create(file).write(EVERY_SECOND, new int[] {1, 2, 3, 4});
      assertThat(file.dataset("d").readInts()).containsExactly(0, 1, 0, 2, 0, 3, 0, 4);
    }
    assertThat(Files.size(folder.resolve("first.raw"))).isEqualTo(16);
    assertThat(Files.size(folder.resolve("second.raw"))).isEqualTo(16);
    Oracle h5dump = Oracle.h5dump().with(Map.of("HDF5_EXTFILE_PREFIX", folder.toString()));
    assertThat(h5dump.run(path.toString()).orFail().output())
        .contains("(0): 0, 1, 0, 2, 0, 3, 0, 4");
  }

  @Test
  void keepsTheBytesBetweenTheElementsOfAStridedWrite() {
    try (H5File file = Hdf5.create(folder.resolve("between.h5"))) {
      Dataset dataset = create(file);
      dataset.write(new int[] {9, 9, 9, 9, 9, 9, 9, 9});
      dataset.write(EVERY_SECOND, new int[] {1, 2, 3, 4});
      assertThat(dataset.readInts()).containsExactly(9, 1, 9, 2, 9, 3, 9, 4);
    }
  }

  @Test
  void aFileThatDoesNotExistCannotBeRead() {
    try (H5File file = Hdf5.create(folder.resolve("missing.h5"))) {
      Dataset dataset = create(file);
      assertThatThrownBy(dataset::readInts)
          .isInstanceOf(NotFoundException.class)
          .hasMessageContaining("first.raw");
    }
  }
}
