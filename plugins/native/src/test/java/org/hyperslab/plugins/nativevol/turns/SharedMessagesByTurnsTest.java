package org.hyperslab.plugins.nativevol.turns;

import static org.assertj.core.api.Assertions.assertThat;

import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests files with tables of shared messages, edited by turns here and by the HDF5 library: a
 * message that one of them releases remains for the other, and none remains after its last user.
 */
final class SharedMessagesByTurnsTest {

  /** Defines {@code make(path, list maximum, (types, minimum bytes)...)} and {@code heaps(f)}. */
  static final String MAKE =
      """
      u = ctypes.c_uint
      DSPACE, DTYPE, FILL, PLINE, ATTR = 0x2, 0x8, 0x20, 0x800, 0x1000
      def make(path, limit, *indexes, latest=False):
        fcpl = h5py.h5p.create(h5py.h5p.FILE_CREATE)
        pid = ctypes.c_int64(fcpl.id)
        assert lib.H5Pset_shared_mesg_nindexes(pid, u(len(indexes))) >= 0
        for i, types in enumerate(indexes):
          assert lib.H5Pset_shared_mesg_index(pid, u(i), u(types), u(1)) >= 0
        assert lib.H5Pset_shared_mesg_phase_change(pid, u(limit), u(max(0, limit - 2))) >= 0
        fapl = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
        newest = h5py.h5f.LIBVER_LATEST
        if latest: fapl.set_libver_bounds(newest, newest)
        return h5py.File(h5py.h5f.create(path.encode(), h5py.h5f.ACC_TRUNC, fcpl, fapl))
      def heaps(f):
        info = (ctypes.c_uint64 * 16)()
        assert lib.H5Fget_info2(ctypes.c_int64(f.id.id), info) >= 0
        return info[9]
      """;

  @AutoClose private final Turns turns = new Turns();

