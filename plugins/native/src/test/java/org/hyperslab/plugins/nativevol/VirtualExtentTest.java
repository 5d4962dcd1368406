package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.model.Layout;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests the extents of unlimited virtual datasets, and which of these the HDF5 library accepts
 * ({@code H5Dvirtual.c}), with h5dump and h5py.
 */
final class VirtualExtentTest {

  private static final long[] UNLIMITED = {Selection.UNLIMITED};
  private static final long[] ONE = {1};
  private static final Selection ALL = Selection.hyperslab(new long[] {0}, ONE, ONE, UNLIMITED);
  private static final CreateOptions MODERN =
      CreateOptions.DEFAULT.withBounds(FormatVersion.V110, FormatVersion.V110);
  private static final String READ =
      """
      import sys, h5py
      f = h5py.File(sys.argv[1])
      for n in sys.argv[2:]: print(n, f[n].shape, f[n][...].flatten().tolist())
      """;

  /** Reads all elements of "v" without asking for the extent, into four elements of -1. */
  private static final String READ_WITHOUT_ASKING =
      """
      import sys, h5py, numpy
      values = numpy.full(4, -1, 'i4')
      h5py.File(sys.argv[1], 'r')['v'].id.read(h5py.h5s.ALL, h5py.h5s.ALL, values)
      print(values.tolist())
      """;

  private static final String SHARED_NAMES =
      """
      import sys, h5py
      folder = sys.argv[1]
      A, B = 'first-source.h5', 'second-source.h5'
      for name, base in ((A, 0), (B, 10)):
          with h5py.File(folder + name, 'w') as f:
              f['one/long/name'] = [base + 1]
              f['two'] = [base + 2]
      with h5py.File(sys.argv[2], 'w', libver='latest') as f:
          f['local'] = [1001]
          one, two = 'one/long/name', 'two'
          maps = [(A, one), (A, two), (B, one), (B, two), (A, one), (B, two)]
          maps += [('.', 'local'), (A, one), (A, 'absent')]
          v = h5py.VirtualLayout((len(maps),), 'i8')
          for i, (name, path) in enumerate(maps): v[i] = h5py.VirtualSource(name, path, (1,), 'i8')
          f.create_virtual_dataset('v', v, fillvalue=-1)
      """;

  @TempDir private Path folder;

  @Test
  void extentCoversLimitedMappings() {
    Path path = folder.resolve("virtual.h5");
    Selection later = Selection.box(new long[] {5}, new long[] {2});
    create(path, 7, List.of(of(ALL, "/growing", 3, ALL), of(later, "/fixed", 2, Selection.all())));
    try (H5File file = Hdf5.open(path)) {
      assertThat(file.dataset("v").readInts()).containsExactly(1, 2, 3, 0, 0, 8, 9);
    }
    for (Oracle h5dump : judges()) {
      assertThat(h5dump.run("-d", "/v", path.toString()).orFail().output())
          .contains("(0): 1, 2, 3, 0, 0, 8, 9");
    }
    assertThat(Oracle.h5py().run(READ, path.toString(), "v").orFail().output())
        .isEqualTo("v (7,) [1, 2, 3, 0, 0, 8, 9]\n");
  }

  /** HDF5 2.0 keeps names that several mappings have once, and none where it is the same file. */
  @Test
  void mappingsThatShareNamesAreRead() {
    assumeTrue(Oracle.newest("h5repack").isPresent(), "no tools of HDF5 2.x");
    Path made = folder.resolve("made.h5");
    Path path = folder.resolve("shared-names.h5");
    Oracle.h5py().run(SHARED_NAMES, folder + "/", made.toString()).orFail();
    Oracle.newest("h5repack")
        .orElseThrow()
        .run("--low=5", "--high=5", made.toString(), path.toString())
        .orFail();
    try (H5File file = Hdf5.open(path)) {
      assertThat(file.dataset("v").readInts()).containsExactly(1, 2, 11, 12, 1, 12, 1001, 1, -1);
      Layout.Virtual layout = (Layout.Virtual) file.dataset("v").options().layout();
      assertThat(
              layout.mappings().stream()
                  .map(each -> each.sourceFile() + ":" + each.sourceDataset()))
          .containsExactly(
              "first-source.h5:one/long/name",
              "first-source.h5:two",
              "second-source.h5:one/long/name",
              "second-source.h5:two",
              "first-source.h5:one/long/name",
              "second-source.h5:two",
              ".:local",
              "first-source.h5:one/long/name",
              "first-source.h5:absent");
    }
  }

