package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.OpenOptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests virtual datasets whose sources are missing or have another shape than their mappings.
 * Elements that a source lacks read as fill values, where the HDF5 library would read beyond its
 * end.
 */
final class VirtualSourceShapeTest {

  private static final String MAKE =
      """
      U = h5py.h5s.UNLIMITED
      f = h5py.File(sys.argv[1], 'w', libver='latest')
      def box(dims, count, start=(0, 0)):
        s = h5py.h5s.create_simple(dims)
        s.select_hyperslab(start[:len(dims)], count)
        return s
      def blocks(dims, rows):
        s = h5py.h5s.create_simple(dims, (U,) + dims[1:])
        s.select_hyperslab((0, 0), (U, 1), (rows, 1), (rows, dims[1]))
        return s
      def virtual(name, shape, most, *maps):
        p = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        p.set_fill_value(np.array(9, '<i4'))
        for v, file, source, s in maps: p.set_virtual(v, file.encode(), source.encode(), s)
        h5py.h5d.create(f.id, name.encode(), h5py.h5t.STD_I32LE,
            h5py.h5s.create_simple(shape, most), dcpl=p)
      for rows in (1, 2):
        for width in (2, 3, 4):
          n = '%dx%d' % (rows, width)
          f.create_dataset('s' + n, data=np.arange(1, rows * width + 1).reshape(rows, width),
              dtype='i4', maxshape=(None, width), chunks=(1, width))
          virtual('v' + n, (rows, 3), (U, 3),
              (blocks((rows, 3), 1), '.', 's' + n, blocks((rows, 3), 1)))
      for i, width in enumerate((3, 4, 2, 3)):
        f['b%d' % i] = np.arange(1, width + 1, dtype='i4') + 10 * i
      virtual('numbered', (4, 3), (U, 3), (blocks((4, 3), 1), '.', 'b%b', box((3,), (3,))))
      f['small'] = np.arange(1, 5, dtype='i4').reshape(2, 2)
      virtual('fixed', (2, 3), (2, 3), (box((2, 3), (2, 3)), '.', 'small', box((2, 3), (2, 3))))
      virtual('missing', (2, 3), (2, 3),
          (box((2, 3), (1, 3)), '.', 'row', box((3,), (3,))),
          (box((2, 3), (1, 3), (1, 0)), 'nowhere.h5', 'row', box((3,), (3,))))
      f['row'] = np.arange(1, 4, dtype='i4')
      f.close()
      """;

  @TempDir private Path folder;
  private Path path;

  @BeforeEach
  void make() {
    path = folder.resolve("virtual.h5");
    LibraryJudge.python(MAKE, path);
  }

  private String read(H5File file, String name) {
    StringBuilder text = new StringBuilder();
    for (int value : file.dataset(name).readInts()) {
      text.append(value).append(' ');
    }
    return text.toString().strip();
  }

  @Test
  void elementsThatASourceLacksAreFillValues() {
    try (H5File file = Hdf5.open(path)) {
      assertThat(read(file, "v1x2")).isEqualTo("1 2 9");
      assertThat(read(file, "v2x2")).isEqualTo("1 2 9 3 4 9");
      assertThat(read(file, "v2x3")).isEqualTo("1 2 3 4 5 6");
      assertThat(read(file, "v2x4")).isEqualTo("1 2 3 5 6 7");
      assertThat(read(file, "numbered")).isEqualTo("1 2 3 11 12 13 21 22 9 31 32 33");
      assertThat(read(file, "fixed")).isEqualTo("1 2 9 3 4 9");
      assertThat(read(file, "missing")).isEqualTo("1 2 3 9 9 9");
      assertThat(file.dataset("v2x2").slice("1,1:").readInts()).containsExactly(4, 9);
    }
    String theirs =
        LibraryJudge.python(
            """
            f = h5py.File(sys.argv[1])
            for n in ('v2x3', 'v1x4', 'v2x4'): print(f[n][...].flatten().tolist())
            print(f['v1x2'][0, :2].tolist(), f['numbered'][0:2].flatten().tolist())
            """,
            path);
    assertThat(theirs.lines())
        .containsExactly(
            "[1, 2, 3, 4, 5, 6]",
            "[1, 2, 3]",
            "[1, 2, 3, 5, 6, 7]",
            "[1, 2] [1, 2, 3, 11, 12, 13]");
  }

  @Test
  void elementsWithoutASourceAreNotWritten() {
    try (H5File file = Hdf5.open(path, OpenOptions.EDIT)) {
      assertThatThrownBy(() -> file.dataset("missing").write(new int[] {1, 1, 1, 2, 2, 2}))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("3 elements that no source has, first at [1, 0]");
      assertThatThrownBy(() -> file.dataset("fixed").write(new int[6]))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("first at [0, 2]");
      assertThat(file.dataset("row").readInts()).containsExactly(1, 2, 3);
      file.dataset("missing").slice("0,:").write(new int[] {7, 8, 9});
      file.dataset("fixed").slice("1,:2").write(new int[] {5, 6});
    }
    String stored =
        LibraryJudge.python(
            """
            f = h5py.File(sys.argv[1])
            print(f['row'][...].tolist(), f['small'][...].flatten().tolist())
            """,
            path);
    assertThat(stored).isEqualTo("[7, 8, 9] [1, 2, 5, 6]");
  }
}
