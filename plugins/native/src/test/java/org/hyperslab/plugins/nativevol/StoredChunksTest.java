package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.model.Layout;
import org.hyperslab.model.RawChunk;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that chunks written in stored form are refused if they could not be read again. */
final class StoredChunksTest {

  private static final CreateOptions NEWEST =
      CreateOptions.DEFAULT.withBounds(FormatVersion.V110, FormatVersion.V110);

  @TempDir private Path folder;

  @Test
  void emptyFilteredChunkIsRefused() {
    try (H5File file = Hdf5.create(folder.resolve("none.h5"))) {
      Dataset dataset =
          file.datasetBuilder("d")
              .type(Datatypes.I32LE)
              .shape(60)
              .maxShape(100)
              .options(
                  DatasetOptions.builder()
                      .layout(new Layout.Chunked(List.of(40L), false))
                      .deflate(1)
                      .build())
              .create();
      dataset.write(new int[60]);
      RawChunk encoded = dataset.readChunk(0);
      assertThat(encoded.bytes().byteSize()).isLessThan(160);
      assertThatThrownBy(() -> dataset.writeChunk(encoded, 40))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("expected=160");
      dataset.writeChunk(chunk(new int[40]), 40);
      dataset.writeChunk(encoded, 0);
      assertThat(dataset.readInts()).hasSize(60).containsOnly(0);
    }
  }

  private static RawChunk chunk(int... values) {
    return new RawChunk(MemorySegment.ofArray(values), 0);
  }
}
