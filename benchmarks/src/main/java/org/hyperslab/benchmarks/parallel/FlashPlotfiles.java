package org.hyperslab.benchmarks.parallel;

import java.util.Arrays;
import java.util.Locale;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.examples.flashio.FlashFile;
import org.hyperslab.examples.flashio.FlashIo;
import org.hyperslab.examples.flashio.FlashProgress;
import org.hyperslab.examples.ranks.Ranks;
import org.hyperslab.mpiio.comm.Communicator;

/**
 * Compares writing FLASH's files dataset by dataset and all datasets together, in turn, by the
 * ranks of an MPI job, or by threads if {@code -Dranks=N} is given and there is no launcher.
 *
 * <p>Arguments: folder, pairs. The first third of the pairs warms up. Prints for each kind of file
 * the medians in milliseconds, of the slowest rank, and the median and quartiles of the pairs'
 * ratios.
 */
final class FlashPlotfiles {

  private FlashPlotfiles() {}

  public static void main(String[] arguments) {
    String folder = arguments[0];
    int pairs = Integer.parseInt(arguments[1]);
    try (Session session = Hdf5.session("mpiio")) {
      Ranks.run(
          Ranks.count(Integer.getInteger("ranks", 0)),
          world -> {
            FlashIo run = FlashIo.onEveryRank(session, world, folder, FlashProgress.NONE);
            for (FlashFile kind : FlashFile.values()) {
              compare(run, kind, pairs, world);
            }
          });
    }
  }

  private static void compare(FlashIo run, FlashFile kind, int pairs, Communicator world) {
    int warm = pairs / 3;
    double[] apart = new double[pairs - warm];
    double[] together = new double[pairs - warm];
    double[] ratios = new double[pairs - warm];
    for (int i = 0; i < pairs; i++) {
      boolean first = i % 2 == 0;
      double one = run.withDatasetsTogether(first).write(kind);
      double other = run.withDatasetsTogether(!first).write(kind);
      if (i >= warm) {
        together[i - warm] = first ? one : other;
        apart[i - warm] = first ? other : one;
        ratios[i - warm] = apart[i - warm] / together[i - warm];
      }
    }
    if (world.rank() == 0) {
      System.out.printf(
          Locale.ROOT,
          "%-22s apart %7.2f ms, together %7.2f ms, ratio %.2f (%.2f to %.2f)%n",
          kind.title(),
          1e3 * quantile(apart, 0.5),
          1e3 * quantile(together, 0.5),
          quantile(ratios, 0.5),
          quantile(ratios, 0.25),
          quantile(ratios, 0.75));
    }
  }

  private static double quantile(double[] values, double part) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[(int) (part * (sorted.length - 1))];
  }
}
