package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.Reference;
import org.hyperslab.model.AllocationTime;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FormatVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests datasets whose chunks are all allocated at creation: elements that enter the extent read as
 * the fill value, whatever the file contained there.
 */
final class ImplicitIndexTest {

  @TempDir Path folder;

  @Test
  void growthReadsAsFillValueWhereChunksHadAPlaceAlready() {
    Path path = folder.resolve("implicit.h5");
    int[] values = IntStream.rangeClosed(1, 40).toArray();
    try (Session session = Hdf5.session(new NativeConnector())) {
      CreateOptions latest =
          CreateOptions.DEFAULT.withBounds(FormatVersion.V110, FormatVersion.LATEST);
      try (H5File file = session.create(path, latest)) {
        Dataset dataset =
            file.datasetBuilder("d")
                .type(Datatypes.I32LE)
                .shape(40)
                .maxShape(100)
                .options(DatasetOptions.chunked(8).allocationTime(AllocationTime.EARLY).build())
                .create();
        dataset.write(values);
        file.flush();
        dataset.setExtent(12);
        dataset.setExtent(90);
        assertThat(dataset.readInts()).isEqualTo(expected(values));
      }
      try (H5File file = session.open(path)) {
        assertThat(file.dataset("d").readInts()).isEqualTo(expected(values));
      }
    }
  }

  @Test
  void copiesOfReferencesHaveTheirElements() {
    Path path = folder.resolve("references.h5");
    try (Session session = Hdf5.session(new NativeConnector())) {
      CreateOptions bounds =
          CreateOptions.DEFAULT.withBounds(FormatVersion.V110, FormatVersion.V110);
      Reference[] all = new Reference[23];
      try (H5File file = session.create(path, bounds)) {
        Arrays.fill(all, file.root().reference());
        file.datasetBuilder("d")
            .type(Datatypes.OBJECT_REFERENCE)
            .shape(23)
            .maxShape(27)
            .options(DatasetOptions.chunked(4).allocationTime(AllocationTime.EARLY).build())
            .create()
            .write(all);
        file.root().copy("d", file.root(), "copy");
      }
      try (H5File file = session.open(path)) {
        assertThat(file.dataset("copy").read(Reference[].class)).isEqualTo(all);
      }
    }
  }

  private static int[] expected(int[] values) {
    return Arrays.copyOf(Arrays.copyOf(values, 12), 90);
  }
}
