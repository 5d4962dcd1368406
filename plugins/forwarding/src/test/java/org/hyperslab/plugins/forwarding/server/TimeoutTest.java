package org.hyperslab.plugins.forwarding.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Memory;
import org.hyperslab.Session;
import org.hyperslab.error.RemoteException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.plugins.forwarding.client.ForwardingConnector;
import org.hyperslab.testkit.TemporaryFolder;
import org.hyperslab.vol.Connectors;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.GroupOperation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests a server that does not reply: requests time out or are cancelled, and the connection
 * remains usable.
 */
@Timeout(300)
final class TimeoutTest {

  private static final int PIECE = 1 << 20;

  private final LatchConnector latch =
      new LatchConnector(operation -> operation instanceof GroupOperation.Create);
  private TemporaryFolder folder;
  private StageServer server;
  private Session session;
  private H5File file;
  private Dataset dataset;

  @BeforeEach
  void start() throws InterruptedException {
    folder = TemporaryFolder.create("timeout");
    server = smallServer("root", latch);
    session = Hdf5.session("forwarding servers=" + server.address());
    file = session.create("timeout.h5", CreateOptions.DEFAULT);
    dataset = file.createDataset("d", Datatypes.U8LE, Dataspace.simple(64L * PIECE));
    file.root().createGroupAsync("here the server stops");
    latch.awaitHeld();
  }

  /** A server with 4 MiB for each session. */
  private StageServer smallServer(String name, LatchConnector below) {
    return StageServer.start(
        ServerOptions.of(new Address.Tcp("127.0.0.1", 0), folder.path().resolve(name))
            .withMemory(16 << 20, 4 << 20),
        below);
  }

  @AfterEach
  void stop() {
    latch.open();
    file.close();
    session.close();
    server.close();
    folder.close();
  }

  private CompletableFuture<Void> write(MemorySegment bytes, int piece, int milliseconds) {
    Map<String, String> properties =
        milliseconds == 0 ? Map.of() : Map.of("timeoutMillis", Integer.toString(milliseconds));
    return dataset.writeAsync(
        Selection.box(new long[] {(long) piece * PIECE}, new long[] {PIECE}),
        Memory.of(bytes, Datatypes.U8LE, PIECE),
        TransferOptions.builder().properties(properties).build());
  }

  /** Opens the door when the server has heard of all that was given up. */
  private void proceed() {
    Connectors.find(session.connector(), ForwardingConnector.class).orElseThrow().status();
    latch.open();
  }

  private byte first(int piece) {
    byte[] found = new byte[1];
    dataset.readInto(Selection.box(new long[] {(long) piece * PIECE}, new long[] {1}), found);
    return found[0];
  }

  @Test
  void requestsTimeOutSeparatelyAndTheConnectionContinues() {
    CompletableFuture<Void> patient;
    try (Arena arena = Arena.ofShared()) {
      MemorySegment ones = arena.allocate(PIECE).fill((byte) 1);
      patient = write(MemorySegment.ofArray(new byte[PIECE]).fill((byte) 2), 1, 0);
      CompletableFuture<Void> late = write(ones, 0, 20);
      assertThatThrownBy(late::join)
          .hasCauseInstanceOf(RemoteException.class)
          .hasMessageContaining("20 ms");
      ones.fill((byte) 9);
      // The buffer is the caller's again: it can be changed, and even freed.
    }
    assertThat(patient).isNotDone();
    proceed();
    patient.join();
    assertThat(first(0)).as("given up before it had begun").isZero();
    assertThat(first(1)).isEqualTo((byte) 2);
  }

