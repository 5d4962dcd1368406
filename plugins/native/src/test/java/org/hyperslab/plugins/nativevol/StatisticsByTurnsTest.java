package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.format.space.Selection;
import org.hyperslab.model.Condition;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.Layout;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.model.ValueSummary;
import org.hyperslab.testkit.Campaign;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.Seeds;
import org.hyperslab.testkit.TemporaryFolder;
import org.junit.jupiter.api.Test;

/**
 * Tests that statistics never give a wrong answer while this library and the C library (h5py) edit
 * a file by turns, also with times that are set back, copies, renamings and repacked files. Answers
 * are compared with those by reading, which other tests compare with NumPy, and with h5py.
 */
final class StatisticsByTurnsTest {

  private static final List<String> NAMES = List.of("plain", "chunks", "packed", "pairs");

  private static final String EDIT =
      """
      import h5py, sys, os, time, numpy as np
      path, seed, back = sys.argv[1], int(sys.argv[2]), sys.argv[3] == 'back'
      r = np.random.RandomState(seed)
      was = os.stat(path)
      if back:
          while time.time_ns() < was.st_ctime_ns + 300_000_000: time.sleep(0.01)
      with h5py.File(path, 'r+') as f:
          for _ in range(r.randint(0, 4)):
              d = f[['plain', 'chunks', 'packed', 'pairs'][r.randint(4)]]
              a = r.randint(len(d)); b = min(len(d), a + 1 + r.randint(60))
              if d.dtype.names:
                  v = d[a:b]; v['t'] = r.randn(b - a); d[a:b] = v
              else:
                  d[a:b] = r.randint(-999, 999, b - a)
              if d.maxshape[0] is None and r.randint(4) == 0:
                  d.resize(r.randint(1, 400), 0)
      if back:
          os.utime(path, ns=(was.st_atime_ns, was.st_mtime_ns))
      """;

  private static final String TOLD =
      """
      import h5py, sys
      with h5py.File(sys.argv[1]) as f:
          for name in ['plain', 'chunks', 'packed']:
              print(f[name][...].min(), f[name][...].max(), (f[name][...] > 100).sum())
      """;

  private static final AtomicInteger ANSWERED = new AtomicInteger();

  @Test
  void answersAreThoseOfTheElements() {
    ANSWERED.set(0);
    Seeds.run(Effort.times(12, 100), StatisticsByTurnsTest::history);
    assertThat(ANSWERED).as("answers without reading").hasPositiveValue();
  }

  @Campaign
  @Test
  void answersOfManyHistoriesAreThoseOfTheElements() {
    Seeds.run(2000, StatisticsByTurnsTest::history);
  }

