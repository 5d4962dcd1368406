package org.hyperslab.benchmarks.parallel;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.ObjIntConsumer;
import java.util.stream.Stream;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.CostStore;
import org.hyperslab.format.store.FileAccess;
import org.hyperslab.format.store.FileStore;
import org.hyperslab.format.store.MemoryStore;
import org.hyperslab.format.store.StoreDecorator;
import org.hyperslab.mpi.Mpi;
import org.hyperslab.mpiio.MpiFile;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Reduction;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.comm.Worlds;
import org.hyperslab.mpiio.declared.DeclaredWrites;
import org.hyperslab.mpiio.file.AccessMode;
import org.hyperslab.mpiio.file.MemoryBuffer;
import org.hyperslab.mpiio.hint.Hints;

/**
 * Measures HACC-IO in the layout that TAPIOCA's authors call array of structures: each rank writes
 * the nine variables of its particles into its own block, one collective write after the other.
 * Compares declared writes, call by call with this library's rules, and ROMIO's two-phase with its
 * rules, on a store whose requests take 0.5 ms plus a second per gigabyte.
 *
 * <p>Arguments: ranks, particles of a rank, repeats; under mpirun a file instead of the ranks,
 * which are then processes. Declared writes travel by puts into shared memory, by messages, and,
 * between processes, by one-sided calls of the MPI library. Each repeat does all of them, by turns;
 * half as many before warm up. Prints for each way the median time of the slowest rank; the
 * requests to the store and what they cost, one after the other; and both as multiples of the
 * declared: the times as the median, and quartiles, of the repeats. On a busy machine the times
 * tell more of the ranks' threads.
 */
final class DeclaredHacc {

  private static final int[] SIZES = {4, 4, 4, 4, 4, 4, 4, 8, 2};
  private static final CostStore.Costs COSTS = new CostStore.Costs(500_000, 1_000_000_000);

  private enum Way {
    DECLARED("declared", "hyperslab_declared=memory"),
    MESSAGES("declared, by messages", "hyperslab_declared=messages"),
    WINDOW("declared, MPI window", "hyperslab_declared=window"),
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

  private final List<Way> ways;
  private final int particles;
  private final double[][] seconds;
  private final long[] requests = new long[Way.values().length];
  private final double[] cost = new double[Way.values().length];
  private byte[] content;

  private DeclaredHacc(List<Way> ways, int particles, int repeats) {
    this.ways = ways;
    this.particles = particles;
    this.seconds = new double[Way.values().length][repeats];
  }

  public static void main(String[] arguments) {
    int particles = Integer.parseInt(arguments[1]);
    int repeats = Integer.parseInt(arguments[2]);
    if (Mpi.launched()) {
      List<Way> ways = List.of(Way.values());
      new DeclaredHacc(ways, particles, repeats).processes(Path.of(arguments[0]));
    } else {
      List<Way> ways = Stream.of(Way.values()).filter(way -> way != Way.WINDOW).toList();
      new DeclaredHacc(ways, particles, repeats).threads(Integer.parseInt(arguments[0]));
    }
  }

  /** Measures all ways by turns. */
  private void repeat(ObjIntConsumer<Way> measure) {
    int repeats = seconds[0].length;
    for (int i = -Math.max(1, repeats / 2); i < repeats; i++) {
      for (Way way : ways) {
        measure.accept(way, Math.max(i, 0));
      }
    }
  }

  private void threads(int ranks) {
    repeat((way, repeat) -> {
      MemoryStore bytes = new MemoryStore("hacc");
      CostStore store = CostStore.inRealTime(unclosed(bytes), COSTS);
      double[] slowest = new double[1];
      ThreadWorld.run(ranks, comm -> slowest[0] = run(comm, particles, way, store));
      note(way, repeat, slowest[0], store, bytes.toByteArray());
    });
    ways.forEach(this::print);
  }

  /** Requests are counted on each rank; those of rank 0 are printed. */
  private void processes(Path path) {
    Communicator comm = Worlds.current();
    repeat((way, repeat) -> {
      try {
        if (comm.rank() == 0) {
          Files.write(path, new byte[0]);
        }
        comm.barrier();
        try (FileStore bytes = FileStore.open(path, FileAccess.UPDATE)) {
          CostStore store = CostStore.inRealTime(unclosed(bytes), COSTS);
          double slowest = run(comm, particles, way, store);
          note(way, repeat, slowest, store, comm.rank() == 0 ? Files.readAllBytes(path) : null);
          comm.barrier();
        }
      } catch (IOException failed) {
        throw new UncheckedIOException(failed);
      }
    });
    if (comm.rank() == 0) {
      ways.forEach(this::print);
    }
  }

  private void note(Way way, int repeat, double slowest, CostStore store, byte[] now) {
    seconds[way.ordinal()][repeat] = slowest;
    requests[way.ordinal()] = store.requests();
    cost[way.ordinal()] = 1e-9 * store.chargedNanos();
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
        "%-21s %7.1f ms (%.1f to %.1f), %4d requests of %6.1f ms; times the declared: %.1f (%.1f to"
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

  private static double run(Communicator comm, int particles, Way way, CostStore store) {
    byte[][] variables = new byte[SIZES.length][];
    for (int v = 0; v < variables.length; v++) {
      variables[v] = new byte[SIZES[v] * particles];
      Arrays.fill(variables[v], (byte) (comm.rank() * SIZES.length + v));
    }
    Set<AccessMode> modes = Set.of(AccessMode.READ_WRITE);
    try (MpiFile file = MpiFile.over(comm, store, modes, Hints.parse(way.hints))) {
      comm.barrier();
      long started = System.nanoTime();
      if (way == Way.CALL_BY_CALL || way == Way.ROMIO) {
        callByCall(comm, file, variables);
      } else {
        declared(comm, file, variables);
      }
      long[] nanos = {System.nanoTime() - started};
      comm.allReduce(nanos, Reduction.MAX);
      return 1e-9 * nanos[0];
    }
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
