package org.hyperslab.benchmarks.steps;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Memory;
import org.hyperslab.Session;
import org.hyperslab.StepReader;
import org.hyperslab.StepReader.Step;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.Durability;
import org.hyperslab.model.FollowOptions;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.plugins.forwarding.server.ServerOptions;
import org.hyperslab.plugins.forwarding.server.StageServer;

/**
 * Measures a stream of steps of 8 MiB from one writer through a staging server to readers, beside
 * the rate of one bare connection of this machine. The writer waits for the readers (BLOCK, 4).
 * Server and clients are in this process, and everything passes through TCP.
 *
 * <p>Arguments: a folder, the number of steps (100), the number of readers (3).
 */
final class StreamPeer {

  private static final int STEP_BYTES = 8 << 20;
  private static final String NAME = "stream.h5";

  private StreamPeer() {}

  /**
   * Runs the measurement.
   *
   * @param arguments see the class
   * @throws Exception if a program fails
   */
  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    int steps = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 100;
    int readers = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 3;
    loopback(steps); // warms up
    double loopback = loopback(steps);
    System.out.println("| what | MB/s | of one bare connection |\n|---|---|---|");
    row("one bare connection", loopback, loopback);
    stream(folder, Math.min(steps, 20), readers); // warms up
    double all = stream(folder, steps, readers);
    row("steps to " + readers + " readers together", all, loopback);
    row("steps to each of them", all / readers, loopback);
    row("steps to one reader alone", stream(folder, steps, 1), loopback);
    row("bare connection again", loopback(steps), loopback);
  }

  private static void row(String what, double rate, double loopback) {
    System.out.printf(Locale.ROOT, "| %s | %.0f | %.2f |%n", what, rate / 1e6, rate / loopback);
  }

  /** Returns the bytes in a second of one connection. */
  private static double loopback(int steps) throws IOException, InterruptedException {
    byte[] bytes = new byte[STEP_BYTES];
    byte[] received = new byte[STEP_BYTES];
    try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket client = new Socket(listening.getInetAddress(), listening.getLocalPort());
        Socket server = listening.accept()) {
      OutputStream out = client.getOutputStream();
      InputStream in = server.getInputStream();
      long begun = System.nanoTime();
      Thread sending =
          Thread.ofPlatform()
              .start(() -> {
                try {
                  for (int i = 0; i < steps; i++) {
                    out.write(bytes);
                  }
                } catch (IOException failed) {
                  throw new UncheckedIOException(failed);
                }
              });
      for (int i = 0; i < steps; i++) {
        in.readNBytes(received, 0, STEP_BYTES);
      }
      sending.join();
      return (double) steps * STEP_BYTES / ((System.nanoTime() - begun) / 1e9);
    }
  }

  /** Returns the bytes in a second that all readers got. */
  private static double stream(Path folder, int steps, int readers)
      throws InterruptedException, ExecutionException {
    ServerOptions options =
        ServerOptions.of(new Address.Tcp("127.0.0.1", 0), folder.resolve("root" + readers));
    try (StageServer server = StageServer.start(options);
        ExecutorService threads = Executors.newFixedThreadPool(readers);
        Session session = Hdf5.session("forwarding servers=" + server.address())) {
      CountDownLatch following = new CountDownLatch(readers);
      List<Future<Long>> counts = new ArrayList<>();
      long begun;
      try (H5File file = session.create(NAME, access());
          Dataset data =
              file.datasetBuilder("data")
                  .type(Datatypes.U8LE)
                  .shape(0, STEP_BYTES)
                  .maxShape(Hdf5.UNLIMITED, STEP_BYTES)
                  .options(DatasetOptions.chunked(1, STEP_BYTES).build())
                  .create();
          Arena arena = Arena.ofConfined()) {
        MemorySegment elements = arena.allocate(STEP_BYTES);
        file.startSteps();
        for (int i = 0; i < readers; i++) {
          counts.add(threads.submit(() -> follow(server, following)));
        }
        following.await();
        begun = System.nanoTime();
        for (int i = 0; i < steps; i++) {
          elements.fill((byte) i);
          file.beginStep();
          data.append(Memory.of(elements, Datatypes.U8LE.inMemory(), STEP_BYTES));
          file.endStep();
        }
      }
      long bytes = 0;
      for (Future<Long> count : counts) {
        bytes += count.get();
      }
      double took = (System.nanoTime() - begun) / 1e9;
      Hdf5.delete(folder.resolve("root" + readers).resolve(NAME));
      if (bytes != (long) readers * steps * STEP_BYTES) {
        throw new IllegalStateException("bytes: actual=" + bytes);
      }
      return bytes / took;
    }
  }

  private static CreateOptions access() {
    return CreateOptions.DEFAULT.withAccess(
        OpenOptions.EDIT.withSwmr(true).withDurability(Durability.PROCESS));
  }

  private static long follow(StageServer server, CountDownLatch following) {
    long bytes = 0;
    try (Session session = Hdf5.session("forwarding servers=" + server.address());
        H5File file = session.open(NAME, OpenOptions.READ.withSwmr(true));
        StepReader steps = file.follow(FollowOptions.builder().block(4).build());
        Arena arena = Arena.ofConfined()) {
      following.countDown();
      MemorySegment elements = arena.allocate(STEP_BYTES);
      for (Step step : steps) {
        step.slice("/data").readInto(elements);
        for (long at = 0; at < STEP_BYTES; at += 1 << 20) {
          if (elements.get(ValueLayout.JAVA_BYTE, at) != (byte) step.number()) {
            throw new IllegalStateException("step " + step.number() + " at " + at);
          }
        }
        bytes += STEP_BYTES;
      }
    }
    return bytes;
  }
}
