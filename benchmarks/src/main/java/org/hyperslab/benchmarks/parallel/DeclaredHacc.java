package org.hyperslab.benchmarks.parallel;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
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
 * HACC-IO in the layout that TAPIOCA's authors call array of structures: each rank writes the nine
 * variables of its particles into its own block, one collective write after the other. On a store
 * whose requests take 0.5 ms and a second for a gigabyte: declared, call by call with the library's
 * own rules, and by ROMIO's two-phase with its rules.
 *
 * <p>Arguments: ranks, particles of a rank, repeats. Prints for each way the median time of the
 * slowest rank; the requests to the store and what they cost, one after the other; and both as
 * multiples of the declared. On a busy machine the first tells more of the ranks' threads.
 */
final class DeclaredHacc {

  private static final int[] SIZES = {4, 4, 4, 4, 4, 4, 4, 8, 2};
  private static final CostStore.Costs COSTS = new CostStore.Costs(500_000, 1_000_000_000);

  private static final Map<String, Hints> WAYS =
      Map.of(
          "declared", Hints.defaults(),
          "call by call", Hints.defaults(),
          "ROMIO two-phase",
              Hints.parse(
                  "hyperslab_collective=two-phase romio_cb_write=enable"
                      + " hyperslab_aggregators=node hyperslab_shared_memory=disable"));

  private DeclaredHacc() {}

  public static void main(String[] arguments) {
    int ranks = Integer.parseInt(arguments[0]);
    int particles = Integer.parseInt(arguments[1]);
    int repeats = Integer.parseInt(arguments[2]);
    double declared = 0;
    double declaredCost = 0;
    byte[] first = null;
    for (String way : new String[] {"declared", "call by call", "ROMIO two-phase"}) {
      double[] seconds = new double[repeats];
      long requests = 0;
      double cost = 0;
      for (int i = 0; i < repeats; i++) {
        MemoryStore bytes = new MemoryStore("hacc");
        CostStore store = CostStore.inRealTime(unclosed(bytes), COSTS);
        seconds[i] = run(ranks, particles, way, store);
        requests = store.requests();
        cost = 1e-9 * store.chargedNanos();
        byte[] now = new byte[(int) bytes.size()];
        bytes.read(0, MemorySegment.ofArray(now));
        first = first == null ? now : first;
        if (!Arrays.equals(first, now)) {
          throw new IllegalStateException(way + ": other bytes in the file");
        }
      }
      Arrays.sort(seconds);
      double median = seconds[repeats / 2];
      declared = way.equals("declared") ? median : declared;
      declaredCost = way.equals("declared") ? cost : declaredCost;
      System.out.printf(
          Locale.ROOT,
          "%-16s %7.1f ms (%.1f to %.1f), %4d requests of %6.1f ms; times the declared: %.1f,"
              + " %.1f%n",
          way,
          1e3 * median,
          1e3 * seconds[0],
          1e3 * seconds[repeats - 1],
          requests,
          1e3 * cost,
          median / declared,
          cost / declaredCost);
    }
  }

  /** The bytes outlive the files over them. */
  private static ByteStore unclosed(ByteStore store) {
    return new StoreDecorator(store) {
      @Override
      public void close() {}
    };
  }

  private static double run(int ranks, int particles, String way, CostStore store) {
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
          try (MpiFile file = MpiFile.over(comm, store, modes, WAYS.get(way))) {
            comm.barrier();
            long started = System.nanoTime();
            if (way.equals("declared")) {
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
