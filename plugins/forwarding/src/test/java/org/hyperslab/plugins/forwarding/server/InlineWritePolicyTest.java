package org.hyperslab.plugins.forwarding.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.plugins.forwarding.wire.Acknowledge;
import org.hyperslab.plugins.forwarding.wire.Frame;
import org.hyperslab.plugins.forwarding.wire.FrameType;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.TemporaryFolder;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.Connectors;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.PassThroughConnector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests which writes the receiving thread carries out. */
@Timeout(300)
final class InlineWritePolicyTest {

  private static final int MIB = 1 << 20;

  /** The number of fast writes after which a server expects writes to be fast. */
  private static final int WRITES = 16;

  private static final String RECEIVES = "hyperslab-wire-server";

  private TemporaryFolder folder;

  @BeforeEach
  void makeFolder() {
    folder = TemporaryFolder.create("prompt");
  }

  @AfterEach
  void removeFolder() {
    folder.close();
  }

  /** The native connector, which notes in which threads elements are written. */
  private static final class Noting extends PassThroughConnector {
    private final List<String> threads = new CopyOnWriteArrayList<>();

    Noting() {
      super("noting", Connectors.create("native"));
    }

    @Override
    public <R> CompletionStage<R> submit(Operation<R> operation) {
      if (operation instanceof DatasetOperation.Write) {
        threads.add(Thread.currentThread().getName());
      }
      return below.submit(operation);
    }
  }

  private ServerOptions options(int threads) {
    return ServerOptions.of(new Address.Tcp("127.0.0.1", 0), folder.path().resolve("root"))
        .withThreads(threads);
  }

  /** An action of a test on a file that is open in the only session of a server. */
  private interface Work {
    void on(H5File file, StageServer server) throws InterruptedException;
  }

  /** Every dataset of the file holds {@link #values}, or zeros if it is small. */
  private static final String JUDGE =
      """
      import sys, h5py, numpy
      with h5py.File(sys.argv[1], "r") as f:
          assert len(f) > 0
          for name, dataset in f.items():
              expected = (numpy.arange(dataset.size) * 31).astype(numpy.int8)
              if name == "small":
                  expected[:] = 0
              assert numpy.array_equal(dataset[()], expected), name
      """;

  /**
   * Has a file worked on at a server for which every write takes no time, however busy the machine
   * is; then h5py looks at the file.
   */
  private void served(int threads, Connector below, Work work) throws InterruptedException {
    try (StageServer server = StageServer.start(options(threads), below, () -> 0);
        Session session = session(server);
        H5File file = session.create("file.h5", CreateOptions.DEFAULT)) {
      work.on(file, server);
    }
    Oracle.h5py().run(JUDGE, folder.path().resolve("root/file.h5").toString()).orFail();
  }

  private static Session session(StageServer server) {
    return Hdf5.session("forwarding servers=" + server.address());
  }

  private static byte[] values() {
    byte[] values = new byte[MIB];
    for (int i = 0; i < MIB; i++) {
      values[i] = (byte) (i * 31);
    }
    return values;
  }

  private static Dataset bytes(H5File file, String name) {
    return file.createDataset(name, Datatypes.I8LE, Dataspace.simple(MIB));
  }

  /** Writes until the server expects writes to be fast. */
  private static Dataset warm(H5File file) {
    Dataset dataset = bytes(file, "warm");
    for (int i = 0; i < WRITES; i++) {
      dataset.write(values());
    }
    return dataset;
  }

  /**
   * Writes until one write was carried out where it was received: one that comes before the worker
   * of the last has noticed that nothing is left to do is that worker's.
   */
  private static void writeUntilPrompt(Dataset dataset, Noting noting) {
    do {
      dataset.write(values());
    } while (noting.threads.stream().noneMatch(InlineWritePolicyTest::receives));
  }

  private static boolean receives(String thread) {
    return thread.startsWith(RECEIVES);
  }

  @Test
  void contiguousWriteOfASingleSessionIsExecutedByTheReceiver() throws InterruptedException {
    Noting noting = new Noting();
    served(
        2,
        noting,
        (file, server) -> {
          Dataset dataset = warm(file);
          assertThat(noting.threads)
              .as("not known to be quick")
              .hasSize(WRITES)
              .noneMatch(InlineWritePolicyTest::receives);
          writeUntilPrompt(dataset, noting);
          assertThat(dataset.read(byte[].class)).isEqualTo(values());
        });
  }

