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
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.Layout;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.ObjectOperation;
import org.hyperslab.vol.Operation;
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
        .datasetBuilder("d")
        .type(Datatypes.I32LE)
        .shape(8)
        .options(DatasetOptions.builder().layout(raw).build())
        .create();
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

  /** As in the HDF5 library, which refuses them when the dataset is created. */
  @Test
  void refusesFilesThatAreTooSmallForTheGreatestExtent() {
    try (H5File file = Hdf5.create(folder.resolve("small.h5"))) {
      long endless = Dataspace.UNLIMITED;
      refused(file, Dataspace.simple(new long[] {8}, new long[] {9}), "at least 36");
      refused(file, Dataspace.simple(new long[] {8}, new long[] {endless}), "no limit");
      refused(file, Dataspace.simple(new long[] {2, 2}, new long[] {2, 3}), "dimension 0 only");
      assertThat(file.root().links()).isEmpty();
    }
  }

  private static void refused(H5File file, Dataspace space, String reason) {
    Layout raw = new Layout.External(List.of(new Layout.External.Segment("a.raw", 0, 32)));
    DatasetOptions options = DatasetOptions.builder().layout(raw).build();
    assertThatThrownBy(() ->
            file.root()
                .datasetBuilder("d")
                .type(Datatypes.I32LE)
                .space(space)
                .options(options)
                .create())
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining(reason);
  }

  /** Two files of the same name; the dataset says in which folder its own is. */
  @Test
  void aDatasetFindsItsFilesAtItsOwnPrefix() throws IOException {
    Path there = Files.createDirectory(folder.resolve("there"));
    String name = folder.resolve("prefix.h5").toString();
    try (H5File file = Hdf5.create(name)) {
      create(file).write(new int[] {1, 2, 3, 4, 5, 6, 7, 8});
    }
    try (Connector connector = new NativeConnector()) {
      Handle file = Handle.fresh();
      done(connector, new FileOperation.Open(file, name, OpenOptions.EDIT));
      Handle dataset = opened(connector, file);
      done(connector, access(dataset, "${ORIGIN}/there"));
      DataBuffer values = DataBuffer.allocate(Datatypes.I32LE, 8);
      values.elements().fill((byte) 1);
      var all =
          new DatasetOperation.Transfer(
              Datatypes.I32LE,
              Dataspace.simple(8),
              Selection.all(),
              Selection.all(),
              TransferOptions.DEFAULT);
      done(connector, new DatasetOperation.Write(dataset, all, values));
      Handle again = opened(connector, file);
      assertThatThrownBy(() -> done(connector, access(again, "elsewhere")))
          .hasRootCauseInstanceOf(InvalidUseException.class)
          .hasMessageContaining("already open");
      done(connector, new FileOperation.Close(file));
    }
    assertThat(Files.readAllBytes(there.resolve("first.raw"))).containsOnly(1);
    assertThat(Files.readAllBytes(folder.resolve("first.raw"))).startsWith(1, 0, 0, 0, 2);
  }

  private static Handle opened(Connector connector, Handle file) {
    Handle dataset = Handle.fresh();
    done(connector, new ObjectOperation.Open(dataset, new Location(file, "d")));
    return dataset;
  }

  private static DatasetOperation.SetAccess access(Handle dataset, String prefix) {
    return new DatasetOperation.SetAccess(dataset, Map.of("externalFilePrefix", prefix));
  }

  private static void done(Connector connector, Operation<?> operation) {
    connector.submit(operation).toCompletableFuture().join();
  }
}
