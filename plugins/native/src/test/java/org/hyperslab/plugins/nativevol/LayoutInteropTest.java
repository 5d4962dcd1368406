package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.AllocationTime;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.model.Layout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Exchanges every layout and chunk index, with and without filters, with h5py in both directions.
 * Extents are not multiples of the chunks, and only a part of the elements is written.
 */
final class LayoutInteropTest {

  private static final long ROWS = 45;
  private static final long COLUMNS = 33;

  @TempDir private Path folder;

  /**
   * A layout: its name, the bounds, the maximum extent, the chunk and whether allocation is early.
   */
  private record Shape(
      String name, String libver, long[] most, long[] chunk, boolean early, boolean filtered) {

    @Override
    public String toString() {
      return name + (filtered ? " filtered" : "");
    }

    FormatVersion low() {
      return libver.equals("earliest") ? FormatVersion.EARLIEST : FormatVersion.V110;
    }

    DatasetOptions options() {
      DatasetOptions.Builder builder = DatasetOptions.builder();
      builder.layout(chunk.length == 0 ? new Layout.Contiguous() : Layout.Chunked.of(chunk));
      if (early) {
        builder.allocationTime(AllocationTime.EARLY);
      }
      return filtered ? builder.shuffle().deflate(3).fletcher32().build() : builder.build();
    }

    Dataspace space() {
      return Dataspace.simple(new long[] {ROWS, COLUMNS}, most);
    }
  }

  static Stream<Arguments> shapes() {
    long none = Dataspace.UNLIMITED;
    long[] fixed = {ROWS, COLUMNS};
    return Stream.of(
            new Shape("contiguous", "latest", fixed, new long[0], false, false),
            new Shape("B-tree 1", "earliest", fixed, new long[] {4, 5}, false, false),
            new Shape(
                "B-tree 1", "earliest", new long[] {none, none}, new long[] {4, 5}, false, true),
            new Shape("single chunk", "latest", fixed, fixed, false, false),
            new Shape("single chunk", "latest", fixed, fixed, false, true),
            new Shape("implicit", "latest", fixed, new long[] {4, 5}, true, false),
            new Shape("fixed array", "latest", fixed, new long[] {4, 5}, false, false),
            new Shape("fixed array", "latest", fixed, new long[] {4, 5}, false, true),
            new Shape("fixed array, paged", "latest", fixed, new long[] {1, 1}, false, true),
            new Shape(
                "extensible array",
                "latest",
                new long[] {none, 40},
                new long[] {4, 5},
                false,
                false),
            new Shape(
                "extensible array",
                "latest",
                new long[] {50, none},
                new long[] {2, 3},
                false,
                true),
            new Shape(
                "B-tree 2", "latest", new long[] {none, none}, new long[] {4, 5}, false, false),
            new Shape(
                "B-tree 2", "latest", new long[] {none, none}, new long[] {1, 2}, false, true))
        .map(Arguments::of);
  }

  private static final String WRITE =
      """
      libver, most, chunk, early, filtered = [eval(a) if i else a for i, a in enumerate(sys.argv[2:])]
      f = h5py.File(sys.argv[1], 'w', libver=libver)
      p = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
      if chunk:
          p.set_chunk(tuple(chunk))
      if early:
          p.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
      if filtered:
          p.set_shuffle(); p.set_deflate(3); p.set_fletcher32()
      s = h5py.h5s.create_simple((45, 33), tuple(h5py.h5s.UNLIMITED if m < 0 else m for m in most))
      d = h5py.Dataset(h5py.h5d.create(f.id, b'd', h5py.h5t.STD_I32LE, s, p))
      d[3:41, 2:30] = np.arange(38 * 28).reshape(38, 28)
      f.close()
      """;

  private static final String READ =
      """
      f = h5py.File(sys.argv[1], 'r')
      want = np.zeros((45, 33), 'i4'); want[3:41, 2:30] = np.arange(38 * 28).reshape(38, 28)
      print(np.array_equal(f['d'][()], want), f['d'].dtype)
      """;

  @ParameterizedTest
  @MethodSource("shapes")
  void datasetsOfH5pyAreRead(Shape shape) {
    Path file = folder.resolve("theirs.h5");
    LibraryJudge.python(
        WRITE,
        file,
        shape.libver,
        most(shape),
        list(shape.chunk),
        shape.early ? 1 : 0,
        shape.filtered ? 1 : 0);
    try (H5File opened = Hdf5.open(file)) {
      assertThat(opened.dataset("d").readInts()).containsExactly(expected());
    }
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void datasetsAreReadByH5py(Shape shape) {
    Path file = folder.resolve("ours.h5");
    CreateOptions bounds = CreateOptions.DEFAULT.withBounds(shape.low(), FormatVersion.V110);
    try (H5File created = Hdf5.create(file, bounds);
        Dataset dataset =
            created
                .root()
                .datasetBuilder("d")
                .type(Datatypes.I32LE)
                .space(shape.space())
                .options(shape.options())
                .create()) {
      int[][] part = new int[38][28];
      for (int i = 0; i < 38 * 28; i++) {
        part[i / 28][i % 28] = i;
      }
      dataset.write(Selection.box(new long[] {3, 2}, new long[] {38, 28}), part);
    }
    assertThat(LibraryJudge.python(READ, file)).isEqualTo("True int32");
    LibraryJudge.h5dump(file);
  }

  private static int[] expected() {
    int[] all = new int[(int) (ROWS * COLUMNS)];
    for (int i = 0; i < 38 * 28; i++) {
      all[(int) ((3 + i / 28) * COLUMNS + 2 + i % 28)] = i;
    }
    return all;
  }

  private static String most(Shape shape) {
    return list(
        Arrays.stream(shape.most).map(most -> most == Dataspace.UNLIMITED ? -1 : most).toArray());
  }

  private static String list(long[] numbers) {
    List<String> all = Arrays.stream(numbers).mapToObj(Long::toString).toList();
    return "[" + String.join(",", all) + "]";
  }
}