  @Test
  void numberedSourcesAreFollowedByAllLibraries() {
    Path path = folder.resolve("numbered.h5");
    Selection blocks =
        Selection.hyperslab(new long[] {0}, new long[] {3}, UNLIMITED, new long[] {2});
    create(path, 0, List.of(of(blocks, "/part%b", 2, Selection.all())));
    try (H5File file = Hdf5.open(path, OpenOptions.EDIT)) {
      for (int part : new int[] {0, 1, 3}) {
        file.createDataset("part" + part, new int[] {10 * part + 1, 10 * part + 2});
      }
    }
    assertThat(read(path, OpenOptions.READ)).containsExactly(1, 2, 0, 11, 12);
    assertThat(read(path, OpenOptions.READ.withProperty("virtual.gap", "1")))
        .containsExactly(1, 2, 0, 11, 12, 0, 0, 0, 0, 31, 32);
    assertThat(Oracle.h5py().run(READ, path.toString(), "v").orFail().output())
        .isEqualTo("v (5,) [1, 2, 0, 11, 12]\n");
    for (Oracle h5dump : judges()) {
      assertThat(h5dump.run("-d", "/v", path.toString()).orFail().output())
          .contains("(0): 1, 2, 0, 11, 12\n");
      assertThat(h5dump.run("--vds-gap-size=1", "-d", "/v", path.toString()).orFail().output())
          .contains("(0): 1, 2, 0, 11, 12, 0, 0, 0, 0, 31, 32");
    }
  }

  @Test
  void unlimitedSourcesOfUnequalLengthEndAccordingToTheView() {
    Path path = folder.resolve("views.h5");
    Selection even = Selection.hyperslab(new long[] {0}, new long[] {2}, UNLIMITED, ONE);
    Selection odd = Selection.hyperslab(new long[] {1}, new long[] {2}, UNLIMITED, ONE);
    create(path, 0, List.of(of(even, "/growing", 3, ALL), of(odd, "/other", 1, ALL)));
    assertThat(read(path, OpenOptions.READ)).containsExactly(1, 7, 2, 0, 3);
    assertThat(read(path, OpenOptions.READ.withProperty("virtual.view", "first-missing")))
        .containsExactly(1, 7, 2);
    for (Oracle h5dump : judges()) {
      assertThat(h5dump.run("-d", "/v", path.toString()).orFail().output())
          .contains("(0): 1, 7, 2, 0, 3\n");
      assertThat(h5dump.run("--vds-view-first-missing", "-d", "/v", path.toString()).output())
          .contains("(0): 1, 7, 2\n");
    }
  }

  /** An empty source, unlike an absent one, ends the extent where its mapping begins. */
  @ParameterizedTest
  @CsvSource({"/empty, 0, 3", "/empty, 2, 3", "/absent, 0, 0", "/absent, 2, 0"})
  void aSourceWithoutElementsEndsTheExtentWhereItsMappingBegins(
      String source, long stride, int expected) {
    Path path = folder.resolve("empty.h5");
    Selection later =
        stride == 0
            ? Selection.hyperslab(new long[] {5}, ONE, ONE, UNLIMITED)
            : Selection.hyperslab(new long[] {5}, new long[] {stride}, UNLIMITED, ONE);
    create(path, 0, List.of(of(later, source, 1, ALL), of(ALL, "/growing", 3, ALL)));
    int[] values = Arrays.copyOf(new int[] {1, 2, 3}, expected);
    assertThat(read(path, OpenOptions.READ.withProperty("virtual.view", "first-missing")))
        .containsExactly(values);
    for (Oracle h5dump : judges()) {
      assertThat(h5dump.run("--vds-view-first-missing", "-d", "/v", path.toString()).output())
          .contains("SIMPLE { ( " + expected + " ) /");
    }
  }

  /** As in the C library, a file that is open for editing records the extent, which others use. */
  @Test
  void theFileRecordsTheExtentThatIsSetOrAskedFor() {
    Path path = folder.resolve("recorded.h5");
    create(path, 0, List.of(of(ALL, "/growing", 3, ALL)));
    assertThat(readWithoutAsking(path)).isEqualTo("[-1, -1, -1, -1]");
    assertThat(read(path, OpenOptions.READ)).containsExactly(1, 2, 3);
    assertThat(readWithoutAsking(path)).isEqualTo("[-1, -1, -1, -1]");
    assertThat(read(path, OpenOptions.EDIT)).containsExactly(1, 2, 3);
    assertThat(readWithoutAsking(path)).isEqualTo("[1, 2, 3, -1]");
    try (H5File file = Hdf5.open(path, OpenOptions.EDIT);
        Dataset virtual = file.dataset("v")) {
      virtual.setExtent(2);
      virtual.setAttribute("edited", 1);
    }
    assertThat(readWithoutAsking(path)).isEqualTo("[1, 2, -1, -1]");
    assertThat(read(path, OpenOptions.READ)).containsExactly(1, 2, 3);
  }

