package org.hyperslab.benchmarks.crash;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.Durability;

/**
 * Measures a checkpoint of FLASH's shape with flushes that survive a power failure, compared with
 * one that is made durable by one sync at its end, and one that is left to the operating system.
 * Prints the medians of paired runs. Arguments: a folder, and the number of runs.
 */
final class FlushCost {

  private static final int UNKNOWNS = 24;
  private static final int BLOCKS = 1600;
  private static final int CELLS = 8;
  private static final int WARMUP = 2;

  private FlushCost() {}

  private enum Safety {
    POWER_CUT(Durability.POWER_CUT, false),
    ONE_SYNC(Durability.PROCESS, true),
    NONE(Durability.PROCESS, false);

    final Durability durability;
    final boolean syncAfter;

    Safety(Durability durability, boolean syncAfter) {
      this.durability = durability;
      this.syncAfter = syncAfter;
    }
  }

  /**
   * Runs a checkpoint with each durability in turn, and prints the median times in milliseconds.
   *
   * @param arguments see the class
   * @throws IOException if a file cannot be written
   */
  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[0]);
    int runs = Integer.parseInt(arguments[1]);
    double[] cells = new double[BLOCKS * CELLS * CELLS * CELLS];
    Arrays.setAll(cells, i -> i * 0.5);
    double[][] millis = new double[Safety.values().length][runs];
    for (int run = -WARMUP; run < runs; run++) {
      for (Safety safety : Safety.values()) {
        double took = checkpoint(folder.resolve("checkpoint.h5"), safety, cells);
        if (run >= 0) {
          millis[safety.ordinal()][run] = took;
        }
      }
    }
    double reference = median(millis[Safety.ONE_SYNC.ordinal()]);
    for (Safety safety : Safety.values()) {
      double median = median(millis[safety.ordinal()]);
      System.out.printf(
          "%-9s %8.1f ms, %+5.1f%% of one sync%n", safety, median, 100 * (median / reference - 1));
    }
    double[] pairs = new double[runs];
    Arrays.setAll(
        pairs, i -> millis[Safety.POWER_CUT.ordinal()][i] / millis[Safety.ONE_SYNC.ordinal()][i]);
    System.out.printf(
        "median of the pairs' ratios %.3f, %d MB%n", median(pairs), bytes() / 1000000);
  }

  private static long bytes() {
    return (long) UNKNOWNS * BLOCKS * CELLS * CELLS * CELLS * Double.BYTES;
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private static double checkpoint(Path path, Safety safety, double[] cells) throws IOException {
    Files.deleteIfExists(path);
    long start = System.nanoTime();
    CreateOptions options =
        CreateOptions.DEFAULT.withAccess(
            CreateOptions.DEFAULT.access().withDurability(safety.durability));
    try (H5File file = Hdf5.create(path, options)) {
      Dataspace space = Dataspace.simple(BLOCKS, CELLS, CELLS, CELLS);
      for (int unknown = 0; unknown < UNKNOWNS; unknown++) {
        try (Dataset dataset = file.createDataset("unknown" + unknown, Datatypes.F64LE, space)) {
          dataset.write(cells);
          dataset.setAttribute("minimum", 0.0);
          dataset.setAttribute("maximum", cells[cells.length - 1]);
        }
      }
    }
    if (safety.syncAfter) {
      try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
        channel.force(true);
      }
    }
    return (System.nanoTime() - start) / 1e6;
  }
}
