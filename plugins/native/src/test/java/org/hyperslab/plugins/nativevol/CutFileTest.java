package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.AllocationTime;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.Layout;
import org.hyperslab.model.OpenOptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests files that another program makes shorter while they are open: what is gone is an error, in
 * every layout and on every path; nothing reads as zeros that was not written as zeros.
 */
final class CutFileTest {

  private static final int ELEMENTS = 400_000;
  private static final long KEPT_BYTES = 5000;

  @TempDir private Path folder;
  private Path path;

  @BeforeEach
  void createFile() {
    path = folder.resolve("cut.h5");
    try (H5File file = Hdf5.create(path)) {
      Dataspace space = Dataspace.simple(ELEMENTS);
      create(file, "contiguous", space, DatasetOptions.DEFAULT);
      create(file, "chunked", space, DatasetOptions.chunked(ELEMENTS / 10).build());
      create(file, "small", space, DatasetOptions.chunked(100).build());
      create(file, "filtered", space, DatasetOptions.chunked(10_000).deflate(1).build());
      file.createDataset("text", new String[] {"one", "two", "three"});
      file.datasetBuilder("view")
          .type(Datatypes.F64LE)
          .space(space)
          .options(
              DatasetOptions.builder()
                  .layout(
                      new Layout.Virtual(
                          List.of(
                              new Layout.Virtual.Mapping(
                                  Selection.all(),
                                  ".",
                                  "contiguous",
                                  Dataspace.simple(ELEMENTS),
                                  Selection.all()))))
                  .build())
          .create();
    }
  }

  private static void create(H5File file, String name, Dataspace space, DatasetOptions options) {
    file.datasetBuilder(name)
        .type(Datatypes.F64LE)
        .space(space)
        .options(options)
        .create()
        .write(values());
  }

  private static double[] values() {
    double[] values = new double[ELEMENTS];
    Arrays.fill(values, 3);
    return values;
  }

  private static void cut(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(KEPT_BYTES);
    }
  }

  /** Reads everything, or the last elements only, before or after the same was read once. */
  @ParameterizedTest
  @ValueSource(strings = {"contiguous", "chunked", "small", "filtered", "view"})
  void whatIsGoneIsAnError(String name) throws IOException {
    byte[] whole = Files.readAllBytes(path);
    for (OpenOptions options : List.of(OpenOptions.READ, OpenOptions.EDIT)) {
      for (boolean warm : new boolean[] {false, true}) {
        Files.write(path, whole);
        H5File file = Hdf5.open(path.toString(), options);
        Dataset dataset = file.dataset(name);
        if (warm) {
          assertThat(dataset.readDoubles()).isEqualTo(values());
        }
        cut(path);
        String what = name + " " + options.writable() + " " + warm;
        assertThatThrownBy(dataset::readDoubles).as(what).isInstanceOf(HyperslabException.class);
        Selection some =
            Selection.hyperslab(
                new long[] {ELEMENTS / 2}, new long[] {99}, new long[] {1000}, new long[] {1});
        expectValuesOrError(what, () -> dataset.select(some).readDoubles());
        if (options.writable()) {
          assertThatThrownBy(() -> file.root().copy(name, file.root(), "copy"))
              .as(what)
              .isInstanceOf(HyperslabException.class);
        }
        closeAnyhow(file);
      }
    }
  }

  /** What is cached may still be read; it must have its values then. */
  private static void expectValuesOrError(String what, Supplier<double[]> read) {
    try {
      assertThat(read.get()).as(what).containsOnly(3);
    } catch (StorageException | CorruptFileException expected) {
      assertThat(expected).as(what).hasMessageContaining("cut.h5");
    }
  }

  @Test
  void messageSaysWhatHappened() throws IOException {
    try (H5File file = Hdf5.open(path.toString())) {
      Dataset dataset = file.dataset("contiguous");
      cut(path);
      assertThatThrownBy(dataset::readDoubles)
          .isInstanceOf(StorageException.class)
          .hasMessageContaining("file became shorter while it is open: actual=5000 bytes");
    }
  }

  /** Otherwise the file would get zeros where the content was, and open without an error. */
  @Test
  void editsOfAFileThatWasCutAreNotFlushed() throws IOException {
    H5File file = Hdf5.openForEdit(path.toString());
    file.createGroup("g");
    cut(path);
    assertThatThrownBy(file::flush)
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("became shorter");
    closeAnyhow(file);
    assertThat(Files.size(path)).isEqualTo(KEPT_BYTES);
    assertThatThrownBy(() -> Hdf5.open(path.toString())).isInstanceOf(CorruptFileException.class);
  }

  /** Space that was allocated and not written yet is not in the file, and reads as zeros. */
  @Test
  void newSpaceStillReadsAsZeros() {
    Path fresh = folder.resolve("fresh.h5");
    DatasetOptions early =
        DatasetOptions.builder()
            .layout(new Layout.Contiguous())
            .allocationTime(AllocationTime.EARLY)
            .build();
    try (H5File file = Hdf5.create(fresh)) {
      Dataset first =
          file.datasetBuilder("a").type(Datatypes.F64LE).shape(1000).options(early).create();
      assertThat(first.readDoubles()).containsOnly(0);
      file.flush();
      Dataset second =
          file.datasetBuilder("b").type(Datatypes.F64LE).shape(100_000).options(early).create();
      assertThat(second.readDoubles()).containsOnly(0);
      file.root().delete("b");
      file.flush();
      Dataset third =
          file.datasetBuilder("c").type(Datatypes.F64LE).shape(200_000).options(early).create();
      assertThat(third.readDoubles()).containsOnly(0);
      file.root().copy("c", file.root(), "d");
      assertThat(file.dataset("d").readDoubles()).containsOnly(0);
    }
    assertThatCode(() -> LibraryJudge.h5dump(fresh, "-H")).doesNotThrowAnyException();
  }

  /** An external raw file that was cut, and one that never had all elements. */
  @Test
  void externalRawFileThatWasCutIsAnError() throws IOException {
    Path main = folder.resolve("main.h5");
    Path raw = folder.resolve("raw.bin");
    DatasetOptions external =
        DatasetOptions.builder()
            .layout(
                new Layout.External(
                    List.of(new Layout.External.Segment("raw.bin", 0, 8L * ELEMENTS))))
            .build();
    try (H5File file = Hdf5.create(main)) {
      create(file, "d", Dataspace.simple(ELEMENTS), external);
    }
    try (H5File file = Hdf5.open(main.toString())) {
      Dataset dataset = file.dataset("d");
      assertThat(dataset.readDoubles()).isEqualTo(values());
      cut(raw);
      assertThatThrownBy(dataset::readDoubles)
          .isInstanceOf(StorageException.class)
          .hasMessageContaining("became shorter");
    }
    try (H5File file = Hdf5.open(main.toString())) {
      double[] read = file.dataset("d").readDoubles();
      assertThat(read[(int) KEPT_BYTES / 8 - 1]).isEqualTo(3);
      assertThat(read[ELEMENTS - 1]).as("as the library reads it").isZero();
    }
  }

  private static void closeAnyhow(H5File file) {
    try {
      file.close();
    } catch (HyperslabException failed) {
      assertThat(failed).hasMessageNotContaining("internal");
    }
  }
}
