package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Link;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.testkit.Corpus;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests rare properties of files: numbers of unusual layouts, and addresses of other than 8 bytes.
 * h5py makes the files, describes their content, and reads what is written into them here.
 */
final class RareFilesTest {

  private static final String FLOATS =
      """
      import sys, h5py, numpy as np
      from h5py import h5t
      # name: size, order, sign, exponent at, bits, mantissa at, bits, bias, precision
      L, B = h5t.ORDER_LE, h5t.ORDER_BE  # Of VAX order, the library's files say big-endian.
      ALL = {
          'bf16': (2, L, 15, 7, 8, 0, 7, 127, 16), 'bf16be': (2, B, 15, 7, 8, 0, 7, 127, 16),
          'e4m3': (1, L, 7, 3, 4, 0, 3, 7, 8), 'e5m2': (1, L, 7, 2, 5, 0, 2, 15, 8),
          'fp6_e2m3': (1, L, 5, 3, 2, 0, 3, 1, 6), 'fp6_e3m2': (1, L, 5, 2, 3, 0, 2, 3, 6),
          'fp4_e2m1': (1, L, 3, 1, 2, 0, 1, 1, 4),
          'f128': (16, L, 127, 112, 15, 0, 112, 16383, 128),
          'f128be': (16, B, 127, 112, 15, 0, 112, 16383, 128),
          'odd24': (3, L, 23, 15, 8, 0, 15, 127, 24),
          'gap': (8, L, 40, 32, 8, 5, 20, 127, 41),
      }
      VALUES = np.array([0, 1, -1, 1.5, 2, -3, 0.5, 4, 6, -0.5])
      f = h5py.File(sys.argv[1], 'a')
      for name, (size, order, sign, at, bits, mat, mbits, bias, precision) in ALL.items():
          t = h5t.IEEE_F64LE.copy()
          # A type is never allowed to be inconsistent on the way.
          t.set_fields(63, 52, 11, 0, 52)
          big = size > 8
          if big: t.set_size(size); t.set_precision(precision)
          t.set_fields(sign, at, bits, mat, mbits)
          t.set_ebias(bias)
          if not big: t.set_precision(precision); t.set_size(size)
          t.set_order(order)
          if name not in f:
              s = h5py.h5s.create_simple((len(VALUES),))
              d = h5py.h5d.create(f.id, name.encode(), t, s)
              d.write(h5py.h5s.ALL, h5py.h5s.ALL, VALUES, mtype=h5t.NATIVE_DOUBLE)
          d = h5py.h5d.open(f.id, name.encode())
          a = np.empty(len(VALUES))
          d.read(h5py.h5s.ALL, h5py.h5s.ALL, a, mtype=h5t.NATIVE_DOUBLE)
          print(name, str(list(a)).replace('inf', 'Infinity'))
      """;

  private static final String SIZES =
      """
      import sys, h5py, numpy as np
      c = h5py.h5p.create(h5py.h5p.FILE_CREATE)
      c.set_sizes(int(sys.argv[2]), int(sys.argv[3]))
      a = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
      low = {'earliest': h5py.h5f.LIBVER_EARLIEST, 'latest': h5py.h5f.LIBVER_LATEST}[sys.argv[4]]
      a.set_libver_bounds(low, h5py.h5f.LIBVER_LATEST)
      f = h5py.File(h5py.h5f.create(sys.argv[1].encode(), h5py.h5f.ACC_TRUNC, c, a))
      f['plain'] = np.arange(50, dtype='<i4')
      # The library cannot open its own datasets of one unlimited dimension where lengths are short.
      rows = None if sys.argv[3] == '8' else 9
      f.create_dataset('chunked', data=np.arange(60).reshape(6, 10), chunks=(4, 3),
                       maxshape=(rows, 10), compression='gzip')
      f.create_dataset('both', data=np.arange(30).reshape(5, 6), chunks=(2, 2), maxshape=(None, None))
      f['words'] = ['one', 'two', 'three']
      g = f.create_group('many')
      # Nor many links in a group where lengths are 2 bytes: it dies of its own heap.
      count = 6 if sys.argv[3:] == ['2', 'latest'] else 12
      for i in range(count): g.create_group('g%d' % i).attrs['n'] = i
      f['link'] = h5py.SoftLink('/plain')
      f.close()
      """;

