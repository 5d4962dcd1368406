package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.IntStream;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.format.space.Selection;
import org.hyperslab.model.Condition;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.Layout;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.model.ValueSummary;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that statistics answer without reading, and only if they are those of the elements. */
final class StatisticsTest {

  private static final int LENGTH = 4000;

  @TempDir private Path folder;

  private static DatasetOptions options(String layout) {
    DatasetOptions.Builder options = DatasetOptions.builder().statistics(250);
    return switch (layout) {
      case "contiguous" -> options.layout(new Layout.Contiguous()).build();
      case "chunked" -> options.chunked(300).build();
      default -> options.chunked(300).shuffle().deflate(1).build();
    };
  }

  private Path written(String layout) {
    Path path = folder.resolve("a.h5");
    try (H5File file = Hdf5.create(path)) {
      Dataset dataset =
          file.datasetBuilder("x")
              .type(double.class)
              .shape(LENGTH)
              .options(options(layout))
              .create();
      double[] values = IntStream.range(0, LENGTH).mapToDouble(i -> i * 0.5).toArray();
      values[7] = Double.NaN;
      dataset.write(values);
      dataset.rows(100, 101).write(new double[] {-3});
    }
    return path;
  }

  @ParameterizedTest
  @ValueSource(strings = {"contiguous", "chunked", "filtered"})
  void answersWithoutReading(String layout) {
    Path path = written(layout);
    try (H5File file = Hdf5.open(path)) {
      Dataset x = file.dataset("x");
      ValueSummary summary = x.summary();
      assertThat(summary.elementsRead()).isZero();
      assertThat(summary.count()).isEqualTo(LENGTH);
      assertThat(summary.nanCount()).isEqualTo(1);
      assertThat(summary.minimum()).contains(-3.0);
      assertThat(summary.maximum()).contains((LENGTH - 1) * 0.5);
      assertThat(x.where(Condition.value().above(1990)))
          .isEqualTo(Selection.box(new long[] {3981}, new long[] {19}));
      assertThat(x.count(Condition.value().below(0))).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"contiguous", "chunked", "filtered"})
  void keepsThemInLaterOpenings(String layout) {
    Path path = written(layout);
    try (H5File file = Hdf5.openForEdit(path)) {
      Dataset x = file.dataset("x");
      assertThat(x.options().statistics()).isEqualTo(250);
      x.rows(3990, 4000).write(9999);
      assertThat(x.summary().maximum()).contains(9999.0);
      file.flush();
      assertThat(x.summary().elementsRead()).isZero();
      x.rows(0, 1).write(-7);
      assertThat(x.summary().minimum()).contains(-7.0);
    }
    try (H5File file = Hdf5.open(path)) {
      ValueSummary summary = file.dataset("x").summary();
      assertThat(summary.elementsRead()).isZero();
      assertThat(summary.minimum()).contains(-7.0);
      assertThat(summary.maximum()).contains(9999.0);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"contiguous", "chunked", "filtered"})
  void readsWhatAnotherProgramHasEdited(String layout) throws Exception {
    Path path = written(layout);
    Oracle.h5py()
        .run("import h5py, sys; h5py.File(sys.argv[1], 'r+')['x'][5] = 1e9", path.toString())
        .orFail();
    try (H5File file = Hdf5.open(path)) {
      ValueSummary summary = file.dataset("x").summary();
      assertThat(summary.maximum()).contains(1e9);
      assertThat(summary.elementsRead()).isEqualTo(LENGTH);
    }
    try (H5File file = Hdf5.openForEdit(path)) {
      file.dataset("x").rows(6, 7).write(2e9);
    }
    try (H5File file = Hdf5.open(path)) {
      assertThat(file.dataset("x").summary().maximum()).contains(2e9);
      assertThat(file.dataset("x").count(Condition.value().atLeast(1e9))).isEqualTo(2);
    }
  }

  @Test
  void aTimeThatIsSetBackDeceivesNobody() throws Exception {
    Path path = written("contiguous");
    Oracle.h5py()
        .run(
            """
            import h5py, sys, os, time
            was = os.stat(sys.argv[1])
            while time.time_ns() < was.st_mtime_ns + 400_000_000: time.sleep(0.01)
            h5py.File(sys.argv[1], 'r+')['x'][5] = 1e9
            os.utime(sys.argv[1], ns=(was.st_atime_ns, was.st_mtime_ns))
            """,
            path.toString())
        .orFail();
    try (H5File file = Hdf5.open(path)) {
      assertThat(file.dataset("x").summary().maximum()).contains(1e9);
    }
  }

