package org.hyperslab.benchmarks.parallel;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.CostStore;
import org.hyperslab.format.store.MemoryStore;
import org.hyperslab.format.store.StoreDecorator;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Reduction;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.declared.DeclaredWrites;
import org.hyperslab.mpiio.file.AccessMode;
import org.hyperslab.mpiio.file.MemoryBuffer;
import org.hyperslab.mpiio.file.MpiFile;
import org.hyperslab.mpiio.hint.Hints;

/**
 * Measures HACC-IO in the layout that TAPIOCA's authors call array of structures: each rank writes
 * the nine variables of its particles into its own block, one collective write after the other.
 * Compares declared writes, call by call with this library's rules, and ROMIO's two-phase with its
 * rules, on a store whose requests take 0.5 ms plus a second per gigabyte.
 *
 * <p>Arguments: ranks, particles of a rank, repeats. Each repeat does all three, by turns; half as
 * many before warm up. Prints for each way the median time of the slowest rank; the requests to the
 * store and what they cost, one after the other; and both as multiples of the declared: the times
 * as the median, and quartiles, of the repeats. On a busy machine the times tell more of the ranks'
 * threads.
 */
final class DeclaredHacc {

  private static final int[] SIZES = {4, 4, 4, 4, 4, 4, 4, 8, 2};
  private static final CostStore.Costs COSTS = new CostStore.Costs(500_000, 1_000_000_000);

  private enum Way {
    DECLARED("declared", ""),
    CALL_BY_CALL("call by call", ""),
    ROMIO(
        "ROMIO two-phase",
        "hyperslab_collective=two-phase romio_cb_write=enable hyperslab_aggregators=node"
            + " hyperslab_shared_memory=disable");

    final String text;
    final String hints;

    Way(String text, String hints) {
      this.text = text;
      this.hints = hints;
    }
  }

  private final int ranks;
  private final int particles;
  private final double[][] seconds;
  private final long[] requests = new long[Way.values().length];
  private final double[] cost = new double[Way.values().length];
  private byte[] content;

  private DeclaredHacc(int ranks, int particles, int repeats) {
    this.ranks = ranks;
    this.particles = particles;
    this.seconds = new double[Way.values().length][repeats];
  }

  public static void main(String[] arguments) {
    int repeats = Integer.parseInt(arguments[2]);
    int warm = Math.max(1, repeats / 2);
    DeclaredHacc hacc =
        new DeclaredHacc(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]), repeats);
    for (int i = -warm; i < repeats; i++) {
      for (Way way : Way.values()) {
        hacc.measure(way, Math.max(i, 0));
      }
    }
    for (Way way : Way.values()) {
      hacc.print(way);
    }
  }

  private void measure(Way way, int repeat) {
    MemoryStore bytes = new MemoryStore("hacc");
    CostStore store = CostStore.inRealTime(unclosed(bytes), COSTS);
    seconds[way.ordinal()][repeat] = run(ranks, particles, way, store);
    requests[way.ordinal()] = store.requests();
    cost[way.ordinal()] = 1e-9 * store.chargedNanos();
    byte[] now = bytes.toByteArray();
    content = content == null ? now : content;
    if (!Arrays.equals(content, now)) {
      throw new IllegalStateException(way.text + ": other bytes in the file");
    }
  }

  private void print(Way way) {
    double[] mine = seconds[way.ordinal()];
    double[] ratios = new double[mine.length];
    Arrays.setAll(ratios, i -> mine[i] / seconds[0][i]);
    System.out.printf(
        Locale.ROOT,
        "%-16s %7.1f ms (%.1f to %.1f), %4d requests of %6.1f ms; times the declared: %.1f (%.1f to"
            + " %.1f), %.1f%n",
        way.text,
        1e3 * quantile(mine, 0.5),
        1e3 * quantile(mine, 0),
        1e3 * quantile(mine, 1),
        requests[way.ordinal()],
        1e3 * cost[way.ordinal()],
        quantile(ratios, 0.5),
        quantile(ratios, 0.25),
        quantile(ratios, 0.75),
        cost[way.ordinal()] / cost[0]);
  }

  private static double quantile(double[] values, double part) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[(int) (part * (sorted.length - 1))];
  }

  /** Returns a store whose bytes survive the closing of files on it. */
  private static ByteStore unclosed(ByteStore store) {
    return new StoreDecorator(store) {
      @Override
      public void close() {}
    };
  }

  private static double run(int ranks, int particles, Way way, CostStore store) {
    double[] slowest = new double[1];
    ThreadWorld.run(
        ranks,
        comm -> {
          byte[][] variables = new byte[SIZES.length][];
          for (int v = 0; v < variables.length; v++) {
            variables[v] = new byte[SIZES[v] * particles];
            Arrays.fill(variables[v], (byte) (comm.rank() * SIZES.length + v));
          }
          Set<AccessMode> modes = Set.of(AccessMode.READ_WRITE);
          try (MpiFile file = MpiFile.over(comm, store, modes, Hints.parse(way.hints))) {
            comm.barrier();
            long started = System.nanoTime();
            if (way == Way.DECLARED) {
              declared(comm, file, variables);
            } else {
              callByCall(comm, file, variables);
            }
            long[] nanos = {System.nanoTime() - started};
            comm.allReduce(nanos, Reduction.MAX);
            slowest[0] = 1e-9 * nanos[0];
          }
        });
    return slowest[0];
  }

  private static long block(Communicator comm, byte[][] variables) {
    return Arrays.stream(variables).mapToLong(variable -> variable.length).sum() * comm.rank();
  }

  private static void declared(Communicator comm, MpiFile file, byte[][] variables) {
    long[] offsets = new long[variables.length];
    long[] lengths = new long[variables.length];
    long at = block(comm, variables);
    for (int v = 0; v < variables.length; v++) {
      offsets[v] = at;
      lengths[v] = variables[v].length;
      at += lengths[v];
    }
    try (DeclaredWrites writes = file.declareWrites(offsets, lengths)) {
      for (byte[] variable : variables) {
        writes.write(MemorySegment.ofArray(variable));
      }
    }
  }

  private static void callByCall(Communicator comm, MpiFile file, byte[][] variables) {
    long at = block(comm, variables);
    for (byte[] variable : variables) {
      file.writeAtAll(at, MemoryBuffer.of(MemorySegment.ofArray(variable)));
      at += variable.length;
    }
  }
}