  @Test
  void filteredConvertedOrSmallWritesUseWorkers() throws InterruptedException {
    Noting noting = new Noting();
    served(
        2,
        noting,
        (file, server) -> {
          writeUntilPrompt(warm(file), noting);
          noting.threads.clear();
          DatasetOptions chunked = DatasetOptions.chunked(MIB / 4).build();
          file.datasetBuilder("chunked")
              .type(Datatypes.I8LE)
              .shape(MIB)
              .options(chunked)
              .create()
              .write(values());
          file.createDataset("wide", Datatypes.I32LE, Dataspace.simple(MIB)).write(values());
          file.createDataset("small", Datatypes.I8LE, Dataspace.simple(100)).write(new byte[100]);
          assertThat(noting.threads)
              .hasSizeGreaterThanOrEqualTo(3)
              .noneMatch(InlineWritePolicyTest::receives);
        });
  }

  @Test
  void whileAnotherSessionIsServedWorkersWrite() throws InterruptedException {
    Noting noting = new Noting();
    served(
        2,
        noting,
        (file, server) -> {
          writeUntilPrompt(warm(file), noting);
          noting.threads.clear();
          try (Session other = session(server);
              H5File elsewhere = other.create("elsewhere.h5", CreateOptions.DEFAULT)) {
            assertThat(elsewhere.root()).isNotNull();
            bytes(file, "d").write(values());
          }
          assertThat(noting.threads).hasSize(1).noneMatch(InlineWritePolicyTest::receives);
        });
  }

  @Test
  void threeThreadsLeaveWritesToWorkers() throws InterruptedException {
    Noting noting = new Noting();
    served(
        3,
        noting,
        (file, server) -> {
          warm(file);
          noting.threads.clear();
          bytes(file, "d").write(values());
          assertThat(noting.threads).hasSize(1).noneMatch(InlineWritePolicyTest::receives);
        });
  }

  private static Frame write(Arena arena, long bytes, Acknowledge level) {
    MemorySegment payload = arena.allocate(bytes);
    return new Frame(FrameType.REQUEST, level.ordinal(), 1, 1, new byte[0], List.of(payload));
  }

  private static InlineWritePolicy quick(ServerOptions options) {
    InlineWritePolicy prompt = new InlineWritePolicy(options, () -> 0);
    for (int i = 0; i < 100; i++) {
      prompt.wrote(MIB, Duration.ofMillis(i % 4 == 0 ? 5 : 1).toNanos());
    }
    return prompt;
  }

  @Test
  void durableTinyAndHugeWritesAreLeftToWorkers() {
    InlineWritePolicy prompt = quick(options(2));
    try (Arena arena = Arena.ofConfined()) {
      assertThat(prompt.mayTake(write(arena, MIB, Acknowledge.APPLIED))).isTrue();
      assertThat(prompt.mayTake(write(arena, MIB, Acknowledge.DURABLE))).isFalse();
      assertThat(prompt.mayTake(write(arena, 4096, Acknowledge.APPLIED))).isFalse();
      assertThat(prompt.mayTake(write(arena, 8L * MIB, Acknowledge.APPLIED))).isFalse();
    }
  }

  @Test
  void writesAreLeftToWorkersUntilTheyAreKnownToBeQuick() {
    try (Arena arena = Arena.ofConfined()) {
      Frame request = write(arena, MIB, Acknowledge.APPLIED);
      InlineWritePolicy prompt = new InlineWritePolicy(options(2), () -> 0);
      assertThat(prompt.mayTake(request)).isFalse();
      prompt = quick(options(2));
      assertThat(prompt.mayTake(request)).as("most are quick").isTrue();
      prompt.wrote(MIB, Duration.ofMillis(150).toNanos());
      assertThat(prompt.mayTake(request)).as("one was stuck").isFalse();
      prompt = quick(options(2));
      for (int i = 0; i < 40; i++) {
        prompt.wrote(MIB, Duration.ofMillis(5).toNanos());
      }
      assertThat(prompt.mayTake(request)).as("slow ones").isFalse();
    }
  }

  @Test
  void requestsAreServedWhileAReceiverIsStuckInAWrite() throws InterruptedException {
    CompletableFuture<Void> held = new CompletableFuture<>();
    LatchConnector door =
        new LatchConnector(operation ->
            operation instanceof DatasetOperation.Write
                && receives(Thread.currentThread().getName())
                && held.complete(null));
    served(
        2,
        door,
        (file, server) -> {
          Dataset dataset = warm(file);
          CompletableFuture<Void> stuck;
          do {
            stuck = dataset.writeAsync(values());
            CompletableFuture.anyOf(stuck, held).join();
          } while (!held.isDone());
          for (int i = 0; i < 3; i++) {
            try (Session other = session(server);
                H5File elsewhere = other.create("served" + i + ".h5", CreateOptions.DEFAULT)) {
              elsewhere.createDataset("d", new byte[] {1});
              assertThat(stuck).isNotDone();
            }
          }
          door.open();
          stuck.join();
        });
  }
}
