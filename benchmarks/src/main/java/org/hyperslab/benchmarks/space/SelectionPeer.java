package org.hyperslab.benchmarks.space;

import java.io.PrintStream;
import java.util.Locale;
import org.hyperslab.format.space.RunCursor;
import org.hyperslab.format.space.Selection;

/**
 * Runs the selection scenarios of {@code src/main/c/peer.c} with this library: the same blocks,
 * with the same lines of output, so that both can be run in turn and compared.
 *
 * <pre>
 * SelectionPeer union1d | union2d | union3d | indices | iterate ...
 * </pre>
 *
 * <p>Every scenario is run several times in one process, to warm up the JVM; each time is a line.
 */
final class SelectionPeer {

  private static final int ROUNDS = 5;
  private static final long RUNS = 1L << 25;

  private long seed;

  private SelectionPeer() {}

  /**
   * Runs scenarios several times in this process, and prints a line for each run.
   *
   * @param args the names of the scenarios; all if empty
   */
  public static void main(String[] args) {
    String[] all = {"union1d", "union2d", "union3d", "indices", "iterate"};
    for (String scenario : args.length == 0 ? all : args) {
      for (int round = 0; round < ROUNDS; round++) {
        new SelectionPeer().run(scenario, System.out);
      }
    }
  }

  /** Runs a scenario once and prints its line. */
  private void run(String scenario, PrintStream out) {
    switch (scenario) {
      case "union1d" -> union("1d-32768", 1, 32_768, out);
      case "union2d" -> union("2d-8192", 2, 8_192, out);
      case "union3d" -> union("3d-4096", 3, 4_096, out);
      case "indices" -> indices(out);
      case "iterate" -> iterate(out);
      default -> throw new IllegalArgumentException("no such scenario: " + scenario);
    }
  }

  private long below(long bound) {
    seed = seed * 6364136223846793005L + 1442695040888963407L;
    return (seed >>> 33) % bound;
  }

  private void union(String part, int rank, int n, PrintStream out) {
    seed = 7;
    long before = System.nanoTime();
    Selection union = Selection.none();
    for (int i = 0; i < n; i++) {
      long[] start = new long[rank];
      long[] block = new long[rank];
      for (int d = 0; d < rank; d++) {
        start[d] = rank == 1 ? i * 4L : below(4000);
        block[d] = rank == 1 ? 2 : 1 + below(64);
      }
      union = union.or(Selection.box(start, block));
    }
    long elements = union.elementCount(new long[] {1 << 24, 1 << 24, 1 << 24});
    print(out, "union/" + part, before);
    out.println("# " + part + " elements " + elements);
  }

  /** Single ascending indices at random distances: the selection of h5py issue 2536. */
  private void indices(PrintStream out) {
    seed = 7;
    long before = System.nanoTime();
    Selection union = Selection.none();
    long next = 0;
    for (int i = 0; i < 644_742; i++) {
      next += 1 + below(20);
      union = union.or(Selection.box(new long[] {next}, new long[] {1}));
    }
    long elements = union.elementCount(new long[] {next + 1});
    print(out, "union/indices-644742", before);
    out.println("# indices elements " + elements);
  }

  private void iterate(PrintStream out) {
    Selection everySecond =
        Selection.hyperslab(new long[] {0}, new long[] {2}, new long[] {RUNS}, new long[] {1});
    long[] offsets = new long[1024];
    long[] lengths = new long[1024];
    long before = System.nanoTime();
    RunCursor runs = everySecond.runs(new long[] {2 * RUNS});
    long sum = 0;
    for (int n = runs.next(offsets, lengths); n > 0; n = runs.next(offsets, lengths)) {
      for (int i = 0; i < n; i++) {
        sum += offsets[i] ^ lengths[i];
      }
    }
    print(out, "iterate/runs", before);
    out.println("# sum " + sum);
  }

  private static void print(PrintStream out, String what, long before) {
    out.printf(Locale.ROOT, "%s %.6f%n", what, (System.nanoTime() - before) * 1e-9);
  }
}
