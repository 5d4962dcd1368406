package org.hyperslab.tools.repack;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.testkit.Campaign;
import org.hyperslab.testkit.Dialogue;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Repacks a rich file of h5py with every layout, filter and version bound, and judges the copies by
 * h5diff, h5dump and h5py: those of the machine for bounds up to 1.10, the newest HDF5's for all.
 */
@Campaign
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
      sparse = f.create_dataset('chunked/sparse', (200, 200), 'f4', chunks=(10, 10), fillvalue=3.5,
                                maxshape=(None, 400))
      sparse[24:36, 140:154] = 1
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
      for line in sys.stdin:
          count = 0
          try:
              with h5py.File(sys.argv[1]) as a, h5py.File(line.strip()) as b: a.visititems(visit)
              print(count)
          except Exception as e: print(repr(e))
      """;

  private Path folder;
  private Path rich;
  private Dialogue python;
  private String objects;

  @BeforeAll
  void makeFile(@TempDir Path shared) {
    folder = shared;
    rich = folder.resolve("rich.h5");
    Oracle.h5py().run(RICH, rich.toString()).orFail();
    python = Dialogue.h5py(COMPARE, Map.of("HDF5_USE_FILE_LOCKING", "FALSE"), rich.toString());
    objects = python.ask(rich.toString());
    assertThat(Integer.parseInt(objects)).isPositive();
  }

  @AfterAll
  void endPython() {
    python.close();
  }

  /** The requests for one copy. */
  private record Plan(List<String> layouts, List<String> filters) {}

  private static List<Plan> plans() {
    List<Plan> plans = new ArrayList<>();
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
    for (List<String> filter : filters) {
      plans.add(new Plan(List.of(), filter));
    }
    for (List<String> layout : layouts) {
      plans.add(new Plan(layout, List.of("NONE")));
      plans.add(new Plan(layout, List.of("SHUF", "GZIP=6")));
    }
    return plans;
  }

  @ParameterizedTest
  @EnumSource(FormatVersion.class)
  void copiesAreEqual(FormatVersion bound) {
    List<Plan> plans = plans();
    List<Path> copies =
        IntStream.range(0, plans.size())
            .parallel()
            .mapToObj(i -> {
              Path copy = folder.resolve(bound + "-" + i + ".h5");
              copy(bound, plans.get(i), copy);
              return copy;
            })
            .toList();
    if (bound.compareTo(FormatVersion.V110) <= 0) {
      judge(Oracle.h5diff(), Oracle.h5dump(), copies, plans);
      for (int i = 0; i < plans.size(); i++) {
        String compared = python.ask(copies.get(i).toString());
        assertThat(compared).as("h5py, %s", plans.get(i)).isEqualTo(objects);
      }
    }
    Oracle.newest("h5diff")
        .ifPresent(h5diff -> judge(h5diff, Oracle.newest("h5dump").orElseThrow(), copies, plans));
  }

  private void copy(FormatVersion bound, Plan asked, Path copy) {
    RepackPlan plan =
        RepackPlanParser.parse(
                asked.filters,
                asked.layouts,
                0,
                RepackPlan.FileRules.AS_IS,
                RepackPlan.ObjectRules.AS_IS)
            .withBounds(
                bound, bound.compareTo(FormatVersion.V110) < 0 ? FormatVersion.V110 : bound);
    try (H5File source = Hdf5.open(rich);
        H5File target = Hdf5.create(copy, plan.creation(source.info().creation()))) {
      new Repack(source, target, plan, RepackListener.SILENT).run();
    }
  }

  private void judge(Oracle h5diff, Oracle h5dump, List<Path> copies, List<Plan> plans) {
    IntStream.range(0, copies.size())
        .parallel()
        .forEach(i -> {
          Oracle.Outcome outcome = h5diff.run(rich.toString(), copies.get(i).toString());
          assertThat(outcome.exitCode())
              .as("%s: %s%s", plans.get(i), outcome.output(), outcome.errors())
              .isZero();
        });
    // One process prints them all.
    List<String> words = new ArrayList<>(List.of("-p", "-y"));
    copies.forEach(copy -> words.add(copy.toString()));
    h5dump.run(words.toArray(String[]::new)).orFail();
  }
}
