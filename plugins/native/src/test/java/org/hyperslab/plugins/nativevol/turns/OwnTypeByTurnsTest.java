package org.hyperslab.plugins.nativevol.turns;

import static org.assertj.core.api.Assertions.assertThat;

import org.hyperslab.Attribute;
import org.hyperslab.CommittedType;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.model.OpenOptions;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests committed types with attributes of their own type, in headers, in dense storage and as
 * shared messages, in files of the HDF5 library.
 */
final class OwnTypeByTurnsTest {

  /** Defines a file {@code f} with a type {@code t}; attributes are dense if there are nine. */
  private static final String MAKE =
      SharedMessagesByTurnsTest.MAKE
          + """
          def rc(n): return h5py.h5o.get_info(f[n].id).rc
          def own(n, *names):
            for a in names: f[n].attrs.create(a, [1., 2.], dtype=f['t'])
            f[n].attrs['text'] = ['other', 'strings', 'stay']
          def check(n, count, **values):
            assert rc(n) == count, rc(n)
            assert list(f[n].attrs['text']) == ['other', 'strings', 'stay']
            assert sorted(f[n].attrs) == sorted([*values, 'text']), list(f[n].attrs)
            for a, v in values.items(): assert f[n].attrs[a].tolist() == v
            for a in values: assert h5py.h5a.open(f[n].id, a.encode()).get_type().committed()
          """;

  @AutoClose private final Turns turns = new Turns();

  @ParameterizedTest
  @CsvSource({
    "'h5py.File(p, \"w\", libver=\"earliest\")'",
    "'h5py.File(p, \"w\", libver=\"latest\")'",
    "'make(p, 0, ATTR | DTYPE, latest=True)'",
    "'make(p, 40, ATTR)'"
  })
  void attributesOfTheirOwnTypeAreEditedOneByOne(String made) {
    for (String more : new String[] {"", ", *'ghijklmo'"}) {
      turns.python(
          MAKE
              + "f = "
              + made
              + "\nf['t'] = np.dtype('<f8')\nown('t', 'a', 'b', 'c'"
              + more
              + ")\nf.close()\n");
      try (H5File file = Hdf5.open(turns.path(), OpenOptions.EDIT)) {
        CommittedType type = file.root().committedType("t");
        type.deleteAttribute("a");
        type.renameAttribute("b", "renamed");
        type.attribute("c").write(new double[] {5, 6});
        type.createAttribute("ours", type, Dataspace.simple(2)).write(new double[] {7, 8});
        file.root().copy("t", file.root(), "copy");
      }
      String others = more.isEmpty() ? "" : ", **{a: [1, 2] for a in 'ghijklmo'}";
      int count = more.isEmpty() ? 4 : 12;
      turns.python(
          """
          f = h5py.File(p, 'r+')
          for n in ('t', 'copy'):
            check(n, %d, renamed=[1, 2], c=[5, 6], ours=[7, 8]%s)
          f.close()
          """
              .formatted(count, others));
      try (H5File file = Hdf5.open(turns.path(), OpenOptions.EDIT)) {
        for (String name : new String[] {"t", "copy"}) {
          CommittedType type = file.root().committedType(name);
          type.attributes()
              .map(Attribute::name)
              .filter(each -> !each.equals("text"))
              .toList()
              .forEach(type::deleteAttribute);
        }
      }
      turns.python("f = h5py.File(p)\nfor n in ('t', 'copy'): check(n, 1)\nf.close()\n");
      try (H5File file = Hdf5.open(turns.path(), OpenOptions.EDIT)) {
        file.root().delete("t");
        file.root().delete("copy");
      }
      turns.python(
          """
          f = h5py.File(p)
          assert list(f) == [] and heaps(f) == 0, (list(f), heaps(f))
          f.close()
          """);
    }
  }

  /**
   * HDF5 1.10 leaves such counts behind when it fails to delete an attribute of its own type: the
   * object has one link, and an attribute that nobody has counted.
   */
  @ParameterizedTest
  @ValueSource(strings = {"earliest", "latest"})
  void anObjectStaysThoughItsCountIsOneTooLow(String bound) {
    turns.python(
        MAKE
            + """
            f = h5py.File(p, 'w', libver='%s')
            f['t'] = np.dtype('<f8')
            own('t', 'a', 'b')
            t = f['t']
            for i in range(2): assert lib.H5Odecr_refcount(ctypes.c_int64(t.id.id)) >= 0
            del t
            f.close()
            """
                .formatted(bound));
    try (H5File file = Hdf5.open(turns.path(), OpenOptions.EDIT)) {
      CommittedType type = file.root().committedType("t");
      type.deleteAttribute("a");
      assertThat(type.attributes().map(Attribute::name)).containsExactlyInAnyOrder("b", "text");
    }
    try (H5File file = Hdf5.open(turns.path(), OpenOptions.EDIT)) {
      file.root().committedType("t").renameAttribute("b", "c");
    }
    turns.python("f = h5py.File(p)\ncheck('t', 1, c=[1, 2])\nf.close()\n");
    try (H5File file = Hdf5.open(turns.path(), OpenOptions.EDIT)) {
      file.root().delete("t");
    }
    turns.python("f = h5py.File(p)\nassert list(f) == []\nf.close()\n");
  }
}