  private static String readWithoutAsking(Path path) {
    return Oracle.h5py().run(READ_WITHOUT_ASKING, path.toString()).orFail().output().strip();
  }

  /** An extent that has reached its maximum still follows sources that end earlier. */
  @Test
  void anExtentAtItsMaximumFollowsASourceThatShrinks() {
    Path path = folder.resolve("maximum.h5");
    try (H5File file = Hdf5.create(path, MODERN)) {
      growing(file, "growing", 1, 2, 3);
      Layout layout = new Layout.Virtual(List.of(of(ALL, "/growing", 3, ALL)));
      DatasetOptions options = DatasetOptions.builder().layout(layout).build();
      Dataspace space = Dataspace.simple(new long[] {3}, new long[] {3});
      try (Dataset virtual =
          file.datasetBuilder("v").type(Datatypes.I32LE).space(space).options(options).create()) {
        assertThat(virtual.readInts()).containsExactly(1, 2, 3);
        file.dataset("growing").setExtent(2);
        assertThat(virtual.readInts()).containsExactly(1, 2);
      }
    }
    assertThat(Oracle.h5py().run(READ, path.toString(), "v").orFail().output())
        .isEqualTo("v (2,) [1, 2]\n");
  }

  @Test
  void refusesMappingsThatTheLibraryRefuses() {
    Selection two = Selection.box(new long[] {5}, new long[] {2});
    refused(3, of(two, "/fixed", 2, Selection.all()), "reaches to index 6");
    refused(7, of(two, "/growing", 3, Selection.all()), "of the source 3");
    refused(7, of(ALL, "/fixed", 2, Selection.all()), "limited source");
    refused(7, of(two, "/growing", 3, ALL), "an unlimited source");
    refused(7, of(two, "/part%b", 2, Selection.all()), "numbered sources");
    Path path = folder.resolve("shrunk.h5");
    create(path, 7, List.of(of(ALL, "/growing", 3, ALL), of(two, "/fixed", 2, Selection.all())));
    try (H5File file = Hdf5.open(path, OpenOptions.EDIT);
        Dataset virtual = file.dataset("v")) {
      assertThatThrownBy(() -> virtual.setExtent(6))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("reaches to index 6");
    }
  }

  private void refused(long extent, Layout.Virtual.Mapping mapping, String reason) {
    Path path = folder.resolve("refused" + System.nanoTime() + ".h5");
    assertThatThrownBy(() -> create(path, extent, List.of(mapping)))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining(reason);
  }

  private static List<Oracle> judges() {
    return Oracle.newest("h5dump")
        .map(newest -> List.of(Oracle.h5dump(), newest))
        .orElseGet(() -> List.of(Oracle.h5dump()));
  }

  private static int[] read(Path path, OpenOptions options) {
    try (H5File file = Hdf5.open(path, options);
        Dataset virtual = file.dataset("v")) {
      return virtual.readInts();
    }
  }

  private static Layout.Virtual.Mapping of(
      Selection virtual, String source, long length, Selection selected) {
    return new Layout.Virtual.Mapping(virtual, ".", source, Dataspace.simple(length), selected);
  }

  /** A file with three sources and a virtual dataset that may grow without end. */
  private static void create(Path path, long extent, List<Layout.Virtual.Mapping> mappings) {
    try (H5File file = Hdf5.create(path, MODERN)) {
      growing(file, "growing", 1, 2, 3);
      growing(file, "other", 7);
      growing(file, "empty");
      file.createDataset("fixed", new int[] {8, 9});
      file.datasetBuilder("v")
          .type(Datatypes.I32LE)
          .shape(extent)
          .maxShape(UNLIMITED)
          .options(DatasetOptions.builder().layout(new Layout.Virtual(mappings)).build())
          .create()
          .close();
    }
  }

  private static void growing(H5File file, String name, int... values) {
    file.datasetBuilder(name)
        .type(Datatypes.I32LE)
        .shape(values.length)
        .maxShape(UNLIMITED)
        .options(DatasetOptions.chunked(4).build())
        .create()
        .write(values);
  }
}
