package org.hyperslab.benchmarks.crash;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.Durability;
import org.hyperslab.model.FilterSpec;
import org.hyperslab.model.OpenOptions;

/**
 * Measures what {@code verify=write} costs: 64 MiB of smooth numbers are written in chunks of 1
 * MiB, with and without it in turn. Prints the medians and their ratio. Arguments: a folder, and
 * the number of runs.
 */
final class VerifiedWriteCost {

  private static final int NUMBERS = 8 << 20;
  private static final int CHUNK = 1 << 17;
  private static final int WARMUP = 3;

  private VerifiedWriteCost() {}

  private record Scenario(String name, Consumer<DatasetOptions.Builder> filters) {}

  private static final List<Scenario> SCENARIOS =
      List.of(
          new Scenario("no filter", o -> {}),
          new Scenario("lz4", o -> o.lz4()),
          new Scenario("shuffle, lz4", o -> o.shuffle().lz4()),
          new Scenario("shuffle, deflate 4", o -> o.shuffle().deflate(4)),
          new Scenario("scale-offset of floats", o -> o.filter(FilterSpec.of(6, 0, 2))));

  /**
   * Writes the doubles through each set of filters, with and without verification, and prints the
   * median times.
   *
   * @param arguments see the class
   */
  public static void main(String[] arguments) {
    Path file = Path.of(arguments[0]).resolve("verified.h5");
    int runs = Integer.parseInt(arguments[1]);
    double[] numbers = new double[NUMBERS];
    Arrays.setAll(numbers, i -> Math.rint(1e4 * Math.sin(i / 100.0)) / 100);
    for (Scenario scenario : SCENARIOS) {
      double[] plain = new double[runs];
      double[] verified = new double[runs];
      for (int run = -WARMUP; run < runs; run++) {
        double without = millis(file, scenario, numbers, OpenOptions.EDIT);
        double with =
            millis(file, scenario, numbers, OpenOptions.EDIT.withProperty("verify", "write"));
        if (run >= 0) {
          plain[run] = without;
          verified[run] = with;
        }
      }
      double without = median(plain);
      double with = median(verified);
      System.out.printf(
          "%-24s %8.1f ms, with verify=write %8.1f ms, ratio %.2f%n",
          scenario.name, without, with, with / without);
    }
  }

  private static double millis(Path file, Scenario scenario, double[] numbers, OpenOptions access) {
    CreateOptions options =
        CreateOptions.DEFAULT.withAccess(access.withDurability(Durability.PROCESS));
    long start = System.nanoTime();
    try (H5File made = Hdf5.create(file, options)) {
      made.datasetBuilder("x")
          .value(numbers)
          .options(o -> scenario.filters.accept(o.chunked(CHUNK)))
          .create();
    }
    return (System.nanoTime() - start) / 1e6;
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
