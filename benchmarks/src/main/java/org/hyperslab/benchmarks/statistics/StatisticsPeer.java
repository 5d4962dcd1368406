package org.hyperslab.benchmarks.statistics;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.format.space.Selection;
import org.hyperslab.model.Condition;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.ValueSummary;

/**
 * Compares questions with and without statistics with reading all by h5py and NumPy, and writing
 * with and without statistics. Arguments: a folder, MiB of elements, rounds.
 */
final class StatisticsPeer {

  private static final int CHUNK = 1 << 17; // 1 MiB

  private static final String H5PY =
      """
      import h5py, numpy as np, sys, time
      path, level, rounds = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
      times = []
      for _ in range(rounds + 1):
          t = time.perf_counter()
          with h5py.File(path) as f:
              found = np.flatnonzero(f['x'][...] > level)
          times.append(time.perf_counter() - t)
      print(len(found), sorted(times[1:])[rounds // 2])
      """;

  private StatisticsPeer() {}

  /**
   * Prints the tables.
   *
   * @param arguments a folder, MiB of elements, rounds
   * @throws IOException if the folder cannot be used
   * @throws InterruptedException if the thread is interrupted
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path folder = Path.of(arguments[0]);
    int chunks = Integer.parseInt(arguments[1]);
    int rounds = Integer.parseInt(arguments[2]);
    System.out.println(
        "| question | layout | statistics, s | elements read | by reading, s | h5py and NumPy, s |"
            + " h5py/statistics | h5py/reading |");
    System.out.println("|---|---|---|---|---|---|---|---|");
    for (boolean packed : new boolean[] {false, true}) {
      Path indexed = folder.resolve("indexed.h5");
      Path plain = folder.resolve("plain.h5");
      write(indexed, chunks, packed, true);
      write(plain, chunks, packed, false);
      ask(indexed, plain, packed, chunks - 2.0, rounds, chunks);
      ask(indexed, plain, packed, -1.0, rounds, chunks);
      summarize(indexed, plain, packed, rounds);
      Files.delete(indexed);
      Files.delete(plain);
    }
    System.out.println();
    System.out.println("| writing and closing | without, s | with statistics, s | ratios |");
    System.out.println("|---|---|---|---|");
    for (boolean packed : new boolean[] {false, true}) {
      writing(folder, Math.max(1, chunks / (packed ? 8 : 2)), packed, rounds);
    }
  }

  private static void write(Path path, int chunks, boolean packed, boolean statistics)
      throws IOException {
    Files.deleteIfExists(path);
    Random random = new Random(1);
    double[] rows = new double[CHUNK];
    for (int i = 0; i < CHUNK; i++) {
      rows[i] = packed ? random.nextInt(256) / 256.0 : random.nextDouble();
    }
    DatasetOptions.Builder options = DatasetOptions.chunked(CHUNK);
    if (packed) {
      options.shuffle().deflate(1);
    }
    options.statistics(statistics ? CHUNK : 0);
    try (H5File file = Hdf5.create(path)) {
      Dataset x =
          file.datasetBuilder("x")
              .type(double.class)
              .shape((long) chunks * CHUNK)
              .options(options.build())
              .create();
      double[] some = new double[8 * CHUNK];
      for (int first = 0; first < chunks; first += 8) {
        int count = Math.min(8, chunks - first);
        for (int k = 0; k < count; k++) {
          for (int i = 0; i < CHUNK; i++) {
            some[k * CHUNK + i] = first + k + rows[i];
          }
        }
        x.rows((long) first * CHUNK, (long) (first + count) * CHUNK)
            .write(count == 8 ? some : Arrays.copyOf(some, count * CHUNK));
      }
    }
  }

  private interface Question {
    long ask(Dataset x);
  }

  /** Returns the median time of opening, asking and closing, and the answer. */
  private static double[] median(Path path, int rounds, Question question) {
    double[] times = new double[rounds];
    long answer = 0;
    for (int i = -2; i < rounds; i++) {
      long begun = System.nanoTime();
      try (H5File file = Hdf5.open(path);
          Dataset x = file.dataset("x")) {
        answer = question.ask(x);
      }
      if (i >= 0) {
        times[i] = (System.nanoTime() - begun) / 1e9;
      }
    }
    Arrays.sort(times);
    return new double[] {times[rounds / 2], answer};
  }

