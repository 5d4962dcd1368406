package org.hyperslab.benchmarks.parallel;

import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.DoubleSupplier;
import java.util.stream.DoubleStream;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.CostStore;
import org.hyperslab.format.store.MemoryStore;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.access.MemoryExtents;
import org.hyperslab.mpiio.collective.CollectiveIo;
import org.hyperslab.mpiio.collective.CollectiveOutcome;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.store.FileSystemTraits;
import org.hyperslab.mpiio.store.StorageCosts;

/**
 * Writes small data blocks, distributed cyclically to 16 ranks, to a store that serves one request
 * after the other, each in half a millisecond plus the time of its bytes at 1 GB/s. Prints exact
 * request counts and times of the algorithms of early parallel I/O and of this library.
 */
final class SmallBlocks {

  private static final int RANKS = 16;
  private static final int TURNS = 512;
  private static final int REPEATS = 9;
  private static final long LATENCY_NANOS = 500_000;
  private static final long BYTES_PER_SECOND = 1_000_000_000;
  private static final String[] ALGORITHMS = {
    "naive", "grouping", "random", "sliding", "two-phase", "dynamic", "static", "auto"
  };

  private static final FileSystemTraits DISTANT =
      FileSystemTraits.local()
          .with(new StorageCosts(LATENCY_NANOS, 1024 * 1_000_000_000L / BYTES_PER_SECOND, false));

  private SmallBlocks() {}

  /**
   * Prints the table.
   *
   * @param args none
   */
  public static void main(String[] args) {
    System.out.println(
        "16 ranks, cyclic blocks, 512 a rank; one request after the other, 0.5 ms and 1 GB/s:\n");
    System.out.println("| block | algorithm | file requests | fewer than naive | s | faster |");
    System.out.println("|---|---|---|---|---|---|");
    for (int block : new int[] {128, 256, 512, 1024}) {
      long naiveRequests = 0;
      double naiveSeconds = 0;
      for (String algorithm : ALGORITHMS) {
        AtomicReference<CollectiveOutcome> outcome = new AtomicReference<>();
        measure(block, algorithm, 0, outcome);
        double seconds = measure(block, algorithm, LATENCY_NANOS, outcome);
        long requests = outcome.get().fileRequests();
        if (requests < TURNS) {
          seconds = median(() -> measure(block, algorithm, LATENCY_NANOS, outcome));
        }
        naiveRequests = algorithm.equals("naive") ? requests : naiveRequests;
        naiveSeconds = algorithm.equals("naive") ? seconds : naiveSeconds;
        System.out.printf(
            Locale.ROOT,
            "| %d | %s | %d | %.0f | %.4f | %.0f |%n",
            block,
            algorithm,
            requests,
            (double) naiveRequests / requests,
            seconds,
            naiveSeconds / seconds);
      }
    }
  }

  /**
   * Returns the median of several measurements, because the time of few requests depends on the
   * scheduler.
   */
  private static double median(DoubleSupplier measurement) {
    return DoubleStream.generate(measurement).limit(REPEATS).sorted().toArray()[REPEATS / 2];
  }

  private static double measure(
      int block, String algorithm, long latencyNanos, AtomicReference<CollectiveOutcome> outcome) {
    ByteStore store = new MemoryStore("small-blocks");
    if (latencyNanos > 0) {
      store = CostStore.inRealTime(store, new CostStore.Costs(latencyNanos, BYTES_PER_SECOND));
    }
    ByteStore costly = store;
    Hints hints = Hints.defaults().with("hyperslab_collective", algorithm);
    long start = System.nanoTime();
    ThreadWorld.run(RANKS, comm -> write(comm, costly, hints, block, outcome));
    return (System.nanoTime() - start) / 1e9;
  }

  private static void write(
      Communicator comm,
      ByteStore store,
      Hints hints,
      int block,
      AtomicReference<CollectiveOutcome> outcome) {
    MemorySegment data = MemorySegment.ofArray(new byte[block * TURNS]);
    ExtentRuns mine =
        ExtentRuns.strided((long) comm.rank() * block, block, (long) RANKS * block, TURNS);
    try (CollectiveIo io = CollectiveIo.open(comm, store, hints, DISTANT)) {
      outcome.set(io.write(mine, MemoryExtents.contiguous(data)));
    }
  }
}
