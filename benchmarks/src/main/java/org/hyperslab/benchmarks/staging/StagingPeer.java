package org.hyperslab.benchmarks.staging;

import io.netty.channel.unix.DomainSocketAddress;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Memory;
import org.hyperslab.Session;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.Durability;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.plugins.forwarding.server.ServerOptions;
import org.hyperslab.plugins.forwarding.server.StageServer;

/**
 * Measures staging on one machine and prints Markdown rows. Contiguous writes over TCP and unix
 * sockets are compared with Netty's own loopback transfer; also measured are the time that a
 * checkpoint costs its application compared with writing it natively, and small writes of eight
 * clients.
 *
 * <p>Arguments: a folder to work in, rounds (5 if absent), and which of {@code tcp}, {@code unix},
 * {@code checkpoint} and {@code small} to run (all if absent).
 */
final class StagingPeer {

  private static final long STREAM_BYTES = 256L << 20;
  private static final long WRITE_BYTES = 1L << 20;

  /**
   * The number of bytes in flight: few enough that the server writes them while a cache still holds
   * them.
   */
  private static final String WINDOW = System.getProperty("staging.window", "8M");

  /**
   * The number of warm-up rounds of both, because a server runs for hours and not for its first
   * seconds.
   */
  private static final int WARM_ROUNDS = 60;

  /** The number of warm-up rounds of small writes, of which a round has many. */
  private static final int WARM_SMALL_ROUNDS = 12;

  private static final int VARIABLES = 24;
  private static final long VARIABLE_BYTES = 8L << 20;
  private static final int CLIENTS = 8;
  private static final int SMALL_BYTES = 4096;
  private static final int SMALL_WRITES = Integer.getInteger("staging.small", 40_000);

  private final Path folder;
  private final int rounds;

  private StagingPeer(Path folder, int rounds) {
    this.folder = folder;
    this.rounds = rounds;
  }

  /**
   * Measures and prints a table.
   *
   * @param arguments see the class
   * @throws IOException if a file cannot be written
   * @throws InterruptedException if this thread is interrupted
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 5;
    Path folder = Files.createDirectories(Path.of(arguments[0]));
    StagingPeer peer = new StagingPeer(folder, rounds);
    System.out.println("| scenario | limit or native | staged | ratio |");
    System.out.println("|---|---|---|---|");
    List<String> wanted =
        arguments.length > 2
            ? List.of(arguments).subList(2, arguments.length)
            : List.of("tcp", "unix", "checkpoint", "small");
    for (String scenario : wanted) {
      peer.run(scenario);
    }
  }

  private void run(String scenario) throws IOException, InterruptedException {
    switch (scenario) {
      case "tcp" ->
          stream("TCP", new Address.Tcp("127.0.0.1", 0), new InetSocketAddress("127.0.0.1", 0));
      case "unix" ->
          stream(
              "unix socket",
              new Address.Unix(folder.resolve("stage.socket").toString()),
              new DomainSocketAddress(folder.resolve("peer.socket").toString()));
      case "checkpoint" -> checkpoint();
      case "small" -> smallWrites();
      default ->
          throw new IllegalArgumentException(
              "scenario: actual=" + scenario + ", expected=tcp, unix, checkpoint or small");
    }
  }

  private StageServer server(Address address) {
    return StageServer.start(
        ServerOptions.of(address, folder.resolve("root")).withMemory(4L << 30, 512L << 20));
  }

  private static CreateOptions cached() {
    return CreateOptions.DEFAULT.withAccess(OpenOptions.EDIT.withDurability(Durability.PROCESS));
  }

  private static MemorySegment touched(Arena arena, long bytes) {
    MemorySegment memory = arena.allocate(bytes, 4096);
    for (long at = 0; at < bytes; at += 8) {
      memory.set(ValueLayout.JAVA_LONG, at, at);
    }
    return memory;
  }

  private static double median(List<Double> times) {
    List<Double> sorted = times.stream().sorted().toList();
    return sorted.get(sorted.size() / 2);
  }

  private void stream(String name, Address address, SocketAddress peer)
      throws IOException, InterruptedException {
    try (Arena arena = Arena.ofShared();
        LoopbackPeer limit = new LoopbackPeer(folder.resolve("peer.bin"), peer);
        StageServer server = server(address);
        Session session =
            Hdf5.session("forwarding window=" + WINDOW + " servers=" + server.address());
        H5File file = session.create("stream.h5", cached())) {
      MemorySegment bytes = touched(arena, STREAM_BYTES);
      Dataset dataset = file.createDataset("bytes", Datatypes.U8LE, Dataspace.simple(STREAM_BYTES));
      List<Double> limits = new ArrayList<>();
      List<Double> staged = new ArrayList<>();
      for (int i = -WARM_ROUNDS; i < rounds; i++) {
        double least = limit.transfer(bytes);
        double ours = streamOnce(dataset, bytes);
        if (i >= 0) {
          limits.add(least);
          staged.add(ours);
        }
      }
      double gigabytes = STREAM_BYTES / 1e9;
      System.out.printf(
          Locale.ROOT,
          "| contiguous writes, %s | %.2f GB/s | %.2f GB/s | %.0f%% |%n",
          name,
          gigabytes / median(limits),
          gigabytes / median(staged),
          100 * median(limits) / median(staged));
    }
  }

  private static double streamOnce(Dataset dataset, MemorySegment bytes) {
    long begun = System.nanoTime();
    List<CompletableFuture<Void>> writes = new ArrayList<>();
    for (long at = 0; at < STREAM_BYTES; at += WRITE_BYTES) {
      Memory part = Memory.of(bytes.asSlice(at, WRITE_BYTES), Datatypes.U8LE, WRITE_BYTES);
      writes.add(
          dataset.writeAsync(Selection.box(new long[] {at}, new long[] {WRITE_BYTES}), part));
    }
    writes.forEach(CompletableFuture::join);
    return 1e-9 * (System.nanoTime() - begun);
  }

  private void checkpoint() {
    try (Arena arena = Arena.ofShared();
        StageServer server = server(new Address.Tcp("127.0.0.1", 0));
        Session staged = Hdf5.session("forwarding servers=" + server.address());
        Session direct = Hdf5.session("native")) {
      MemorySegment bytes = touched(arena, VARIABLES * VARIABLE_BYTES);
      List<Double> natively = new ArrayList<>();
      List<Double> costs = new ArrayList<>();
      for (int i = -1; i < rounds; i++) {
        double synchronous =
            write(direct, folder.resolve("direct" + i + ".h5").toString(), bytes, true);
        double cost = write(staged, "staged" + i + ".h5", bytes, false);
        if (i >= 0) {
          natively.add(synchronous);
          costs.add(cost);
        }
      }
      System.out.printf(
          Locale.ROOT,
          "| cost of a %d MB checkpoint to the application | %.0f ms | %.1f ms | %.0f%% |%n",
          VARIABLES * VARIABLE_BYTES / 1_000_000,
          1e3 * median(natively),
          1e3 * median(costs),
          100 * median(costs) / median(natively));
    }
  }

  /**
   * Returns the seconds for which the writer is blocked: until everything is written, or until
   * everything is submitted.
   */
  private static double write(Session session, String name, MemorySegment bytes, boolean waiting) {
    long begun = System.nanoTime();
    long held;
    H5File file = session.create(name, cached());
    List<CompletableFuture<Void>> writes = new ArrayList<>();
    for (int i = 0; i < VARIABLES; i++) {
      Dataset dataset =
          file.root()
              .datasetBuilder("variable" + i)
              .type(Datatypes.F64LE)
              .shape(VARIABLE_BYTES / 8)
              .createAsync();
      Memory part =
          Memory.of(
              bytes.asSlice(i * VARIABLE_BYTES, VARIABLE_BYTES),
              Datatypes.F64LE,
              VARIABLE_BYTES / 8);
      writes.add(dataset.writeAsync(Selection.all(), part));
    }
    held = System.nanoTime();
    writes.forEach(CompletableFuture::join);
    file.close();
    return 1e-9 * ((waiting ? System.nanoTime() : held) - begun);
  }

