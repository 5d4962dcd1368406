package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.AllocationTime;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FormatVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that the size of a file follows what a chunked dataset contains, not its maximum extent:
 * files are at most a fifth larger than those of the HDF5 library, which reads, extends and writes
 * the same datasets.
 */
final class IndexSizeTest {

  private static final long NONE = Dataspace.UNLIMITED;

  /** How much larger than the library's a file may be. */
  private static final double RATIO = 1.2;

  @TempDir private Path folder;

  /** A bound, and the one of h5py with the same meaning. */
  private record Bound(String name, CreateOptions options, String library) {}

  private static final List<Bound> BOUNDS =
      List.of(
          new Bound("default", CreateOptions.DEFAULT, "earliest"),
          bound("earliest", FormatVersion.EARLIEST, FormatVersion.V18, "earliest"),
          bound("v18", FormatVersion.V18, FormatVersion.V18, "v108"),
          bound("v110", FormatVersion.V110, FormatVersion.V110, "v110"));

  private record Shape(long[] dims, long[] most, long[] chunk) {
    long elements() {
      return Arrays.stream(dims).reduce(1, (a, b) -> a * b);
    }
  }

  private static final List<Shape> SHAPES =
      List.of(
          shape("10", "100000000", "1"),
          shape("10", "100000", "1"),
          shape("10", "1000", "1"),
          shape("10", "10", "1"),
          shape("1000", "1000", "1"),
          shape("3000", "3000", "1"),
          shape("300", "3000", "1"),
          shape("3000", "10000000", "10"),
          shape("100000", "1000000000", "10000"),
          shape("4 4", "1000000 1000000", "2 2"),
          shape("4 4", "4 1000000", "2 2"),
          shape("64 64", "64 128", "4 4"),
          shape("64 64", "1000 10000", "16 16"),
          shape("10 3", "-1 1000000", "1 1"),
          shape("3 10", "1000000 -1", "1 1"),
          shape("20 20", "-1 40", "4 4"),
          shape("20 20", "-1 -1", "4 4"),
          shape("4 4 4", "100000 -1 100000", "2 2 2"),
          shape("3 4 5", "1000 2000 3000", "1 2 5"),
          shape("100", "100000000000", "10"));

  private static Bound bound(String name, FormatVersion low, FormatVersion high, String library) {
    return new Bound(name, CreateOptions.DEFAULT.withBounds(low, high), library);
  }

  private static Shape shape(String dims, String most, String chunk) {
    return new Shape(numbers(dims), numbers(most), numbers(chunk));
  }

  private static long[] numbers(String text) {
    return Arrays.stream(text.split(" ")).mapToLong(Long::parseLong).toArray();
  }

  private static final String CREATE =
      """
      for word in sys.argv[1:]:
          path, library, dims, most, chunk, kind = word.split('=')
          n = lambda text: tuple(int(i) for i in text.split('x'))
          most = tuple(None if i < 0 else i for i in n(most))
          dims = n(dims)
          with h5py.File(path, 'w', libver=(library, 'latest')) as f:
              dcpl = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
              dcpl.set_chunk(n(chunk))
              dcpl.set_alloc_time(
                  h5py.h5d.ALLOC_TIME_EARLY if kind == 'early' else h5py.h5d.ALLOC_TIME_INCR)
              if kind == 'filtered':
                  dcpl.set_deflate(1)
              space = h5py.h5s.create_simple(dims, tuple(
                  h5py.h5s.UNLIMITED if i is None else i for i in most))
              d = h5py.Dataset(h5py.h5d.create(f.id, b'd', h5py.h5t.IEEE_F64LE, space, dcpl))
              d[...] = np.arange(np.prod(dims), dtype='f8').reshape(dims)
      """;

  /** Reads the datasets, then makes each larger in every dimension and writes to the new part. */
  private static final String EDIT =
      """
      for path in sys.argv[1:]:
          with h5py.File(path, 'r+') as f:
              d = f['d']
              want = np.arange(d.size, dtype='f8').reshape(d.shape)
              if not np.array_equal(d[()], want):
                  print(path, 'values')
              larger = tuple(
                  n + 7 if m is None else min(n + 7, m) for n, m in zip(d.shape, d.maxshape))
              d.resize(larger)
              d[tuple(n - 1 for n in larger)] = -1
      """;