  private static void history(Random random) {
    try (TemporaryFolder folder = TemporaryFolder.create("by-turns")) {
      Path path = folder.file("a.h5");
      create(path, random);
      int turns = 3 + random.nextInt(4);
      for (int turn = 0; turn < turns; turn++) {
        path = turn(path, folder, random);
        check(path, random);
      }
      judge(path);
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void create(Path path, Random random) {
    try (H5File file = Hdf5.create(path)) {
      for (String name : NAMES) {
        DatasetOptions.Builder options = DatasetOptions.builder().statistics(40);
        switch (name) {
          case "plain" -> options.layout(new Layout.Contiguous());
          case "packed", "pairs" -> options.chunked(50).shuffle().deflate(1);
          default -> options.chunked(50);
        }
        if (name.equals("pairs")) {
          Pair[] pairs = new Pair[200];
          Arrays.setAll(pairs, i -> new Pair(random.nextGaussian(), i));
          file.datasetBuilder(name).value(pairs).options(options.build()).create();
          continue;
        }
        file.datasetBuilder(name)
            .type(name.equals("plain") ? double.class : int.class)
            .shape(200)
            .maxShape(name.equals("plain") ? 200 : -1)
            .options(options.build())
            .create()
            .write(random.ints(200, -500, 500).toArray());
      }
    }
  }

  /** An element of two members. */
  public record Pair(double t, int n) {}

  private static Path turn(Path path, TemporaryFolder folder, Random random)
      throws IOException, InterruptedException {
    switch (random.nextInt(10)) {
      case 0, 1, 2, 3 -> edit(path, random);
      case 4 -> {
        String back = random.nextInt(4) == 0 ? "back" : "on";
        python(EDIT, path.toString(), Integer.toString(random.nextInt(1 << 30)), back);
        edit(path, random);
      }
      case 5 -> Hdf5.open(path, OpenOptions.EDIT.withProperty("statistics", "all")).close();
      case 6 -> {
        Path other = folder.file("copy" + random.nextInt(1 << 30) + ".h5");
        if (random.nextBoolean()) {
          Files.copy(path, other, StandardCopyOption.COPY_ATTRIBUTES);
        } else {
          Files.move(path, other);
        }
        return other;
      }
      default -> {
        String back = random.nextInt(8) == 0 ? "back" : "on";
        python(EDIT, path.toString(), Integer.toString(random.nextInt(1 << 30)), back);
      }
    }
    return path;
  }

  private static String python(String program, String... arguments) throws InterruptedException {
    String[] all = new String[arguments.length + 1];
    all[0] = program;
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    return Oracle.h5py().run(all).orFail().output();
  }

  private static void edit(Path path, Random random) {
    try (H5File file = Hdf5.openForEdit(path)) {
      for (int i = random.nextInt(4); i > 0; i--) {
        Dataset dataset = file.dataset(NAMES.get(random.nextInt(4)));
        int length = (int) dataset.shape()[0];
        int first = random.nextInt(length);
        int end = Math.min(length, first + 1 + random.nextInt(120));
        if (dataset.path().endsWith("pairs")) {
          dataset.rows(first, end).field("t").write(random.nextGaussian());
        } else {
          dataset.rows(first, end).write(random.nextInt(2000) - 1000);
        }
        switch (random.nextInt(6)) {
          case 0 -> file.flush();
          case 1 -> {
            if (dataset.space().isExtendible()) {
              dataset.setExtent(1 + random.nextInt(400));
            }
          }
          case 2 -> compare(dataset, dataset.summary(field(dataset)));
          default -> {}
        }
      }
    }
  }

  private static Condition.Field field(Dataset dataset) {
    return dataset.path().endsWith("pairs") ? Condition.field("t") : Condition.value();
  }

  /** Compares with the elements as this process reads them. */
  private static void compare(Dataset dataset, ValueSummary summary) {
    double[] values =
        dataset.path().endsWith("pairs") ? dataset.field("t").readDoubles() : dataset.readDoubles();
    assertThat(summary.count()).isEqualTo(values.length);
    assertThat(summary.minimum().orElseThrow().doubleValue())
        .isEqualTo(Arrays.stream(values).min().orElseThrow() + 0.0);
    assertThat(summary.maximum().orElseThrow().doubleValue())
        .isEqualTo(Arrays.stream(values).max().orElseThrow() + 0.0);
  }

  private static void check(Path path, Random random) {
    double level = random.nextGaussian() * (random.nextBoolean() ? 1 : 300);
    try (H5File told = Hdf5.open(path);
        H5File read =
            Hdf5.session("native").open(path, OpenOptions.READ.withProperty("statistics", "off"))) {
      for (String name : NAMES) {
        Dataset a = told.dataset(name);
        Dataset b = read.dataset(name);
        Condition above = field(a).above(level);
        Selection places = b.where(above);
        assertThat(a.where(above)).as(name).isEqualTo(places);
        assertThat(a.count(above)).as(name).isEqualTo(places.elementCount(b.shape()));
        ValueSummary summary = a.summary(field(a));
        ANSWERED.addAndGet(summary.elementsRead() == 0 ? 1 : 0);
        compare(b, summary);
      }
    }
  }

  private static void judge(Path path) throws InterruptedException {
    String[] lines = python(TOLD, path.toString()).strip().split("\n");
    try (H5File file = Hdf5.open(path)) {
      for (int i = 0; i < lines.length; i++) {
        String[] words = lines[i].split(" ");
        Dataset dataset = file.dataset(NAMES.get(i));
        assertThat(dataset.minimum().orElseThrow().doubleValue())
            .isEqualTo(Double.parseDouble(words[0]));
        assertThat(dataset.maximum().orElseThrow().doubleValue())
            .isEqualTo(Double.parseDouble(words[1]));
        assertThat(dataset.count(Condition.value().above(100))).isEqualTo(Long.parseLong(words[2]));
      }
    }
  }
}
