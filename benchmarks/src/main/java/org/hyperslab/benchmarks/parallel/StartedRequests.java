package org.hyperslab.benchmarks.parallel;

import com.sun.management.OperatingSystemMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.hyperslab.format.store.FileAccess;
import org.hyperslab.format.store.FileStore;
import org.hyperslab.mpiio.collective.TransferLane;
import org.hyperslab.mpiio.waiting.Ticker;

/**
 * Compares the two ways in which requests of started accesses are executed: by threads of the
 * process, and by the kernel ({@code io_uring}). One thread starts the writes of a file and tests
 * them, four at a time, as a rank does between two cycles.
 *
 * <p>Prints a line for each length of a request and round: microseconds of the clock and of the
 * processor for each request, by threads and by the kernel. Processor time, which includes the
 * kernel's threads for this process, does not depend on what else the machine does.
 *
 * <p>Arguments: a folder, MiB of a file, rounds.
 */
final class StartedRequests {

  private static final int AT_A_TIME = 4;
  private static final int[] LENGTHS = {4 << 10, 64 << 10, 1 << 20, 4 << 20};

  private final Path path;
  private final long bytes;
  private final Executor workers = TransferLane.workers(Ticker.SYSTEM);

  private StartedRequests(Path path, long bytes) {
    this.path = path;
    this.bytes = bytes;
  }

  /** Measures, and deletes the file. */
  public static void main(String[] arguments) throws Exception {
    Path path = Path.of(arguments[0]).resolve("started-requests");
    StartedRequests measured = new StartedRequests(path, Long.parseLong(arguments[1]) << 20);
    try {
      for (int round = 0; round < Integer.parseInt(arguments[2]); round++) {
        for (int length : LENGTHS) {
          double[] threads = measured.write(length, false);
          double[] kernel = measured.write(length, true);
          System.out.printf(
              "%d KiB: threads %.1f us, %.1f us of the processor; io_uring %.1f us, %.1f us%n",
              length >> 10, threads[0], threads[1], kernel[0], kernel[1]);
        }
      }
    } finally {
      Files.deleteIfExists(path);
    }
  }

  /** A write that was started, whose end is polled. */
  private interface Started {
    boolean test();
  }

  /** Returns the time and the processor time of a request, in microseconds. */
  private double[] write(int length, boolean kernel) {
    OperatingSystemMXBean process =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    try (FileStore store = FileStore.open(path, FileAccess.TRUNCATE);
        Arena arena = Arena.ofShared()) {
      if (store.startRequestsInKernel(kernel) != kernel) {
        throw new IllegalStateException("this system offers no io_uring");
      }
      MemorySegment memory = arena.allocate(length).fill((byte) 1);
      writeAll(store, memory); // the file exists afterwards, so that no space is allocated
      long cpu = process.getProcessCpuTime();
      long start = System.nanoTime();
      writeAll(store, memory);
      double requests = (double) bytes / length * 1e3;
      return new double[] {
        (System.nanoTime() - start) / requests, (process.getProcessCpuTime() - cpu) / requests
      };
    }
  }

  private void writeAll(FileStore store, MemorySegment memory) {
    Deque<Started> started = new ArrayDeque<>();
    for (long at = 0; at < bytes; at += memory.byteSize()) {
      while (started.size() == AT_A_TIME) {
        endOne(started);
      }
      started.add(start(store, at, memory));
    }
    while (!started.isEmpty()) {
      endOne(started);
    }
  }

  private static void endOne(Deque<Started> started) {
    while (!started.peek().test()) {
      Thread.yield();
    }
    started.remove();
  }

  private Started start(FileStore store, long offset, MemorySegment memory) {
    if (store.startsRequestsInKernel()) {
      return store.startWrite(offset, memory).orElseThrow()::test;
    }
    CompletableFuture<Void> write =
        CompletableFuture.runAsync(() -> store.write(offset, memory), workers);
    return write::isDone;
  }
}
