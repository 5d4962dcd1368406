package org.hyperslab.benchmarks.compact;

import com.sun.management.OperatingSystemMXBean;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.plugins.compacting.options.CompactorOptions;
import org.hyperslab.plugins.compacting.plan.DataKey;
import org.hyperslab.plugins.compacting.plan.ElementKind;
import org.hyperslab.plugins.compacting.plan.MergedRead;
import org.hyperslab.plugins.compacting.plan.MergedWrite;
import org.hyperslab.plugins.compacting.plan.Region;
import org.hyperslab.plugins.compacting.plan.WriteRequest;
import org.hyperslab.plugins.compacting.queue.Compactor;
import org.hyperslab.plugins.compacting.queue.StorageLayer;
import org.hyperslab.plugins.compacting.report.RequestOrigin;

/**
 * Measures the cost of the compactor for a small write: clients submit 4-KiB writes of their own
 * rows, and a layer below only gathers the merged ones into a buffer. Prints processor time and
 * elapsed time for each write, from the creation of the request to its reply.
 *
 * <p>Arguments: number of clients (8), writes of each (100000), rounds (5).
 */
final class CompactorPeer {

  private static final int BYTES = 4096;

  private CompactorPeer() {}

  /**
   * Runs the measurement.
   *
   * @param arguments see the class
   * @throws InterruptedException if this thread is interrupted
   */
  public static void main(String[] arguments) throws InterruptedException {
    int clients = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 8;
    int writes = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 100_000;
    int rounds = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 5;
    for (int round = 0; round < rounds; round++) {
      run(clients, writes);
    }
  }

  private static void run(int clients, int writes) throws InterruptedException {
    AtomicLong below = new AtomicLong();
    ThreadLocal<MemorySegment> staging =
        ThreadLocal.withInitial(() -> MemorySegment.ofArray(new byte[16 << 20]));
    StorageLayer layer =
        new StorageLayer() {
          @Override
          public CompletionStage<?> write(MergedWrite write) {
            below.incrementAndGet();
            write.gather(staging.get());
            return CompletableFuture.completedFuture(null);
          }

          @Override
          public CompletionStage<?> read(MergedRead read) {
            throw new AssertionError("nothing is read");
          }
        };
    try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
      CompactorOptions options = CompactorOptions.DEFAULT;
      Compactor compactor = new Compactor(layer, options, pool, (nanoseconds, action) -> {});
      long cpu = processorNanos();
      long started = System.nanoTime();
      List<Thread> threads = new ArrayList<>();
      CountDownLatch replies = new CountDownLatch(clients * writes);
      for (int client = 0; client < clients; client++) {
        int mine = client;
        threads.add(
            Thread.ofPlatform().start(() -> submit(compactor, clients, mine, writes, replies)));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      replies.await();
      long elapsed = System.nanoTime() - started;
      long total = (long) clients * writes;
      System.out.printf(
          Locale.ROOT,
          "%d writes of %d clients: %.2f us elapsed, %.2f us of processor each;"
              + " %,d writes/s; %d writes below%n",
          total,
          clients,
          1e-3 * elapsed / total,
          1e-3 * (processorNanos() - cpu) / total,
          Math.round(1e9 * total / elapsed),
          below.get());
      compactor.close();
    }
  }

  private static void submit(
      Compactor compactor, int clients, int client, int writes, CountDownLatch replies) {
    DataKey key = new DataKey(1, 1);
    ElementKind kind = new ElementKind(Datatypes.I32LE, true);
    MemorySegment buffer = MemorySegment.ofArray(new byte[BYTES]);
    long[] extent = {(long) clients * writes, BYTES / 4};
    for (int i = 0; i < writes; i++) {
      long row = (long) client * writes + i;
      Region region =
          Region.of(Selection.box(new long[] {row, 0}, new long[] {1, BYTES / 4}), extent);
      compactor
          .submit(new WriteRequest(key, new RequestOrigin(client, i), region, kind, buffer))
          .thenRun(replies::countDown);
    }
  }

  private static long processorNanos() {
    var system = ManagementFactory.getOperatingSystemMXBean();
    return ((OperatingSystemMXBean) system).getProcessCpuTime();
  }
}