  private static final String CHECK =
      """
      import sys, h5py, numpy as np
      f = h5py.File(sys.argv[1])
      assert (f['plain'][...] == np.arange(50) + 1).all()
      assert f['chunked'].shape == (9, 10) and (f['chunked'][:6] == np.arange(60).reshape(6, 10)).all()
      assert (f['chunked'][6:] == 7).all()
      assert (f['both'][...] == np.arange(30).reshape(5, 6)).all()
      assert [w.decode() for w in f['words'][...]] == ['one', 'two', 'three']
      assert f['many/g5'].attrs['n'] == 5 and f['many'].attrs['new'] == 5
      assert list(f['added'][...]) == [1.5, 2.5]
      """;

  private static final String EDIT =
      """
      import sys, h5py
      g = h5py.File(sys.argv[1], 'r+')['ours']
      assert sorted(g) == ['first', 'second', 'third'] and g['second'][3] == 3
      del g['second']
      g.create_group('fourth')
      g.create_group('a rather long name')
      """;

  private static final String EDITED =
      """
      import sys, h5py
      g = h5py.File(sys.argv[1], 'r')['ours']
      assert sorted(g) == ['a rather long name', 'fifth', 'first', 'fourth', 'third'], list(g)
      for i in range(40): assert g.file['other%d' % i].attrs['n'] == i
      """;

  /** Whether the fill value is undefined (0), default or set, and the allocation time. */
  private static final String FILLS =
      """
      import sys, h5py
      f = h5py.File(sys.argv[1])
      for n in sorted(f):
          c = f[n].id.get_create_plist()
          print(n, ('Undefined', 'Default', 'Value')[c.fill_value_defined()],
                ('DEFAULT', 'EARLY', 'LATE', 'INCREMENTAL')[c.get_alloc_time()])
      """;

  @TempDir private Path folder;

  @Test
  void floatsOfOddLayoutsMatchTheLibrary() {
    Path path = folder.resolve("floats.h5");
    List<String> lines =
        Oracle.h5py().run(FLOATS, path.toString()).orFail().output().lines().toList();
    assertThat(lines).hasSizeGreaterThan(10);
    try (H5File file = Hdf5.openForEdit(path)) {
      for (String line : lines) {
        String name = line.substring(0, line.indexOf(' '));
        try (Dataset dataset = file.dataset(name)) {
          double[] values = dataset.readDoubles();
          assertThat(name + " " + Arrays.toString(values)).isEqualTo(line);
          double[] turned = Arrays.stream(values).map(each -> -each).toArray();
          dataset.write(turned);
        }
      }
    }
    List<String> after =
        Oracle.h5py().run(FLOATS, path.toString()).orFail().output().lines().toList();
    assertThat(after.stream().map(RareFilesTest::turned).toList())
        .isEqualTo(lines.stream().map(RareFilesTest::unsigned).toList());
  }

  /** Both signs of zero are one. */
  private static String unsigned(String line) {
    return line.replace("-0.0", "0.0");
  }

  private static String turned(String line) {
    String numbers = line.substring(line.indexOf('[') + 1, line.length() - 1);
    double[] turned =
        Arrays.stream(numbers.split(", ")).mapToDouble(text -> -Double.parseDouble(text)).toArray();
    return unsigned(line.substring(0, line.indexOf('[')) + Arrays.toString(turned));
  }

