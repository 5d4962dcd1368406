package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests common first uses by users of h5py, with the package {@code org.hyperslab} alone. */
class NewcomerTest {

  @TempDir private Path folder;

  /** A particle. */
  record Particle(int id, double x, String name) {}

  private String h5py(Path file, String expression) {
    String script = "import h5py, sys; f = h5py.File(sys.argv[1]); print(" + expression + ")";
    return Oracle.h5py().run(script, file.toString()).output().strip();
  }

  @Test
  void datasetsAreMadeOfJavaClassesAndOptionsByLambda() {
    Path path = folder.resolve("a.h5");
    try (H5File file = Hdf5.create(path)) {
      file.createDataset("plain", double.class, 3, 4).write(new double[3][4]);
      file.createDataset("scalar", String.class).write("text");
      file.datasetBuilder("zipped")
          .value(new int[100][100])
          .options(o -> o.chunked(10, 100).shuffle().deflate(4))
          .create();
      Dataset log =
          file.datasetBuilder("log")
              .type(long.class)
              .shape(0)
              .maxShape(Hdf5.UNLIMITED)
              .options(o -> o.deflate(1))
              .create();
      log.append(new long[] {1, 2, 3});
      file.createDataset("records", Particle.class, 2)
          .write(new Particle[] {new Particle(1, 2.5, "a"), new Particle(2, 3.5, "b")});
    }
    assertThat(
            h5py(
                path,
                "f['plain'].shape, f['plain'].dtype, f['scalar'][()].decode(), f['zipped'].chunks,"
                    + " f['zipped'].compression_opts, list(f['log']), f['log'].maxshape,"
                    + " list(f['records']['x'])"))
        .isEqualTo("(3, 4) float64 text (10, 100) 4 [1, 2, 3] (None,) [2.5, 3.5]");
  }

  @Test
  void emptyArraysTakeFilters() {
    Path path = folder.resolve("empty.h5");
    try (H5File file = Hdf5.create(path)) {
      file.datasetBuilder("empty").value(new int[0]).options(o -> o.deflate(4)).create();
    }
    assertThat(h5py(path, "f['empty'].shape, f['empty'].compression, len(f['empty'][()])"))
        .isEqualTo("(0,) gzip 0");
  }

  @Test
  void fillValuesAreJavaValues() {
    Path path = folder.resolve("fill.h5");
    long[] shape = {2};
    try (H5File file = Hdf5.create(path)) {
      file.datasetBuilder("int").type(int.class).shape(shape).options(o -> o.fill(-1)).create();
      file.datasetBuilder("float")
          .type(float.class)
          .shape(shape)
          .options(o -> o.fill(Double.NaN))
          .create();
      file.datasetBuilder("short").type(short.class).shape(shape).options(o -> o.fill(7L)).create();
      file.datasetBuilder("bool")
          .type(boolean.class)
          .shape(shape)
          .options(o -> o.fill(true))
          .create();
      file.datasetBuilder("string")
          .type(String.class)
          .shape(shape)
          .options(o -> o.chunked(1).fill("none"))
          .create();
      file.root()
          .datasetBuilder("fixed")
          .type(Datatypes.fixedString(6))
          .shape(2)
          .options(DatasetOptions.builder().fill("none").build())
          .create();
      assertThat(file.dataset("int").readInts()).containsExactly(-1, -1);
      assertThat(file.dataset("fixed").readStrings()).containsExactly("none", "none");
      assertThat(file.dataset("string").readStrings()).containsExactly("none", "none");
    }
    assertThat(
            h5py(
                path,
                "list(f['int']), list(f['float']), list(f['short']), list(f['bool']),"
                    + " [s.decode() for s in f['string']], [s.decode() for s in f['fixed']]"))
        .isEqualTo("[-1, -1] [nan, nan] [7, 7] [True, True] ['none', 'none'] ['none', 'none']");
  }

  @Test
  void attributesAreAMapAndHaveDefaults() {
    try (H5File file = Hdf5.createInMemory()) {
      Group root = file.root();
      root.setAttribute("count", 3);
      root.setAttribute("units", "m");
      assertThat(root.attribute("count", 1)).isEqualTo(3);
      assertThat(root.attribute("count", 1.5)).isEqualTo(3.0);
      assertThat(root.attribute("absent", 1)).isEqualTo(1);
      assertThat(root.attribute("units", "?")).isEqualTo("m");
      assertThat(root.attribute("absent", new int[] {4})).containsExactly(4);
      assertThat(root.attributeMap()).containsOnlyKeys("count", "units").containsEntry("count", 3);
      assertThatThrownBy(() -> root.attribute("units", 5)).isInstanceOf(InvalidUseException.class);
    }
  }

  @Test
  void datasetsDescribeThemselves() {
    try (H5File file = Hdf5.createInMemory()) {
      Dataset made = file.createDataset("made", new double[2][3]);
      assertThat(made.toString()).contains("/made", "[2, 3]", "float64");
      Dataset growing =
          file.datasetBuilder("log")
              .type(long.class)
              .shape(1)
              .maxShape(Hdf5.UNLIMITED)
              .options(o -> o.chunked(4))
              .create();
      growing.setExtent(5);
      assertThat(growing.toString()).contains("/log", "[5", "int64");
      try (Dataset opened = file.dataset("made")) {
        assertThat(opened.toString()).contains("/made", "[2, 3]", "float64");
      }
      made.close();
      assertThat(made.toString()).contains("/made", "closed");
    }
  }

  @Test
  void filesLiveInMemory() throws IOException {
    for (FormatVersion low : List.of(FormatVersion.EARLIEST, FormatVersion.V110)) {
      byte[] first;
      CreateOptions options = CreateOptions.DEFAULT.withBounds(low, FormatVersion.V110);
      try (H5File file = Hdf5.createInMemory(options)) {
        file.createDataset("d", new int[] {1, 2, 3});
        first = file.toByteArray(); // while it is open
        file.createDataset("e", new int[] {4});
      }
      Path path = folder.resolve(low + ".h5");
      Files.write(path, first);
      assertThat(h5py(path, "list(f), list(f['d'])")).isEqualTo("['d'] [1, 2, 3]");
      H5File edited = Hdf5.openInMemory(first);
      try (edited) {
        assertThat(edited.dataset("d").readInts()).containsExactly(1, 2, 3);
        edited.dataset("d").write(new int[] {7, 8, 9});
        edited.createGroup("g");
      }
      Files.write(path, edited.toByteArray()); // when it is closed
      assertThat(h5py(path, "list(f), list(f['d'])")).isEqualTo("['d', 'g'] [7, 8, 9]");
      assertThat(Files.exists(Path.of(edited.name()))).isFalse();
    }
    Path local = folder.resolve("local.h5");
    try (H5File file = Hdf5.create(local)) {
      assertThatThrownBy(file::toByteArray).isInstanceOf(InvalidUseException.class);
    }
    assertThatThrownBy(() -> Hdf5.openInMemory(new byte[100]))
        .isInstanceOf(CorruptFileException.class);
  }

  @Test
  void filesInMemoryLinkToFilesOnDisk() {
    Path path = folder.resolve("other.h5");
    try (H5File file = Hdf5.create(path)) {
      file.createDataset("d", 42).close();
    }
    try (H5File file = Hdf5.createInMemory();
        H5File second = Hdf5.createInMemory()) {
      second.createGroup("second").close();
      file.root().createExternalLink("there", path.toString(), "d");
      assertThat(file.dataset("there").read()).isEqualTo(42);
      assertThat(file.root().names()).containsExactly("there");
    }
  }
}