  private void create(int listMaximum, String indexes, String script) {
    turns.python(MAKE);
    turns.python("f = make(p, %d, %s)\n".formatted(listMaximum, indexes) + script + "f.close()\n");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 40})
  void unsharedAttributeDoesNotReleaseAnEqualSharedOne(int listMaximum) {
    create(listMaximum, "ATTR", "for n in 'ghijkl': f.create_group(n)\n");
    try (H5File file = Hdf5.open(turns.path(), OpenOptions.EDIT)) {
      file.group("g").setAttribute("x", new int[] {1, 2, 3});
      file.group("i").setAttribute("y", new int[] {1, 2, 3});
      file.group("k").setAttribute("z", new int[] {1, 2, 3});
    }
    turns.python(
        """
        f = h5py.File(p, 'r+')
        for a, b, n in ('ghx', 'ijy', 'klz'): f[b].attrs[n] = np.array([1, 2, 3], '<i4')
        f.copy('g', 'copy')
        f.close()
        """);
    try (H5File file = Hdf5.open(turns.path(), OpenOptions.EDIT)) {
      file.group("g").renameAttribute("x", "renamed");
      file.group("i").deleteAttribute("y");
      file.group("k").attribute("z").write(new int[] {4, 5, 6});
      assertThat(file.group("h").attribute("x").readInts()).containsExactly(1, 2, 3);
    }
    turns.python(
        """
        f = h5py.File(p, 'r+')
        for b, n in ('hx', 'jy', 'lz'): assert f[b].attrs[n].tolist() == [1, 2, 3]
        assert f['copy'].attrs['x'].tolist() == [1, 2, 3]
        assert f['g'].attrs['renamed'].tolist() == [1, 2, 3]
        for n in list(f): del f[n]
        assert heaps(f) == 0, heaps(f)
        f.close()
        """);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ATTR | DSPACE | DTYPE", "ATTR, DSPACE | DTYPE", "DSPACE, DTYPE"})
  void partsOfAnAttributeAreCountedOncePerStoredMessage(String indexes) {
    create(
        40,
        indexes,
        """
        f['t'] = np.dtype('<i4')
        for n in 'ghi':
          f.create_group(n)
          for k in 'abc': f[n].attrs[k] = np.array([1, 2, 3], '<i4')
          f[n].attrs.create('typed', [4, 5], dtype=f['t'])
        """);
    try (H5File file = Hdf5.open(turns.path(), OpenOptions.EDIT)) {
      Group g = file.group("g");
      g.renameAttribute("a", "renamed");
      g.deleteAttribute("b");
      g.attribute("c").write(new int[] {7, 8, 9});
      g.deleteAttribute("typed");
      file.group("h").attribute("typed").write(new int[] {6, 6});
    }
    turns.python(
        """
        f = h5py.File(p, 'r+')
        assert f['g'].attrs['renamed'].tolist() == [1, 2, 3]
        assert f['g'].attrs['c'].tolist() == [7, 8, 9]
        assert f['h'].attrs['typed'].tolist() == [6, 6]
        assert f['i'].attrs['typed'].tolist() == [4, 5]
        assert h5py.h5o.get_info(f['t'].id).rc == 3
        del f['g']
        del f['h']
        for k in 'abc': assert f['i'].attrs[k].tolist() == [1, 2, 3]
        assert h5py.h5o.get_info(f['t'].id).rc == 2
        f.close()
        """);
    try (H5File file = Hdf5.open(turns.path(), OpenOptions.EDIT)) {
      assertThat(file.group("i").attribute("b").readInts()).containsExactly(1, 2, 3);
      file.root().delete("i");
    }
    turns.python(
        """
        f = h5py.File(p, 'r+')
        assert h5py.h5o.get_info(f['t'].id).rc == 1
        assert heaps(f) == 0, heaps(f)
        f.close()
        """);
  }

  /**
   * HDF5 1.10 cannot delete what is padded in headers of version 1, as types and fill values are,
   * and writes an extent that it gives a dataset over what stands behind a shared one.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "0; DSPACE | DTYPE | FILL | PLINE, latest=True",
        "40; DSPACE | DTYPE | FILL | PLINE, latest=True",
        "3; DSPACE, PLINE"
      })
  void anExtentThatIsChangedHereIsChangedAndDeletedThere(int listMaximum, String indexes) {
    create(
        listMaximum,
        indexes,
        """
        for n in 'abcde':
          f.create_dataset(n, (4, 4), '<i4', maxshape=(None, None), chunks=(2, 2), fillvalue=3,
              compression=1)
        """);
    try (H5File file = Hdf5.open(turns.path(), OpenOptions.EDIT)) {
      file.dataset("a").setExtent(6, 4); // of which the index says that it stands in this header
      file.dataset("b").setExtent(7, 4);
      file.root().delete("c");
    }
    turns.python(
        """
        f = h5py.File(p, 'r+')
        assert [f[n].shape for n in 'abde'] == [(6, 4), (7, 4), (4, 4), (4, 4)]
        for n in 'ab': f[n].resize((9, 9))
        f['b'][8, 8] = 5
        del f['a']
        assert f['e'].shape == (4, 4) and f['e'][3, 3] == 3
        f.close()
        """);
    try (H5File file = Hdf5.open(turns.path(), OpenOptions.EDIT)) {
      file.dataset("e").setExtent(9, 9);
      file.root().delete("b");
    }
    turns.python(
        """
        f = h5py.File(p, 'r+')
        f.create_dataset('new', (4, 4), '<i4', maxshape=(None, None), chunks=(2, 2), fillvalue=3,
              compression=1)
        assert f['d'].shape == (4, 4) and f['e'].shape == (9, 9)
        for n in list(f): del f[n]
        assert heaps(f) == 0, heaps(f)
        f.close()
        """);
  }

  @Test
  void deletingTheLastUserOfManySharedAttributesLeavesNone() {
    turns.python(MAKE);
    turns.python(
        """
        f = make(p, 3, ATTR, latest=True)
        for n in 'gh':
          f.create_group(n)
          for i in range(60): f[n].attrs['%s%d' % (n, i)] = np.arange(i, i + 50)
        f['h'].attrs['kept'] = f['g'].attrs['g7']
        f.close()
        """);
    try (H5File file = Hdf5.open(turns.path(), OpenOptions.EDIT)) {
      file.root().delete("g");
      file.root().delete("h");
    }
    turns.python(
        """
        f = h5py.File(p, 'r+')
        assert list(f) == [] and heaps(f) == 0, heaps(f)
        f.close()
        """);
  }

  @Test
  void attributesThatMoveToDenseStorageAndBackStayShared() {
    create(
        40,
        "ATTR",
        """
        for n in 'gh':
          for k in range(7): f.require_group(n).attrs['a%d' % k] = np.array([k, 2, 3], '<i4')
        """);
    try (H5File file = Hdf5.open(turns.path(), OpenOptions.EDIT)) {
      Group g = file.group("g");
      for (int i = 0; i < 5; i++) {
        g.setAttribute("more" + i, i);
      }
    }
    turns.python(
        """
        f = h5py.File(p, 'r+')
        assert len(f['g'].attrs) == 12
        for k in range(7): assert f['g'].attrs['a%d' % k].tolist() == [k, 2, 3]
        before = heaps(f)
        del f['h']
        for k in range(7): assert f['g'].attrs['a%d' % k].tolist() == [k, 2, 3]
        f.close()
        """);
    try (H5File file = Hdf5.open(turns.path(), OpenOptions.EDIT)) {
      Group g = file.group("g");
      for (int i = 0; i < 5; i++) {
        g.deleteAttribute("more" + i);
      }
      g.deleteAttribute("a0");
    }
    turns.python(
        """
        f = h5py.File(p, 'r+')
        assert sorted(f['g'].attrs) == ['a%d' % k for k in range(1, 7)]
        for k in range(1, 7): assert f['g'].attrs['a%d' % k].tolist() == [k, 2, 3]
        assert heaps(f) > 0
        del f['g']
        assert heaps(f) == 0, heaps(f)
        f.close()
        """);
    Oracle.h5dump().run(turns.path().toString()).orFail();
  }
}