  @ParameterizedTest
  @CsvSource({"2,2", "2,4", "4,8", "8,4"})
  void filesWithOtherAddressesAreReadAndEdited(int offsets, int lengths) {
    for (String version : List.of("earliest", "latest")) {
      Path path = folder.resolve(version + offsets + lengths + ".h5");
      Oracle.h5py().run(SIZES, path.toString(), "" + offsets, "" + lengths, version).orFail();
      try (H5File file = Hdf5.openForEdit(path)) {
        int[] plain = file.dataset("link").readInts();
        assertThat(plain).hasSize(50).endsWith(48, 49);
        for (int i = 0; i < plain.length; i++) {
          plain[i]++;
        }
        file.dataset("plain").write(plain);
        assertThat(file.dataset("words").readStrings()).containsExactly("one", "two", "three");
        try (Dataset chunked = file.dataset("chunked")) {
          assertThat(chunked.readLongs()).hasSize(60).endsWith(58, 59);
          chunked.setExtent(9, 10);
          long[] sevens = new long[30];
          Arrays.fill(sevens, 7);
          chunked.write(Selection.box(new long[] {6, 0}, new long[] {3, 10}), sevens);
        }
        file.group("many").setAttribute("new", 5);
        file.createDataset("added", new double[] {1.5, 2.5});
        file.datasetBuilder("gone").type(Datatypes.I32LE).shape(4).create().close();
        file.root().delete("gone");
      }
      Oracle.h5py().run(CHECK, path.toString()).orFail();
      Oracle.h5dump().run(path.toString()).orFail();
      Oracle.newest("h5dump").ifPresent(h5dump -> h5dump.run(path.toString()).orFail());
    }
  }

  /** The library writes as many bytes of a local heap's prefix as it has with its padding. */
  @ParameterizedTest
  @CsvSource({"2,2", "2,4", "4,4", "4,8", "8,4", "8,8"})
  void oldStyleGroupsAreEditedAlternately(int offsets, int lengths) {
    Path path = folder.resolve("turns.h5");
    Oracle.h5py().run(SIZES, path.toString(), "" + offsets, "" + lengths, "earliest").orFail();
    try (H5File file = Hdf5.openForEdit(path)) {
      Group group = file.createGroup("ours");
      group.createGroup("first");
      group.createSoftLink("second", "/plain");
      group.createGroup("third");
      for (int i = 0; i < 40; i++) { // the names need more room, which is elsewhere
        group.createSoftLink("passing" + i, "/");
      }
      for (int i = 0; i < 40; i++) {
        group.delete("passing" + i);
      }
    }
    try (H5File file = Hdf5.openForEdit(path)) { // what they left is used for something else
      for (int i = 0; i < 40; i++) {
        file.root().setAttribute("a" + i, i);
        file.createGroup("other" + i).setAttribute("n", i);
      }
    }
    Oracle.h5py().run(EDIT, path.toString()).orFail();
    try (H5File file = Hdf5.openForEdit(path)) {
      assertThat(file.group("ours").links().map(Link::name))
          .containsExactly("a rather long name", "first", "fourth", "third");
      file.group("ours").createGroup("fifth");
    }
    Oracle.h5py().run(EDITED, path.toString()).orFail();
    Oracle.h5dump().run(path.toString()).orFail();
  }

  @Test
  void nullDataspacesHaveNoElements() {
    Path path = folder.resolve("null.h5");
    String make = "import sys, h5py; h5py.File(sys.argv[1], 'w')['n'] = h5py.Empty('f8')";
    Oracle.h5py().run(make, path.toString()).orFail();
    try (H5File file = Hdf5.openForEdit(path)) {
      Dataset dataset = file.dataset("n");
      assertThat(dataset.read()).isNull();
      assertThat(dataset.readDoubles()).isEmpty();
      assertThat(dataset.slice("...").readDoubles()).isEmpty();
      List<ThrowingCallable> wrong =
          List.of(() -> dataset.readInto(new double[1]), () -> dataset.write(1.0));
      for (ThrowingCallable call : wrong) {
        assertThatThrownBy(call)
            .isInstanceOf(InvalidUseException.class)
            .hasMessageContaining("actual=a null dataspace");
      }
    }
  }

  /** Before version 1.6, the library wrote no fill value unless the program had set one. */
  @Test
  void fillValuesThatOldFilesLackAreUndefined() {
    Path path = Corpus.file("lib/fill_old.h5");
    StringBuilder ours = new StringBuilder();
    try (H5File file = Hdf5.open(path)) {
      for (Link link : file.root().links().toList()) {
        DatasetOptions options = file.dataset(link.name()).options();
        ours.append(link.name())
            .append(' ')
            .append(options.fill().getClass().getSimpleName())
            .append(' ')
            .append(options.allocationTime())
            .append('\n');
      }
      assertThat(file.dataset("dset1").readInts()).contains(0);
    }
    assertThat(ours.toString())
        .isEqualTo(Oracle.h5py().run(FILLS, path.toString()).orFail().output())
        .startsWith("dset1 Undefined LATE");
  }
}
