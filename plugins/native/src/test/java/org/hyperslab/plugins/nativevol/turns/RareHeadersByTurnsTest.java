package org.hyperslab.plugins.nativevol.turns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.function.ObjIntConsumer;
import org.hyperslab.Attribute;
import org.hyperslab.CommittedType;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.Reference;
import org.hyperslab.model.AllocationTime;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.model.OpenOptions;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests files of rare forms that are edited here and read by the HDF5 library, or the reverse. */
final class RareHeadersByTurnsTest {

  @AutoClose private final Turns turns = new Turns();

  @Test
  void referencesInFilesOfShortAddressesAreReadByBoth() {
    try (H5File file = Hdf5.create(turns.path(), CreateOptions.DEFAULT.withSizes(4, 4))) {
      file.createGroup("g");
      Dataset target = file.createDataset("target", new int[] {1, 2, 3});
      Reference[] both = {file.group("g").reference(), target.reference()};
      file.createDataset("refs", Datatypes.OBJECT_REFERENCE, Dataspace.simple(2)).write(both);
      target.createAttribute("self", Datatypes.OBJECT_REFERENCE, Dataspace.scalar()).write(both[1]);
    }
    turns.python(
        """
        f = h5py.File(p, 'r+')
        assert [f[r].name for r in f['refs'][...]] == ['/g', '/target']
        assert f[f['target'].attrs['self']] == f['target']
        f.create_dataset('theirs', data=[f['target'].ref, f['g'].ref], dtype=h5py.ref_dtype)
        f.create_dataset('regions', data=[f['target'].regionref[1:]], dtype=h5py.regionref_dtype)
        f.close()
        """);
    try (H5File file = Hdf5.open(turns.path())) {
      Reference[] refs = file.dataset("theirs").read(Reference[].class);
      assertThat(refs)
          .containsExactly(file.dataset("target").reference(), file.group("g").reference());
      Reference[] regions = file.dataset("regions").read(Reference[].class);
      assertThat(regions[0]).isInstanceOf(Reference.ToRegion.class);
    }
  }

  @Test
  void acceptsContinuationsFlaggedAsShared() {
    turns.python(
        """
        f = h5py.File(p, 'w', libver='earliest')
        d = f.create_dataset('d', data=[1, 2])
        for k in range(6): d.attrs['x%d' % k] = np.arange(9)
        f.close()
        raw = bytearray(open(p, 'rb').read())
        found = [i for i in range(0, len(raw) - 8, 8) if raw[i:i + 8] == b'\\x10\\0\\x10' + bytes(5)]
        assert found
        for i in found: raw[i + 4] = 2
        open(p, 'wb').write(raw)
        f = h5py.File(p)
        assert len(f['d'].attrs) == 6
        f.close()
        """);
    try (H5File file = Hdf5.open(turns.path(), OpenOptions.EDIT)) {
      assertThat(file.dataset("d").attributes().count()).isEqualTo(6);
      file.dataset("d").setAttribute("ours", 7);
      file.dataset("d").deleteAttribute("x3");
    }
    turns.python(
        """
        f = h5py.File(p)
        assert sorted(f['d'].attrs) == ['ours', 'x0', 'x1', 'x2', 'x4', 'x5']
        f.close()
        """);
  }

