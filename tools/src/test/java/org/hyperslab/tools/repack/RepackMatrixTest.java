package org.hyperslab.tools.repack;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A rich file that h5py makes, written anew with every layout, filter and bound on structures, and
 * judged by h5diff, h5dump and h5py: those of the machine for bounds up to 1.10, the newest HDF5's
 * for all.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RepackMatrixTest {

  private static final String RICH =
      """
      import sys, h5py, numpy as np
      f = h5py.File(sys.argv[1], 'w', track_order=True)
      r = np.random.default_rng(7)
      for n, t in [('i1','i1'),('u2','>u2'),('i4','<i4'),('u8','>u8'),('f4','<f4'),('f8','>f8')]:
          a = (r.random((37, 53)) * 100).astype(t)
          f.create_dataset('numbers/' + n, data=a)
          f.create_dataset('chunked/' + n, data=a, chunks=(10, 20), compression='gzip', shuffle=True,
                           maxshape=(None, 53))
      f.create_dataset('chunked/two', data=np.arange(400).reshape(20, 20), chunks=(7, 6),
                       maxshape=(None, None), fletcher32=True)
      sparse = f.create_dataset('chunked/sparse', (1000, 1000), 'f4', chunks=(50, 50), fillvalue=3.5,
                                maxshape=(None, 2000))
      sparse[120:130, 700:720] = 1
      f.create_dataset('chunked/empty', (0, 5), 'i4', chunks=(10, 5), maxshape=(None, 5))
      f.create_dataset('line', data=np.arange(3000, dtype='i2'))
      f.create_dataset('scalar', data=3.25)
      f.create_dataset('null', data=h5py.Empty('f8'))
      f.create_dataset('text', data=np.array([b'one', b'three', b'fifteen']))
      f.create_dataset('words', data=['a', 'bc', '', 'long ' * 40], dtype=h5py.string_dtype())
      v = f.create_dataset('ragged', (3,), dtype=h5py.vlen_dtype('i4'))
      v[0], v[1], v[2] = [1, 2, 3], [], [4]
      c = np.zeros(30, dtype=[('a', 'i4'), ('b', '<f8', (2,)), ('s', 'S5')])
      c['a'] = np.arange(30); c['b'][:, 1] = 7
      f.create_dataset('compound', data=c)
      f.create_dataset('truth', data=np.array([True, False, True]))
      f['kind'] = np.dtype('<f8')
      f.create_dataset('shared', data=np.arange(4.0), dtype=f['kind'])
      o = f.create_dataset('refs', (3,), dtype=h5py.ref_dtype)
      o[0], o[1] = f['numbers'].ref, f['line'].ref
      g = f.create_dataset('regions', (2,), dtype=h5py.regionref_dtype)
      g[0] = f['numbers/i4'].regionref[2:5, 3:9]
      f['soft'] = h5py.SoftLink('/numbers/i4'); f['hard'] = f['line']
      f['outside'] = h5py.ExternalLink('elsewhere.h5', '/x')
      many = f.create_group('many')
      for i in range(60): many.attrs['a%02d' % i] = i
      for i in range(60): many.create_group('g%02d' % i)
      f.attrs['words'] = ['x', 'yy']; f['line'].attrs['to'] = f['numbers/f8'].ref
      f['line'].attrs['big'] = np.arange(900)
      f.close()
      """;

  private static final String COMPARE =
      """
      import sys, h5py, numpy as np
      a, b = h5py.File(sys.argv[1]), h5py.File(sys.argv[2])
      count = 0
      def same(x, y):
          if isinstance(x, h5py.Empty): return isinstance(y, h5py.Empty)
          if isinstance(x, np.ndarray) and x.dtype == object:
              return x.shape == y.shape and all(same(p, q) for p, q in zip(x.flat, y.flat))
          if isinstance(x, (h5py.Reference, h5py.RegionReference)):
              if not x: return not y
              return a[x].name == b[y].name
          return np.array_equal(x, y)
      def visit(name, one):
          global count
          two = b[name]
          for k in one.attrs:
              assert same(one.attrs[k], two.attrs[k]), (name, k)
          if isinstance(one, h5py.Dataset):
              assert one.shape == two.shape, name
              assert same(one[()], two[()]), name
          count += 1
      a.visititems(visit)
      print(count)
      """;

  private Path folder;
  private Path rich;
  private Oracle python;
  private String objects;

  @BeforeAll
  void makeFile(@TempDir Path shared) {
    folder = shared;
    rich = folder.resolve("rich.h5");
    python = Oracle.h5py();
    python.run(RICH, rich.toString()).orFail();
    objects = python.run(COMPARE, rich.toString(), rich.toString()).orFail().output();
  }

  static Stream<Arguments> plans() {
    List<Arguments> plans = new ArrayList<>();
    List<List<String>> filters =
        List.of(
            List.of(),
            List.of("NONE"),
            List.of("GZIP=1"),
            List.of("SHUF", "GZIP=6"),
            List.of("FLET"),
            List.of("NBIT"),
            List.of("numbers/i4,chunked/u2:SOFF=0,IN"),
            List.of("numbers/i4,numbers/f8,chunked/i1:SZIP=8,NN"),
            List.of("SHUF", "GZIP=3", "FLET"));
    List<List<String>> layouts =
        List.of(
            List.of(),
            List.of("CHUNK=16x16"),
            List.of("CHUNK=100"),
            List.of("CONTI"),
            List.of("COMPA"));
    for (FormatVersion bound : FormatVersion.values()) {
      for (List<String> filter : filters) {
        plans.add(Arguments.of(bound, List.of(), filter));
      }
      for (List<String> layout : layouts) {
        plans.add(Arguments.of(bound, layout, List.of("NONE")));
        plans.add(Arguments.of(bound, layout, List.of("SHUF", "GZIP=6")));
      }
    }
    return plans.stream();
  }

  @ParameterizedTest
  @MethodSource("plans")
  void copiesAreEqual(FormatVersion bound, List<String> layouts, List<String> filters) {
    RepackPlan plan =
        RepackPlanParser.parse(
                filters, layouts, 0, RepackPlan.FileRules.AS_IS, RepackPlan.ObjectRules.AS_IS)
            .withBounds(
                bound, bound.compareTo(FormatVersion.V110) < 0 ? FormatVersion.V110 : bound);
    Path copy = folder.resolve("copy.h5");
    try (H5File source = Hdf5.open(rich);
        H5File target = Hdf5.create(copy, plan.creation(source.info().creation()))) {
      new Repack(source, target, plan, RepackListener.SILENT).run();
    }
    if (bound.compareTo(FormatVersion.V110) <= 0) {
      judge(Oracle.h5diff(), Oracle.h5dump(), copy);
      Oracle.Outcome compared = python.run(COMPARE, rich.toString(), copy.toString());
      assertThat(compared.orFail().output()).isEqualTo(objects);
    }
    Optional<Oracle> newest = Oracle.newest("h5diff");
    newest.ifPresent(h5diff -> judge(h5diff, Oracle.newest("h5dump").orElseThrow(), copy));
  }

  private void judge(Oracle h5diff, Oracle h5dump, Path copy) {
    Oracle.Outcome outcome = h5diff.run(rich.toString(), copy.toString());
    assertThat(outcome.exitCode()).as(outcome.output() + outcome.errors()).isZero();
    h5dump.run("-p", "-y", copy.toString()).orFail();
  }
}
