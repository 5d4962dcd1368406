package org.hyperslab.plugins.forwarding.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
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
import org.hyperslab.plugins.forwarding.server.LatchConnector;
import org.hyperslab.plugins.forwarding.server.ServerOptions;
import org.hyperslab.plugins.forwarding.server.StageServer;
import org.hyperslab.plugins.forwarding.wire.Address;
import org.hyperslab.testkit.TemporaryFolder;
import org.hyperslab.vol.Connectors;
import org.hyperslab.vol.GroupOperation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that stands still: requests time out or are cancelled, and the connection goes on. */
@Timeout(60)
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
    server =
        StageServer.start(
            ServerOptions.of(new Address.Tcp("127.0.0.1", 0), folder.path().resolve("root"))
                .withMemory(16 << 20, 4 << 20),
            latch);
    session = Hdf5.session("forwarding servers=" + server.address());
    file = session.create("timeout.h5", CreateOptions.DEFAULT);
    dataset = file.createDataset("d", Datatypes.U8LE, Dataspace.simple(64L * PIECE));
    file.root().createGroupAsync("here the server stops");
    latch.awaitHeld();
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
        milliseconds == 0
            ? Map.of()
            : Map.of(ClientOptions.TIMEOUT, Integer.toString(milliseconds));
    return dataset.writeAsync(
        Selection.box(new long[] {(long) piece * PIECE}, new long[] {PIECE}),
        Memory.of(bytes, Datatypes.U8LE, PIECE),
        new TransferOptions(false, properties));
  }

  /** Opens the door when the server has heard of all that was given up. */
  private void goOn() {
    Connectors.find(session.connector(), ForwardingConnector.class).orElseThrow().status();
    latch.open();
  }

  private byte first(int piece) {
    byte[] found = new byte[1];
    dataset.readInto(Selection.box(new long[] {(long) piece * PIECE}, new long[] {1}), found);
    return found[0];
  }

  @Test
  void requestsTimeOutEachByItselfAndTheConnectionGoesOn() {
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
    goOn();
    patient.join();
    assertThat(first(0)).as("given up before it had begun").isZero();
    assertThat(first(1)).isEqualTo((byte) 2);
  }

  @Test
  void whatIsUnderWayIsBoundedAndWaitingForRoomTimesOutToo() {
    MemorySegment ones = Arena.ofAuto().allocate(PIECE).fill((byte) 1);
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      all.add(write(ones, i, 30)); // more than the window of 4 MiB holds
    }
    for (CompletableFuture<Void> each : all) {
      assertThatThrownBy(each::join).isInstanceOf(CompletionException.class);
    }
    assertThat(server.status()).contains("queued");
    goOn();
    write(ones, 40, 0).join();
    assertThat(first(40)).isEqualTo((byte) 1);
    assertThat(first(0)).isZero();
  }

  @Test
  void cancellingGivesUpWhatHasNotBegun() {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment ones = arena.allocate(PIECE).fill((byte) 1);
      CompletableFuture<Void> cancelled = write(ones, 3, 0);
      assertThat(cancelled.cancel(true)).isTrue();
      assertThat(cancelled).isCancelled();
    }
    goOn();
    file.flush();
    assertThat(first(3)).isZero();
  }
}
