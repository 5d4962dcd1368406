package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Reference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests files whose structures the HDF5 library reads but does not write: other programs wrote
 * them, such as jHDF and nanopore's.
 */
final class UnusualWritersTest {

  @TempDir private Path folder;

  /**
   * A dataset of 10 elements, in chunks of 4 with a filter, whose last chunk was stored with the
   * two elements of the extent; in that of {@code plain}, the filter was skipped. In {@code cut},
   * the second chunk, which is within the extent, is short.
   */
  private static final String SHORT_CHUNKS =
      """
      import zlib
      with h5py.File(sys.argv[1], 'w') as f:
          for name in ('coded', 'plain', 'cut', 'grid'):
              shape, chunk = ((10,), (4,)) if name != 'grid' else ((3, 6), (4, 4))
              d = f.create_dataset(
                  name, shape, 'i4', maxshape=(None,) * len(shape), chunks=chunk, compression=1)
              d[...] = np.arange(d.size).reshape(shape)
          last = np.arange(8, 10, dtype='i4').tobytes()
          f['coded'].id.write_direct_chunk((8,), zlib.compress(last))
          f['plain'].id.write_direct_chunk((8,), last, 1)
          f['cut'].id.write_direct_chunk((4,), zlib.compress(last))
          # rows 0 to 2 of columns 4 and 5: the last element within the extent is the tenth
          part = np.zeros(10, 'i4')
          part[[0, 1, 4, 5, 8, 9]] = [4, 5, 10, 11, 16, 17]
          f['grid'].id.write_direct_chunk((0, 4), zlib.compress(part.tobytes()))
      """;

  private static int[] range(int count) {
    int[] range = new int[count];
    for (int i = 0; i < count; i++) {
      range[i] = i;
    }
    return range;
  }

  @Test
  void lastChunkMayEndBehindTheExtent() {
    Path path = folder.resolve("short.h5");
    LibraryJudge.python(SHORT_CHUNKS, path);
    try (H5File file = Hdf5.open(path.toString())) {
      assertThat(file.dataset("coded").readInts()).isEqualTo(range(10));
      assertThat(file.dataset("plain").readInts()).isEqualTo(range(10));
      assertThat(file.dataset("grid").readInts()).isEqualTo(range(18));
      Selection one = Selection.box(new long[] {9}, new long[] {1});
      assertThat(file.dataset("coded").select(one).readInts()).containsExactly(9);
    }
  }

  @Test
  void chunkMayNotEndWithinTheExtent() {
    Path path = folder.resolve("short.h5");
    LibraryJudge.python(SHORT_CHUNKS, path);
    try (H5File file = Hdf5.open(path.toString())) {
      Dataset cut = file.dataset("cut");
      assertThatThrownBy(cut::readInts)
          .isInstanceOf(CorruptFileException.class)
          .hasMessageContaining("actual=8 bytes, expected=16");
    }
  }

  /** Makes the collection of the file's only strings as small as they are. */
  private static final String SMALL_HEAP =
      """
      with h5py.File(sys.argv[1], 'w') as f:
          f.create_dataset('d', data=['one', 'three', ''], dtype=h5py.string_dtype())
      data = bytearray(open(sys.argv[1], 'rb').read())
      at = data.index(b'GCOL')
      size = 16 + 16 + (16 + 8) + (16 + 8)
      data[at + 8:at + 16] = size.to_bytes(8, 'little')
      open(sys.argv[1], 'wb').write(data)
      with h5py.File(sys.argv[1]) as f:
          print(f['d'].asstr()[()])
      """;

  @Test
  void heapCollectionMayBeSmall() {
    Path path = folder.resolve("heap.h5");
    assertThat(LibraryJudge.python(SMALL_HEAP, path)).isEqualTo("['one' 'three' '']");
    try (H5File file = Hdf5.openForEdit(path.toString())) {
      Dataset dataset = file.dataset("d");
      assertThat(dataset.readStrings()).containsExactly("one", "three", "");
      dataset.write(new String[] {"a longer one", "", "three"});
    }
    try (H5File file = Hdf5.open(path.toString())) {
      assertThat(file.dataset("d").readStrings()).containsExactly("a longer one", "", "three");
    }
    String read = "print(h5py.File(sys.argv[1])['d'].asstr()[()])";
    assertThat(LibraryJudge.python(read, path)).isEqualTo("['a longer one' '' 'three']");
  }

  /**
   * A compound of 3 elements with region references, of which the second has an address far outside
   * the file, and the third an object that its collection does not have.
   */
  private static final String GARBAGE_REGIONS =
      """
      with h5py.File(sys.argv[1], 'w') as f:
          d = f.create_dataset('target', data=np.arange(100))
          t = np.dtype([('a', 'i4'), ('r', h5py.regionref_dtype), ('b', 'f8')])
          x = np.zeros(3, t)
          x['a'] = [1, 2, 3]
          x['b'] = [0.5, 1.5, 2.5]
          for i in range(3):
              x['r'][i] = d.regionref[i + 3:i + 5]
          c = f.create_dataset('c', data=x, dtype=t)
          at = c.id.get_offset()
      data = bytearray(open(sys.argv[1], 'rb').read())
      data[at + 24 + 4:at + 24 + 16] = bytes(range(60, 72))
      data[at + 48 + 12:at + 48 + 16] = (9999).to_bytes(4, 'little')
      open(sys.argv[1], 'wb').write(data)
      with h5py.File(sys.argv[1]) as f:
          print(f['c']['a'], f['c']['b'])
      """;

  @Test
  void garbageRegionReferencesHideNothing() {
    Path path = folder.resolve("regions.h5");
    assertThat(LibraryJudge.python(GARBAGE_REGIONS, path)).isEqualTo("[1 2 3] [0.5 1.5 2.5]");
    try (H5File file = Hdf5.openForEdit(path.toString())) {
      Dataset dataset = file.dataset("c");
      Object[] read = (Object[]) dataset.read();
      for (int i = 0; i < 3; i++) {
        Map<?, ?> element = (Map<?, ?>) read[i];
        assertThat(element.get("a")).isEqualTo(i + 1);
        assertThat(element.get("b")).isEqualTo(i + 0.5);
        Reference.ToRegion region = (Reference.ToRegion) element.get("r");
        if (i == 0) {
          assertThat(file.dataset("target").region(region).readLongs()).containsExactly(3, 4);
        } else {
          assertThat(region.token()).isEqualTo(-1);
          assertThatThrownBy(() -> file.dereference(region)).isInstanceOf(HyperslabException.class);
        }
      }
      file.root().copy("c", file.root(), "copy");
      assertThat(file.dataset("copy").field("a").readInts()).containsExactly(1, 2, 3);
    }
  }
}