  private void smallWrites() throws InterruptedException {
    try (StageServer server = server(new Address.Tcp("127.0.0.1", 0))) {
      List<Double> rates = new ArrayList<>();
      for (int i = -WARM_SMALL_ROUNDS; i < rounds; i++) {
        long used = processorTime();
        long compiled = compilingMillis();
        double rate = smallWrites(server, i);
        double each = 1e-3 * (processorTime() - used) / (CLIENTS * (double) SMALL_WRITES);
        if (Boolean.getBoolean("staging.print")) {
          System.err.printf(
              Locale.ROOT,
              "round %d: %.0f /s, %.1f µs of processors each, compilers at work %d ms%n",
              i,
              rate,
              each,
              compilingMillis() - compiled);
        }
        if (i >= 0) {
          rates.add(rate);
        }
      }
      System.out.printf(
          Locale.ROOT,
          "| 4 KiB writes of %d clients | 100000 /s | %.0f /s | %.0f%% |%n",
          CLIENTS,
          median(rates),
          median(rates) / 1000);
    }
  }

  /**
   * Returns the time for which the JVM's compilers have run, which does not grow in steady state.
   */
  private static long compilingMillis() {
    return ManagementFactory.getCompilationMXBean().getTotalCompilationTime();
  }

  /** Returns the processor time of this process, in nanoseconds. */
  private static long processorTime() {
    return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
  }

  private double smallWrites(StageServer server, int round) throws InterruptedException {
    CountDownLatch ready = new CountDownLatch(CLIENTS);
    CountDownLatch go = new CountDownLatch(1);
    List<Thread> clients = new ArrayList<>();
    for (int c = 0; c < CLIENTS; c++) {
      String name = "small" + round + "-" + c + ".h5";
      clients.add(Thread.ofPlatform().start(() -> smallClient(server, name, ready, go)));
    }
    ready.await();
    long begun = System.nanoTime();
    go.countDown();
    for (Thread client : clients) {
      client.join();
    }
    return CLIENTS * (double) SMALL_WRITES / (1e-9 * (System.nanoTime() - begun));
  }

  private static void smallClient(
      StageServer server, String name, CountDownLatch ready, CountDownLatch go) {
    long places = 8192;
    try (Arena arena = Arena.ofShared();
        Session session = Hdf5.session("forwarding window=16M servers=" + server.address());
        H5File file = session.create(name, cached())) {
      MemorySegment block = touched(arena, SMALL_BYTES);
      Memory memory = Memory.of(block, Datatypes.U8LE, SMALL_BYTES);
      Dataset dataset =
          file.createDataset("d", Datatypes.U8LE, Dataspace.simple(places, SMALL_BYTES));
      ready.countDown();
      go.await();
      CompletableFuture<?>[] window = new CompletableFuture<?>[512];
      for (int i = 0; i < SMALL_WRITES; i++) {
        int slot = i % window.length;
        if (window[slot] != null) {
          window[slot].join();
        }
        window[slot] =
            dataset.writeAsync(
                Selection.box(new long[] {i % places, 0}, new long[] {1, SMALL_BYTES}), memory);
      }
      Arrays.stream(window).forEach(CompletableFuture::join);
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    }
  }
}