  /**
   * HDF5 copies a fixed string or opaque type into a header of version 1 with 22 bytes of messages,
   * and the message that leads to a continuation takes 24. HDF5 1.10 and 2.2 add an attribute all
   * the same, and then cannot open the object.
   */
  @Test
  void fullHeadersOfCopiedTypesAreEdited() {
    turns.python(
        """
        f = h5py.File(p, 'w', libver='earliest')
        kinds = ('S10', 'V5', 'S1')
        for n in kinds:
          f[n] = np.dtype(n)
          f.copy(n, n + 'copy')
          f.copy(n, n + 'linked')
          f[n + 'again'] = f[n + 'linked']
        f['behind'] = [1]
        f.create_dataset('of', data=np.array([b'one', b'two'], 'S10'), dtype=f['S10copy'])
        f.close()
        import shutil
        shutil.copy(p, p + '.theirs')
        f = h5py.File(p + '.theirs', 'r+')
        f['S1copy'].attrs['a'] = 1
        f.close()
        f = h5py.File(p + '.theirs')
        try:
          f['S1copy']
          assert False, 'HDF5 can do it'
        except KeyError: pass
        f.close()
        """);
    try (H5File file = Hdf5.open(turns.path(), OpenOptions.EDIT)) {
      for (String name : new String[] {"S10", "V5", "S1"}) {
        CommittedType copy = file.root().committedType(name + "copy");
        for (int k = 0; k < 12; k++) {
          copy.setAttribute("a" + k, new int[] {k, k});
        }
        file.root().createHardLink(name + "third", file.root().committedType(name + "linked"));
        file.root().committedType(name + "linked").setComment("a remark");
      }
      file.dataset("of").setAttribute("b", "text");
    }
    turns.python(
        """
        f = h5py.File(p, 'r+')
        for n in kinds:
          t = f[n + 'copy']
          assert t.dtype == np.dtype(n) and len(t.attrs) == 12, (t.dtype, list(t.attrs))
          for k in range(12): assert t.attrs['a%d' % k].tolist() == [k, k]
          assert h5py.h5o.get_info(t.id).rc == (2 if n == 'S10' else 1)
          assert h5py.h5o.get_info(f[n + 'third'].id).rc == 3
          said = ctypes.create_string_buffer(99)
          again = f[n + 'again']
          assert lib.H5Oget_comment(ctypes.c_int64(again.id.id), said, ctypes.c_size_t(99)) == 8
          assert said.value == b'a remark', said.value
          del again
          for k in range(3, 12): del t.attrs['a%d' % k]
          t.attrs['theirs'] = 'text'
          del f[n + 'third']
        assert f['behind'][0] == 1 and f['of'][...].tolist() == [b'one', b'two']
        f.close()
        """);
    try (H5File file = Hdf5.open(turns.path())) {
      for (String name : new String[] {"S10", "V5", "S1"}) {
        CommittedType copy = file.root().committedType(name + "copy");
        assertThat(copy.attributes().map(Attribute::name))
            .containsExactlyInAnyOrder("a0", "a1", "a2", "theirs");
        assertThat(copy.attribute("theirs").readString()).isEqualTo("text");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"earliest", "latest"})
  void attributesMayHaveTheCommittedTypeThatHoldsThem(String version) {
    turns.python(
        """
        f = h5py.File(p, 'w', libver='%s')
        f['fixed'] = np.dtype('S8')
        f['vlen'] = h5py.string_dtype()
        for n in ('fixed', 'vlen'):
          for k in range(12): f[n].attrs.create('a%%d' %% k, ['one', 'two%%d' %% k], dtype=f[n])
        f.close()
        """
            .formatted(version));
    try (H5File file = Hdf5.open(turns.path(), OpenOptions.EDIT)) {
      for (String name : new String[] {"fixed", "vlen"}) {
        CommittedType type = file.root().committedType(name);
        for (int k = 0; k < 12; k += 2) {
          type.deleteAttribute("a" + k);
        }
        type.createAttribute("new", type, Dataspace.simple(2)).write(new String[] {"p", "q"});
        assertThat(type.hasAttribute("a0")).isFalse();
      }
    }
    turns.python(
        """
        f = h5py.File(p, 'r+')
        text = lambda v: [x.decode() if isinstance(x, bytes) else x for x in v]
        for n in ('fixed', 'vlen'):
          t = f[n]
          assert sorted(t.attrs) == sorted(['a%d' % k for k in range(1, 12, 2)] + ['new'])
          for k in range(1, 12, 2): assert text(t.attrs['a%d' % k]) == ['one', 'two%d' % k]
          assert text(t.attrs['new']) == ['p', 'q']
          assert h5py.h5o.get_info(t.id).rc == 8
        f.close()
        """);
  }

  @ParameterizedTest
  @ValueSource(strings = {"earliest", "latest"})
  void earlyChunksOfEmptyAndShrunkExtentsAreEditedByBoth(String version) {
    turns.python(
        """
        f = h5py.File(p, 'w', libver='%s')
        def make(name, shape, most, chunk, filtered):
          plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
          plist.set_chunk(chunk)
          plist.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
          plist.set_fill_value(np.array(7, '<i4'))
          if filtered: plist.set_deflate(1)
          h5py.h5d.create(f.id, name.encode(), h5py.h5t.STD_I32LE,
              h5py.h5s.create_simple(shape, most), dcpl=plist)
        for filtered in (False, True):
          make('fixed%%d' %% filtered, (0,), (0,), (2,), filtered)
          make('later%%d' %% filtered, (0, 4), (3, 4), (5, 2), filtered)
        for name, most, chunk in (('one', 4, 4), ('two', 8, 4), ('three', 9, 4)):
          make(name, (most,), (most,), (chunk,), False)
          f[name][...] = np.arange(most)
          f[name].resize((2,))
        f.close()
        """
            .formatted(version));
    FormatVersion low = version.equals("latest") ? FormatVersion.V110 : FormatVersion.EARLIEST;
    try (H5File file =
        Hdf5.open(turns.path(), OpenOptions.EDIT.withBounds(low, FormatVersion.V110))) {
      for (String name : file.root().names()) {
        file.root().copy(name, file.root(), name + "copy");
      }
      DatasetOptions early =
          DatasetOptions.chunked(2).allocationTime(AllocationTime.EARLY).deflate(1).build();
      Dataspace empty = Dataspace.simple(new long[] {0}, new long[] {0});
      file.datasetBuilder("ours").type(Datatypes.I32LE).space(empty).options(early).create();
      file.dataset("later0copy").setExtent(2, 4);
    }
    turns.python(
        """
        f = h5py.File(p, 'r+')
        for n in ('fixed0', 'fixed1', 'later0', 'later1'): assert f[n].shape[0] == 0
        assert f['fixed1copy'].shape == f['ours'].shape == (0,)
        assert f['later0copy'][...].tolist() == [[7] * 4] * 2
        for n in ('one', 'two', 'three'):
          copy = f[n + 'copy']
          assert f[n][...].tolist() == copy[...].tolist() == [0, 1], n
          copy.resize((copy.maxshape[0],))
          assert copy[...].tolist() == [0, 1] + [7] * (copy.maxshape[0] - 2), copy[...]
        f['later1copy'].resize((3, 4))
        assert f['later1copy'][...].tolist() == [[7] * 4] * 3
        f.close()
        """);
  }

  /** The only chunk of a dataset is named by the header itself. */
  @ParameterizedTest
  @ValueSource(strings = {"EARLIEST", "V110"})
  void datasetsOfOneChunkAreEmptiedAndFilledByBoth(FormatVersion low) {
    List<DatasetOptions> options =
        List.of(
            DatasetOptions.chunked(3, 2).build(),
            DatasetOptions.chunked(3, 2).deflate(1).build(),
            DatasetOptions.chunked(3, 2).allocationTime(AllocationTime.EARLY).build(),
            DatasetOptions.chunked(3, 2).allocationTime(AllocationTime.EARLY).deflate(1).build());
    Dataspace fixed = Dataspace.simple(new long[] {3, 2}, new long[] {3, 2});
    try (H5File file =
        Hdf5.create(turns.path(), CreateOptions.DEFAULT.withBounds(low, FormatVersion.V110))) {
      for (int i = 0; i < options.size(); i++) {
        file.datasetBuilder("d" + i)
            .type(Datatypes.I32LE)
            .space(fixed)
            .options(options.get(i))
            .create()
            .write(new int[][] {{1, 2}, {3, 4}, {5, 6}});
      }
    }
    for (long[] extent : new long[][] {{0, 2}, {2, 0}, {1, 2}, {3, 0}, {2, 1}}) {
      edit(low, options.size(), (dataset, _) -> dataset.setExtent(extent));
      turns.python(
          """
          f = h5py.File(p)
          for n in f: assert f[n].shape == (%d, %d) and not f[n][...].any(), (n, f[n][...])
          f.close()
          """
              .formatted(extent[0], extent[1]));
    }
    edit(
        low,
        options.size(),
        (dataset, i) -> dataset.write(new int[][] {{10 * i + 1}, {10 * i + 2}}));
    turns.python(
        """
        f = h5py.File(p, 'r+')
        for i in range(len(f)):
          d = f['d%d' % i]
          assert d[...].tolist() == [[10 * i + 1], [10 * i + 2]], d[...]
          d.resize((3, 2))
          assert d[...].tolist() == [[10 * i + 1, 0], [10 * i + 2, 0], [0, 0]], d[...]
        f.close()
        """);
  }

  private void edit(FormatVersion low, int count, ObjIntConsumer<Dataset> edit) {
    OpenOptions options = OpenOptions.EDIT.withBounds(low, FormatVersion.V110);
    try (H5File file = Hdf5.open(turns.path(), options)) {
      for (int i = 0; i < count; i++) {
        edit.accept(file.dataset("d" + i), i);
      }
    }
  }

  /** The library takes the size of a variable-length value from the file's addresses. */
  @ParameterizedTest
  @ValueSource(ints = {1, 8, 24, 255})
  void statedSizesOfVariableLengthValuesDoNotMatter(int stated) {
    turns.python(
        """
        f = h5py.File(p, 'w', libver='earliest')
        f['text'] = ['abc', 'defg']
        f.create_dataset('chunked', data=['h', 'ij'], dtype=h5py.string_dtype(), chunks=(1,))
        d = f.create_dataset('numbers', (2,), h5py.vlen_dtype('<i4'))
        d[0], d[1] = [1, 2], [3]
        f.attrs['note'] = 'of the file'
        f.create_dataset('pair', (2,), np.dtype([('t', h5py.string_dtype()), ('n', '<i4')]))
        f.close()
        raw = bytearray(open(p, 'rb').read())
        i, found = raw.find(b'\\x19'), 0
        while i >= 0:
          if raw[i + 4:i + 8] == bytes([16, 0, 0, 0]): raw[i + 4], found = %d, found + 1
          i = raw.find(b'\\x19', i + 1)
        assert found == 5, found
        open(p, 'wb').write(raw)
        f = h5py.File(p)
        assert f['text'].asstr()[...].tolist() == ['abc', 'defg']
        assert f['numbers'][0].tolist() == [1, 2]
        f.close()
        """
            .formatted(stated));
    try (H5File file = Hdf5.open(turns.path(), OpenOptions.EDIT)) {
      assertThat(file.dataset("text").readStrings()).containsExactly("abc", "defg");
      assertThat(file.dataset("chunked").readStrings()).containsExactly("h", "ij");
      assertThat((int[][]) file.dataset("numbers").read()).isDeepEqualTo(new int[][] {{1, 2}, {3}});
      assertThat(file.root().attribute("note").readString()).isEqualTo("of the file");
      assertThatThrownBy(() -> file.dataset("pair").type())
          .isInstanceOf(CorruptFileException.class);
      file.dataset("text").write(new String[] {"new", "strings"});
    }
    turns.python(
        """
        f = h5py.File(p)
        assert f['text'].asstr()[...].tolist() == ['new', 'strings']
        f.close()
        """);
  }
}