  @Test
  void fileFollowsWhatExists() throws IOException {
    List<Path> ours = new ArrayList<>();
    List<Path> theirs = new ArrayList<>();
    List<String> arguments = new ArrayList<>();
    for (String kind : List.of("plain", "filtered", "early")) {
      for (Shape shape : SHAPES) {
        for (Bound bound : BOUNDS) {
          boolean vast = kind.equals("early") && bound.name.equals("v110");
          if (vast && LongStream.of(shape.most).noneMatch(most -> most == NONE)) {
            continue; // the library allocates all chunks that there could ever be
          }
          String name = bound.name + "_" + kind + "_" + SHAPES.indexOf(shape) + ".h5";
          Path path = folder.resolve("ours_" + name);
          create(path, bound.options, shape, kind);
          ours.add(path);
          theirs.add(folder.resolve("theirs_" + name));
          arguments.add(
              String.join(
                  "=",
                  folder.resolve("theirs_" + name).toString(),
                  bound.library,
                  text(shape.dims),
                  text(shape.most),
                  text(shape.chunk),
                  kind));
        }
      }
    }
    LibraryJudge.python(CREATE, arguments.toArray());
    List<String> larger = new ArrayList<>();
    for (int i = 0; i < ours.size(); i++) {
      long size = Files.size(ours.get(i));
      long expected = Files.size(theirs.get(i));
      if (size > RATIO * expected) {
        larger.add(
            arguments.get(i)
                + ": actual="
                + size
                + ", expected=at most "
                + RATIO
                + " x "
                + expected);
      }
    }
    assertThat(larger).isEmpty();
    assertThat(LibraryJudge.python(EDIT, ours.toArray())).isEmpty();
    for (Path path : ours) {
      try (H5File file = Hdf5.open(path.toString())) {
        double[] values = file.dataset("d").readDoubles();
        assertThat(values[values.length - 1]).as("%s", path).isEqualTo(-1);
        assertThat(values[0]).as("%s", path).isZero();
      }
    }
  }

  private static String text(long[] numbers) {
    return Arrays.stream(numbers).mapToObj(Long::toString).collect(Collectors.joining("x"));
  }

  private static void create(Path path, CreateOptions bounds, Shape shape, String kind) {
    DatasetOptions.Builder options = DatasetOptions.chunked(shape.chunk);
    DatasetOptions chosen =
        switch (kind) {
          case "early" -> options.allocationTime(AllocationTime.EARLY).build();
          case "filtered" -> options.deflate(1).build();
          default -> options.build();
        };
    try (H5File file = Hdf5.create(path, bounds)) {
      Dataspace space = Dataspace.simple(shape.dims, shape.most);
      Dataset dataset =
          file.datasetBuilder("d").type(Datatypes.F64LE).space(space).options(chosen).create();
      dataset.write(LongStream.range(0, shape.elements()).asDoubleStream().toArray());
    }
  }

  /** What an early allocation at a maximum takes depends on the extent too. */
  @Test
  void chunksBeyondTheExtentAreNotAllocated() throws IOException {
    Path path = folder.resolve("early.h5");
    create(path, CreateOptions.DEFAULT, shape("10", "100000000", "1"), "early");
    assertThat(Files.size(path)).isLessThan(10_000);
  }

  /** A dataset of many chunks of which few are written, as in a sparse matrix. */
  @Test
  void slotsOfChunksThatAreNeverWrittenAreNotAllocated() throws IOException {
    Path path = folder.resolve("sparse.h5");
    try (H5File file = Hdf5.create(path)) {
      Dataset dataset =
          file.datasetBuilder("d")
              .type(Datatypes.F64LE)
              .shape(1_000_000_000L)
              .options(DatasetOptions.chunked(100).build())
              .create();
      dataset.write(
          org.hyperslab.format.space.Selection.box(new long[] {999_999_999}, new long[] {1}),
          new double[] {5});
    }
    assertThat(Files.size(path)).isLessThan(10_000);
  }
}