  @Test
  void pendingRequestsAreBoundedAndWaitingForRoomTimesOut() {
    MemorySegment ones = Arena.ofAuto().allocate(PIECE).fill((byte) 1);
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      all.add(write(ones, i, 30)); // more than the window of 4 MiB holds
    }
    for (CompletableFuture<Void> each : all) {
      assertThatThrownBy(each::join).isInstanceOf(CompletionException.class);
    }
    assertThat(server.status()).contains("queued");
    proceed();
    write(ones, 40, 0).join();
    assertThat(first(40)).isEqualTo((byte) 1);
    assertThat(first(0)).isZero();
  }

  /** The time limits have passed, so a session that waited for the server would never close. */
  @ParameterizedTest
  @ValueSource(strings = {"applied", "received"})
  void closingDoesNotWaitForAServerThatIsSilent(String level) {
    Session impatient =
        Hdf5.session("forwarding timeout=1 acknowledge=" + level + " servers=" + server.address());
    H5File silent = impatient.create("silent.h5", CreateOptions.DEFAULT);
    silent.root().createGroupAsync("here the server stops, too");
    assertThatThrownBy(silent::close)
        .isInstanceOf(RemoteException.class)
        .hasMessageContaining("1000 ms");
    CompletableFuture.runAsync(impatient::close).orTimeout(1, TimeUnit.MINUTES).join();
    assertThat(latch.carriedOut())
        .as("the server is silent until now")
        .noneMatch(GroupOperation.Create.class::isInstance);
  }

  /** It accepts connections, as the system does for a process that is suspended. */
  @Test
  void openingDoesNotWaitLongerThanTheTimeoutForAWelcome() throws IOException {
    try (ServerSocket suspended = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String address = "127.0.0.1:" + suspended.getLocalPort();
      assertThatThrownBy(
              () -> {
                try (Session impatient = Hdf5.session("forwarding timeout=1 servers=" + address)) {
                  impatient.open("any.h5");
                }
              })
          .isInstanceOf(RemoteException.class)
          .hasMessageContaining("no welcome in 1000 ms")
          .hasMessageContaining(address);
    }
  }

  @Test
  void cancellingAbandonsRequestsThatHaveNotBegun() {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment ones = arena.allocate(PIECE).fill((byte) 1);
      CompletableFuture<Void> cancelled = write(ones, 3, 0);
      assertThat(cancelled.cancel(true)).isTrue();
      assertThat(cancelled).isCancelled();
    }
    proceed();
    file.flush();
    assertThat(first(3)).isZero();
  }

  @Test
  void cancellingATransferInPiecesAbandonsThePieces() throws InterruptedException {
    AtomicInteger writes = new AtomicInteger();
    LatchConnector door =
        new LatchConnector(operation ->
            operation instanceof DatasetOperation.Write && writes.incrementAndGet() > 3);
    try (StageServer other = smallServer("other", door);
        Session own = Hdf5.session("forwarding servers=" + other.address());
        H5File large = own.create("pieces.h5", CreateOptions.DEFAULT)) {
      // Six pieces of a quarter of the window: the last three stand before the door.
      Dataset whole = large.createDataset("d", Datatypes.U8LE, Dataspace.simple(6L * PIECE));
      try (Arena arena = Arena.ofShared()) {
        MemorySegment ones = arena.allocate(6L * PIECE).fill((byte) 1);
        CompletableFuture<Void> write =
            whole.writeAsync(Selection.all(), Memory.of(ones, Datatypes.U8LE, 6L * PIECE));
        door.awaitHeld();
        assertThat(write.cancel(true)).isTrue();
        assertThat(write).isCancelled();
        // The memory is the caller's again: it is freed here.
      }
      Connectors.find(own.connector(), ForwardingConnector.class).orElseThrow().status();
      door.open();
      large.flush();
      byte[] found = whole.read(byte[].class);
      for (int piece = 0; piece < 6; piece++) {
        byte first = found[piece * PIECE];
        assertThat(first).isIn((byte) 0, (byte) 1);
        for (int i = 1; i < PIECE; i++) {
          if (found[piece * PIECE + i] != first) {
            throw new AssertionError("piece " + piece + " is neither whole nor absent");
          }
        }
      }
      assertThat(found[0]).as("had been written before").isEqualTo((byte) 1);
    }
  }

  @Test
  void cancellingAReadInPiecesReturnsTheMemory() throws InterruptedException {
    LatchConnector door =
        new LatchConnector(operation -> operation instanceof DatasetOperation.Read);
    try (StageServer other = smallServer("other", door);
        Session own = Hdf5.session("forwarding servers=" + other.address());
        H5File large = own.create("pieces.h5", CreateOptions.DEFAULT)) {
      byte[] values = new byte[9 * PIECE];
      Arrays.fill(values, (byte) 5);
      Dataset whole = large.createDataset("d", values);
      try (Arena arena = Arena.ofShared()) {
        MemorySegment memory = arena.allocate(9L * PIECE);
        CompletableFuture<Void> read =
            whole.readIntoAsync(Selection.all(), Memory.of(memory, Datatypes.U8LE, 9L * PIECE));
        door.awaitHeld();
        assertThat(read.cancel(true)).isTrue();
      }
      Connectors.find(own.connector(), ForwardingConnector.class).orElseThrow().status();
      door.open();
      assertThat(whole.read(byte[].class)).isEqualTo(values);
    }
  }

  @Test
  void longOperationDelaysOthersOnlyBeyondTheKeptReplies() throws InterruptedException {
    AtomicInteger writes = new AtomicInteger();
    LatchConnector door =
        new LatchConnector(operation ->
            operation instanceof DatasetOperation.Write && writes.incrementAndGet() == 1);
    int count = 20_000; // more than the replies that a server keeps
    try (StageServer other =
            StageServer.start(
                ServerOptions.of(new Address.Tcp("127.0.0.1", 0), folder.path().resolve("other")),
                door);
        Session own = Hdf5.session("forwarding servers=" + other.address());
        H5File many = own.create("many.h5", CreateOptions.DEFAULT)) {
      Dataset slow = many.createDataset("slow", Datatypes.U8LE, Dataspace.simple(1));
      Dataset quick = many.createDataset("quick", Datatypes.U8LE, Dataspace.simple(count));
      CompletableFuture<Void> first = slow.writeAsync(new byte[] {1});
      door.awaitHeld();
      List<CompletableFuture<Void>> others = new ArrayList<>();
      Thread writer =
          Thread.ofPlatform()
              .start(() -> {
                for (int i = 0; i < count; i++) {
                  others.add(
                      quick.writeAsync(
                          Selection.box(new long[] {i}, new long[] {1}), new byte[] {2}));
                }
              });
      Polling.untilWaiting(writer);
      door.open();
      writer.join();
      first.join();
      others.forEach(CompletableFuture::join);
      assertThat(quick.read(byte[].class)).containsOnly(2);
    }
  }
}
