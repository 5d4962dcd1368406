package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Slice;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.vol.Connectors;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.PassThroughConnector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests calls that do at once what others do in several steps. */
final class ShortCallsTest {

  @TempDir private Path folder;

  /** A particle. */
  record Particle(int id, double x) {}

  @Test
  void aFileHasTheCallsOfItsRootGroup() {
    try (H5File file = Hdf5.createInMemory()) {
      file.setAttribute("title", "a test");
      file.requireGroup("g/h").close();
      file.requireGroup("g").close();
      file.createDataset("x", 1);
      assertThat(file.names()).containsExactly("g", "x");
      assertThat(file.attribute("title").readString()).isEqualTo("a test");
      assertThat(file.root().attribute("title").read()).isEqualTo("a test");
      file.delete("x");
      assertThat(file.names()).containsExactly("g");
      assertThatThrownBy(() -> file.attribute("titel"))
          .isInstanceOf(NotFoundException.class)
          .hasMessageContaining("did you mean \"title\"?");
    }
  }

  @Test
  void singleElementsAreReadAsWhatTheyAre() {
    try (H5File file = Hdf5.createInMemory()) {
      Dataset pi = file.createDataset("pi", Math.PI);
      assertThat(pi.readDouble()).isEqualTo(Math.PI);
      assertThat(pi.readInt()).isEqualTo(3);
      Dataset count = file.createDataset("count", new long[] {1L << 40, 7});
      assertThat(count.slice("0").readLong()).isEqualTo(1L << 40);
      assertThat(count.slice("1").readInt()).isEqualTo(7);
      assertThat(count.slice("1").readDouble()).isEqualTo(7);
      assertThatThrownBy(() -> count.slice("0").readInt()).isInstanceOf(InvalidUseException.class);
      assertThatThrownBy(count::readLong)
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("an array, for there are 2 elements")
          .hasMessageContaining("/count");
      assertThat(file.createDataset("flag", true).readBoolean()).isTrue();
      Dataset names = file.createDataset("names", new String[] {"a", "b"});
      assertThat(names.slice("-1").readString()).isEqualTo("b");
      assertThat(file.createDataset("name", "n").readString()).isEqualTo("n");
    }
  }

