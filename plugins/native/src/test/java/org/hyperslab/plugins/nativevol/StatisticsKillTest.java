package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.format.space.Selection;
import org.hyperslab.model.Condition;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.Layout;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.testkit.ChildJvm;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Seeds;
import org.hyperslab.testkit.TemporaryFolder;
import org.junit.jupiter.api.Test;

/**
 * Tests that elements of one flush never meet statistics of another after a writer was killed at
 * any moment.
 */
final class StatisticsKillTest {

  private static final int LENGTH = 30_000;

  /** Writes until it is killed. */
  static final class Writer {
    private Writer() {}

    /** Arguments: the file, a seed. */
    public static void main(String[] arguments) {
      Random random = new Random(Long.parseLong(arguments[1]));
      while (true) {
        try (H5File file = Hdf5.openForEdit(Path.of(arguments[0]))) {
          for (int i = 0; i < 5; i++) {
            for (String name : new String[] {"plain", "packed"}) {
              try (Dataset dataset = file.dataset(name)) {
                long first = random.nextInt(LENGTH);
                long count = 1 + random.nextInt((int) (LENGTH - first));
                dataset.rows(first, first + count).write(random.nextGaussian() * 1000);
              }
            }
            file.flush();
            System.out.println("flushed");
          }
        }
        System.out.println("closed");
      }
    }
  }

  @Test
  void killedWritersLeaveNoWrongStatistics() {
    Seeds.run(Effort.times(4, 100), StatisticsKillTest::lifeAndDeath);
  }

  private static void lifeAndDeath(Random random) {
    try (TemporaryFolder folder = TemporaryFolder.create("statistics-kill")) {
      Path path = folder.file("a.h5");
      try (H5File file = Hdf5.create(path)) {
        create(file, "plain", DatasetOptions.builder().layout(new Layout.Contiguous()));
        create(file, "packed", DatasetOptions.chunked(1000).deflate(1));
      }
      for (int life = 0; life < 3; life++) {
        live(path, random);
        check(path, random);
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void create(H5File file, String name, DatasetOptions.Builder options) {
    file.datasetBuilder(name)
        .value(new double[LENGTH])
        .options(options.statistics(500).build())
        .create()
        .close();
  }

  private static void live(Path path, Random random) throws IOException {
    Process process =
        new ProcessBuilder(
                ChildJvm.command(
                    256, Writer.class, path.toString(), Long.toString(random.nextInt(1000))))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      String line = "";
      for (int i = random.nextInt(9); i >= 0 && line != null; i--) {
        line = lines.readLine();
      }
      process.onExit().completeOnTimeout(process, random.nextInt(20), TimeUnit.MILLISECONDS).join();
      process.toHandle().destroyForcibly();
      process.onExit().join();
    }
  }

  private static void check(Path path, Random random) {
    Condition above = Condition.value().above(random.nextGaussian() * 1000);
    OpenOptions off = OpenOptions.READ.withProperty("statistics", "off");
    try (H5File told = Hdf5.open(path);
        H5File read = Hdf5.session("native").open(path, off)) {
      for (String name : new String[] {"plain", "packed"}) {
        Dataset a = told.dataset(name);
        Dataset b = read.dataset(name);
        Selection places = b.where(above);
        assertThat(a.where(above)).isEqualTo(places);
        assertThat(a.minimum()).isEqualTo(b.minimum());
        assertThat(a.maximum()).isEqualTo(b.maximum());
      }
    }
  }
}
