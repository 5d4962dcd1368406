package org.hyperslab.plugins.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.format.space.Selection;
import org.hyperslab.testkit.Campaign;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.Seeds;
import org.hyperslab.testkit.TemporaryFolder;
import org.hyperslab.testkit.differential.Differential;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs have the same effect through a log as without one. */
class LogDifferentialTest {

  private static final int FEW = Effort.times(6, 30);
  private static final int MANY = 300;

  @TempDir Path logs;

  private String stack(String options) {
    return "log path=" + logs + " " + options + " | native";
  }

  @Test
  void historiesByTurnsWithTheLibraryMatchTheModel() {
    try (Differential tester = new Differential(Hdf5.session(stack("capacity=1M")))) {
      tester.run(Seeds.draw(), 0, FEW);
    }
  }

  @Campaign
  @Test
  void manyHistoriesByTurnsWithTheLibraryMatchTheModel() {
    try (Differential tester = new Differential(Hdf5.session(stack("capacity=1M")))) {
      tester.run(Seeds.draw(), FEW, MANY);
    }
  }

  @Test
  void randomProgramsWriteTheSameThroughALog() {
    Seeds.run(Effort.times(4, 40), this::compare);
  }

  /** One program on native and through two logs; h5diff compares the files. */
  private void compare(Random random) {
    long seed = random.nextLong();
    try (TemporaryFolder folder = TemporaryFolder.create("log-same")) {
      Path plain = folder.file("plain.h5");
      List<String> seen = program(new Random(seed), "native", plain);
      for (String options : List.of("", "capacity=1M drain=background acknowledge=written")) {
        Path logged = folder.file("logged.h5");
        assertThat(program(new Random(seed), stack(options), logged)).isEqualTo(seen);
        Oracle.h5diff().run(plain.toString(), logged.toString()).orFail();
        assertThat(logs).isEmptyDirectory();
        Files.delete(logged);
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static List<String> program(Random random, String stack, Path path) {
    long rows = 40;
    List<String> seen = new ArrayList<>();
    try (Session session = Hdf5.session(stack);
        H5File file = session.create(path)) {
      for (int i = 0; i < 4; i++) {
        boolean chunked = i % 2 == 0;
        file.datasetBuilder("d" + i)
            .type(double.class)
            .shape(rows, 50)
            .maxShape(chunked ? new long[] {Hdf5.UNLIMITED, 50} : new long[] {rows, 50})
            .options(options -> {
              if (chunked) {
                options.chunked(7, 13).shuffle().deflate(1);
              }
            })
            .create()
            .close();
      }
      for (int step = 0; step < 60; step++) {
        edit(random, file, seen);
      }
    }
    return seen;
  }

  private static void edit(Random random, H5File file, List<String> seen) {
    int number = random.nextInt(4);
    try (Dataset dataset = file.dataset("d" + number)) {
      long rows = dataset.shape()[0];
      long row = random.nextLong(rows);
      long column = random.nextInt(50);
      long height = 1 + random.nextLong(rows - row);
      long width = 1 + random.nextLong(50 - column);
      Selection box = Selection.box(new long[] {row, column}, new long[] {height, width});
      switch (random.nextInt(10)) {
        case 0 -> file.flush();
        case 1 -> {
          if (number % 2 == 0) {
            dataset.setExtent(Math.max(1, rows + random.nextInt(21) - 10), 50);
          }
        }
        case 4 -> scattered(random, dataset, rows);
        case 2, 3 -> seen.add(Arrays.toString(dataset.readDoubles(box)));
        default -> {
          double[] values = random.doubles(height * width).toArray();
          dataset.write(box, values);
          assertThat(dataset.readDoubles(box)).isEqualTo(values);
        }
      }
    }
  }

  /** Writes single elements at equal distances, some of them twice. */
  private static void scattered(Random random, Dataset dataset, long rows) {
    for (int i = 0; i < 4; i++) {
      long height = (rows + 1) / 2;
      dataset.write(
          Selection.hyperslab(
              new long[] {rows == 1 ? 0 : random.nextInt(rows % 2 == 0 ? 2 : 1), random.nextInt(2)},
              new long[] {2, 2},
              new long[] {height, 25},
              new long[] {1, 1}),
          random.doubles(height * 25).toArray());
    }
  }
}