  @Test
  void aCopyIsReadAndAnIndexedFileIsNot() throws Exception {
    Path path = written("filtered");
    Path copy = Files.copy(path, folder.resolve("copy.h5"));
    try (H5File file = Hdf5.open(copy)) {
      assertThat(file.dataset("x").summary().elementsRead()).isEqualTo(LENGTH);
    }
    OpenOptions all = OpenOptions.EDIT.withProperty("statistics", "all");
    Hdf5.open(copy, all).close();
    try (H5File file = Hdf5.open(copy)) {
      assertThat(file.dataset("x").summary().elementsRead()).isZero();
    }
  }

  @Test
  void indexesAFileOfAnotherProgram() throws Exception {
    Path path = folder.resolve("h5py.h5");
    Oracle.h5py()
        .run(
            """
            import h5py, sys, numpy as np
            with h5py.File(sys.argv[1], 'w') as f:
                f['g/a'] = np.arange(1000.0).reshape(10, 100)
                f.create_dataset('b', data=np.arange(500, dtype='>i2'), chunks=(64,), compression=4)
                d = np.zeros(30, [('t', '<f4'), ('n', 'S3'), ('p', [('q', '<u8')])])
                d['t'] = np.arange(30); d['p']['q'] = 2**63 + np.arange(30)
                f['c'] = d
                f['text'] = 'none'
            """,
            path.toString())
        .orFail();
    Hdf5.open(path, OpenOptions.EDIT.withProperty("statistics", "all")).close();
    try (H5File file = Hdf5.open(path)) {
      assertThat(file.dataset("g/a").summary().elementsRead()).isZero();
      assertThat(file.dataset("g/a").maximum()).contains(999.0);
      ValueSummary b = file.dataset("b").summary();
      assertThat(b.elementsRead()).isZero();
      assertThat(b.sum()).isEqualTo(500L * 499 / 2);
      ValueSummary q = file.dataset("c").summary(Condition.field("p", "q"));
      assertThat(q.elementsRead()).isZero();
      assertThat(q.minimum().map(Object::toString)).isEqualTo(Optional.of("9223372036854775808"));
      assertThat(file.dataset("c").count(Condition.parse("t >= 10 and n == ''"))).isEqualTo(20);
    }
    Oracle.h5py()
        .run(
            "import h5py, sys; f = h5py.File(sys.argv[1]); assert f['b'][7] == 7; f.visit(str)",
            path.toString())
        .orFail();
  }

  @Test
  void theGroupMayBeDeleted() throws Exception {
    Path path = written("filtered");
    try (H5File file = Hdf5.openForEdit(path)) {
      file.delete("/.hyperslab.statistics");
      file.createDataset("y", new double[100]).close();
      file.flush();
      file.dataset("x").rows(0, 1).write(-5);
    }
    try (H5File file = Hdf5.open(path)) {
      assertThat(file.dataset("x").minimum()).contains(-5.0);
      assertThat(file.dataset("y").readDoubles()).containsOnly(0);
    }
  }

  @Test
  void forgedRowsAreIgnored() throws Exception {
    Path path = written("filtered");
    Oracle.h5py()
        .run(
            """
            import h5py, sys
            with h5py.File(sys.argv[1], 'r+') as f:
                g = f['.hyperslab.statistics']
                for name in list(g):
                    if name != 'seal':
                        g[name][1:] = 2**62
                del g['seal']
                g['seal'] = 'text'
                g['ffff'] = [1, 2]
                g['10'] = [[1, 16, 5]]
            """,
            path.toString())
        .orFail();
    try (H5File file = Hdf5.open(path)) {
      assertThat(file.dataset("x").minimum()).contains(-3.0);
    }
    try (H5File file = Hdf5.openForEdit(path)) {
      file.dataset("x").rows(0, 1).write(-5);
      assertThat(file.dataset("x").minimum()).contains(-5.0);
    }
    try (H5File file = Hdf5.open(path)) {
      assertThat(file.dataset("x").minimum()).contains(-5.0);
    }
  }

  @Test
  void followsTheExtent() {
    Path path = folder.resolve("grows.h5");
    try (H5File file = Hdf5.create(path)) {
      Dataset x =
          file.datasetBuilder("x")
              .type(int.class)
              .shape(10, 10)
              .maxShape(-1, -1)
              .options(o -> o.chunked(4, 4).deflate(1).statistics(1).fill(3))
              .create();
      x.write(5);
      x.append(new int[][] {{6, 6, 6, 6, 6, 6, 6, 6, 6, 6}});
      file.flush();
      assertThat(x.summary().maximum()).contains(6L);
      x.setExtent(9, 20);
    }
    try (H5File file = Hdf5.open(path)) {
      ValueSummary summary = file.dataset("x").summary();
      assertThat(summary.count()).isEqualTo(180);
      assertThat(summary.fillCount()).isEqualTo(90);
      assertThat(summary.maximum()).contains(5L);
      assertThat(summary.sum()).isEqualTo(90L * 5 + 90 * 3);
    }
  }
}