  private static void ask(
      Path indexed, Path plain, boolean packed, double level, int rounds, int chunks)
      throws IOException, InterruptedException {
    Condition above =
        level < 0
            ? Condition.parse("value > " + chunks + " or value in (-1, 0.333333, 1e9)")
            : Condition.value().above(level);
    double[] with = median(indexed, rounds, x -> elements(x, x.where(above)));
    double[] reading = median(plain, rounds, x -> elements(x, x.where(above)));
    String[] peer = h5py(plain, level < 0 ? chunks : level, rounds);
    if (level >= 0 && Long.parseLong(peer[0]) != (long) with[1]) {
      throw new IllegalStateException("h5py found " + peer[0] + ", statistics " + with[1]);
    }
    double other = Double.parseDouble(peer[1]);
    print(
        level < 0 ? "every chunk may match" : "2 of " + chunks + " chunks match",
        packed,
        with[0],
        "",
        reading[0],
        other);
  }

  private static long elements(Dataset x, Selection found) {
    return found.elementCount(x.shape());
  }

  private static void summarize(Path indexed, Path plain, boolean packed, int rounds)
      throws IOException, InterruptedException {
    long[] read = new long[1];
    double[] with =
        median(
            indexed,
            rounds,
            x -> {
              ValueSummary summary = x.summary();
              read[0] = summary.elementsRead();
              return summary.count();
            });
    double[] reading = median(plain, rounds, x -> x.summary().count());
    String[] peer = h5py(plain, 0, rounds);
    print(
        "minimum, maximum, count",
        packed,
        with[0],
        Long.toString(read[0]),
        reading[0],
        Double.parseDouble(peer[1]));
  }

  private static void print(
      String what, boolean packed, double with, String read, double reading, double other) {
    System.out.printf(
        Locale.ROOT,
        "| %s | %s | %.4f | %s | %.3f | %.3f | %.1f | %.2f |%n",
        what,
        packed ? "shuffle, deflate 1" : "no filter",
        with,
        read,
        reading,
        other,
        other / with,
        other / reading);
  }

  private static String[] h5py(Path path, double level, int rounds)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                "/usr/bin/python3",
                "-c",
                H5PY,
                path.toString(),
                Double.toString(level),
                Integer.toString(rounds))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("h5py ended with " + process.exitValue());
    }
    return text.strip().split(" ");
  }

  private static void writing(Path folder, int chunks, boolean packed, int rounds)
      throws IOException {
    double[] without = new double[rounds];
    double[] with = new double[rounds];
    double[] ratios = new double[rounds];
    for (int i = -1; i < rounds; i++) {
      double plain = timed(folder.resolve("a.h5"), chunks, packed, false);
      double indexed = timed(folder.resolve("b.h5"), chunks, packed, true);
      if (i >= 0) {
        without[i] = plain;
        with[i] = indexed;
        ratios[i] = indexed / plain;
      }
    }
    Arrays.sort(without);
    Arrays.sort(with);
    Arrays.sort(ratios);
    System.out.printf(
        Locale.ROOT,
        "| %s, %d MiB | %.3f | %.3f | %.3f [%.3f, %.3f] |%n",
        packed ? "shuffle, deflate 1" : "no filter",
        chunks,
        without[rounds / 2],
        with[rounds / 2],
        ratios[rounds / 2],
        ratios[0],
        ratios[rounds - 1]);
  }

  private static double timed(Path path, int chunks, boolean packed, boolean statistics)
      throws IOException {
    long begun = System.nanoTime();
    write(path, chunks, packed, statistics);
    double seconds = (System.nanoTime() - begun) / 1e9;
    Files.delete(path);
    return seconds;
  }
}