  @Test
  void rowsComeOneAfterAnother() {
    try (H5File file = Hdf5.createInMemory()) {
      double[][] values = new double[10][3];
      for (int i = 0; i < 30; i++) {
        values[i / 3][i % 3] = i;
      }
      Dataset matrix =
          file.datasetBuilder("m").value(values).options(o -> o.chunked(4, 2)).create();
      assertThat(matrix.rows(double[].class).toArray(double[][]::new)).isDeepEqualTo(values);
      assertThat(matrix.rows(int[].class).mapToInt(row -> row[1]).sum()).isEqualTo(145);
      Dataset records =
          file.createDataset(
              "r", new Particle[] {new Particle(1, 2.5), new Particle(2, 3.5), new Particle(3, 4)});
      assertThat(records.rows(Particle.class).map(Particle::id)).containsExactly(1, 2, 3);
      assertThat(matrix.slice(":, 0").readDoubles()).hasSize(10);
      assertThat(file.createDataset("v", new int[] {4, 5}).rows(int.class)).containsExactly(4, 5);
      assertThat(file.createDataset("s", new String[] {"a"}).rows(String.class))
          .containsExactly("a");
      int[][][] cube = {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}};
      Dataset three = file.createDataset("c", cube);
      assertThat(three.rows(int[][].class).toArray(int[][][]::new)).isDeepEqualTo(cube);
      assertThat(three.rows(int[].class).toArray(int[][]::new))
          .isDeepEqualTo(new int[][] {{1, 2, 3, 4}, {5, 6, 7, 8}});
      assertThat(file.createDataset("none", double.class, 0, 3).rows(double[].class)).isEmpty();
      assertThatThrownBy(() -> file.createDataset("one", 1).rows(int.class))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("scalar");
    }
  }

  @Test
  void manyRowsAreReadSomeAtATime() {
    List<Long> counts = new ArrayList<>();
    try (var session = Hdf5.session("native");
        H5File made = session.create(folder.resolve("a.h5").toString())) {
      made.datasetBuilder("m")
          .type(double.class)
          .shape(100_000, 100)
          .options(o -> o.chunked(1000, 100))
          .create();
    }
    try (PassThroughConnector counting =
            new PassThroughConnector("counting", Connectors.create("native")) {
              @Override
              public <R> CompletionStage<R> submit(Operation<R> operation) {
                if (operation instanceof DatasetOperation.Read read) {
                  counts.add(read.transfer().memorySpace().elementCount());
                }
                return super.submit(operation);
              }
            };
        var session = Hdf5.session(counting);
        H5File file = session.open(folder.resolve("a.h5").toString())) {
      Stream<double[]> rows = file.dataset("m").rows(double[].class);
      assertThat(rows.skip(7000).findFirst()).get().satisfies(row -> assertThat(row).hasSize(100));
      assertThat(counts).containsExactly(500_000L, 500_000L);
    }
  }

  @Test
  void chunksCoverTheExtent() {
    try (H5File file = Hdf5.createInMemory()) {
      Dataset matrix =
          file.datasetBuilder("m")
              .type(int.class)
              .shape(5, 7)
              .maxShape(Hdf5.UNLIMITED, 7)
              .options(o -> o.chunked(2, 3))
              .create();
      matrix.write(1);
      assertThat(matrix.chunkSlices().map(slice -> List.of(slice.shape()[0], slice.shape()[1])))
          .containsExactly(
              List.of(2L, 3L),
              List.of(2L, 3L),
              List.of(2L, 1L),
              List.of(2L, 3L),
              List.of(2L, 3L),
              List.of(2L, 1L),
              List.of(1L, 3L),
              List.of(1L, 3L),
              List.of(1L, 1L));
      int number = 0;
      for (Slice slice : matrix.chunkSlices().toList()) {
        slice.write(number++);
      }
      assertThat(matrix.slice("-1").readInts()).containsExactly(6, 6, 6, 7, 7, 7, 8);
      assertThatThrownBy(() -> file.createDataset("plain", new int[3]).chunkSlices())
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("without chunks");
    }
  }

  @Test
  void whatIsRequiredIsOpenedOrCreated() {
    try (H5File file = Hdf5.createInMemory()) {
      file.requireDataset("g/x", double.class, 2, 3).write(1);
      assertThat(file.requireDataset("g/x", double.class, 2, 3).readDoubles()).containsOnly(1);
      assertThat(file.requireDataset("g/x", float.class, 2, 3).type()).isEqualTo(Datatypes.F64LE);
      assertThat(file.requireDataset("g/x", int.class, 2, 3).type()).isEqualTo(Datatypes.F64LE);
      refused(() -> file.requireDataset("g/x", long.class, 2, 3), "every value");
      refused(() -> file.requireDataset("g/x", String.class, 2, 3), "every value");
      refused(() -> file.requireDataset("g/x", double.class, 3, 2), "simple[3, 2]");
      assertThatThrownBy(() -> file.requireDataset("g", double.class, 3))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("kind of object");
      Datatype big = Datatypes.F64BE;
      Dataspace grows = Dataspace.simple(new long[] {0}, new long[] {Hdf5.UNLIMITED});
      DatasetOptions options = DatasetOptions.chunked(10).build();
      Dataset log = file.root().requireDataset("log", big, grows, options);
      log.append(new double[] {1, 2});
      Dataset again = file.root().requireDataset("log", Datatypes.F64LE, grows, options);
      assertThat(again.readDoubles()).containsExactly(1, 2);
    }
  }

  private static void refused(Runnable call, String text) {
    assertThatThrownBy(call::run)
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining(text)
        .hasMessageContaining("dataset /g/x");
  }

  @Test
  void aDatasetLikeAnotherHasItsOptions() {
    Path path = folder.resolve("a.h5");
    try (H5File file = Hdf5.create(path)) {
      Dataset first =
          file.datasetBuilder("first")
              .type(short.class)
              .shape(4, 5)
              .maxShape(Hdf5.UNLIMITED, 5)
              .options(o -> o.chunked(2, 5).shuffle().deflate(3).fletcher32().fill(-1))
              .create();
      Dataset second = file.createLike("g/second", first);
      assertThat(second.space()).isEqualTo(first.space());
      assertThat(second.readInts()).containsOnly(-1);
    }
    String script =
        "import h5py, sys; f = h5py.File(sys.argv[1]); print(*[(d.shape, d.maxshape, d.dtype,"
            + " d.chunks, d.shuffle, d.compression, d.compression_opts, d.fletcher32,"
            + " int(d.fillvalue)) for d in (f['first'], f['g/second'])], sep='\\n')";
    List<String> both =
        Oracle.h5py().run(script, path.toString()).orFail().output().strip().lines().toList();
    assertThat(both.get(1))
        .isEqualTo(both.get(0))
        .isEqualTo("((4, 5), (None, 5), dtype('int16'), (2, 5), True, 'gzip', 3, True, -1)");
  }
}
