package org.hyperslab.benchmarks.staging;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Memory;
import org.hyperslab.Session;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.plugins.forwarding.server.ServerOptions;
import org.hyperslab.plugins.forwarding.server.StageServer;

/**
 * Measures writes through a staging server at each acknowledge level: large and small contiguous
 * writes of one client over loopback TCP. To compare two builds, run them by turns.
 *
 * <p>Arguments: a folder to work in, rounds (7 if absent). Prints the medians of each scenario:
 * MB/s, and processor time of client and server together, which depends less on what else runs.
 */
final class DurablePeer {

  private static final long TOTAL_BYTES = 128L << 20;
  private static final int SMALL_WRITES = 4000;

  private DurablePeer() {}

  /**
   * Runs the benchmark.
   *
   * @param arguments see the class
   * @throws IOException if the folder cannot be used
   */
  public static void main(String[] arguments) throws IOException {
    Path folder = Files.createDirectories(Path.of(arguments[0]));
    int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 7;
    ServerOptions options = ServerOptions.of(new Address.Tcp("127.0.0.1", 0), folder);
    try (StageServer server = StageServer.start(options)) {
      for (String level : List.of("received", "applied", "durable")) {
        measure(server, level, "1 MiB writes", rounds, 1 << 20, TOTAL_BYTES);
        measure(server, level, "4 KiB writes", rounds, 4096, 4096L * SMALL_WRITES);
      }
    }
  }

  private static void measure(
      StageServer server, String level, String what, int rounds, int writeBytes, long total) {
    double[] rates = new double[rounds];
    double[] processor = new double[rounds];
    try (Arena arena = Arena.ofShared();
        Session session =
            Hdf5.session("forwarding acknowledge=" + level + " servers=" + server.address())) {
      MemorySegment memory = arena.allocate(writeBytes, 64).fill((byte) 7);
      for (int round = -1; round < rounds; round++) { // the first warms up
        long before = processorNanos();
        double rate = round(session, memory, total);
        if (round >= 0) {
          rates[round] = rate;
          processor[round] = 1e-6 * (processorNanos() - before) / (total >> 20);
        }
      }
    }
    Arrays.sort(rates);
    Arrays.sort(processor);
    System.out.printf(
        Locale.ROOT,
        "%s, %s: %.1f MB/s, %.2f ms of processor for a MiB%n",
        level,
        what,
        rates[rounds / 2],
        processor[rounds / 2]);
  }

  private static long processorNanos() {
    var system = ManagementFactory.getOperatingSystemMXBean();
    return ((OperatingSystemMXBean) system).getProcessCpuTime();
  }

  private static double round(Session session, MemorySegment memory, long total) {
    int bytes = Math.toIntExact(memory.byteSize());
    try (H5File file = session.create("durable.h5", CreateOptions.DEFAULT)) {
      Dataset dataset = file.createDataset("d", Datatypes.U8LE, Dataspace.simple(total));
      List<CompletableFuture<Void>> all = new ArrayList<>();
      long started = System.nanoTime();
      for (long at = 0; at < total; at += bytes) {
        all.add(
            dataset.writeAsync(
                Selection.box(new long[] {at}, new long[] {bytes}),
                Memory.of(memory, Datatypes.U8LE, bytes),
                TransferOptions.DEFAULT));
      }
      all.forEach(CompletableFuture::join);
      return 1e3 * total / (System.nanoTime() - started);
    }
  }
}
