package org.hyperslab.plugins.forwarding.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InternalErrorException;
import org.hyperslab.error.RemoteException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.testkit.TemporaryFolder;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.GroupOperation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests full and slow disks, and servers and clients that are lost. */
@Timeout(300)
final class FaultsTest {

  private static final int MIB = 1 << 20;

  private TemporaryFolder folder;

  @BeforeEach
  void makeFolder() {
    folder = TemporaryFolder.create("faults");
  }

  @AfterEach
  void removeFolder() {
    folder.close();
  }

  private Path root() {
    return folder.path().resolve("root");
  }

  @Test
  void fullDiskFailsOnlyTheAffectedOperations() throws IOException, InterruptedException {
    Path socket = folder.file("socket");
    StageChild server = StageChild.withFilesUpTo(4 * MIB, root(), socket);
    try (Session session = Hdf5.session("forwarding reconnect=0 servers=unix:" + socket)) {
      H5File file = session.create("full.h5", CreateOptions.DEFAULT);
      List<CompletableFuture<Void>> writes = new ArrayList<>();
      byte[] values = new byte[MIB];
      Arrays.fill(values, (byte) 7);
      for (int i = 0; i < 8; i++) {
        writes.add(
            file.root()
                .datasetBuilder("d" + i)
                .type(Datatypes.U8LE)
                .shape(MIB)
                .createAsync()
                .writeAsync(values));
      }
      int failed = 0;
      for (CompletableFuture<Void> write : writes) {
        try {
          write.join();
        } catch (CompletionException full) {
          assertThat(full.getCause()).isInstanceOf(StorageException.class);
          failed++;
        }
      }
      assertThat(failed).isBetween(4, 7);
      try (H5File other = session.create("other.h5", CreateOptions.DEFAULT)) {
        assertThat(other.createDataset("d", values).read(byte[].class)).isEqualTo(values);
      }
    } finally {
      server.kill();
    }
  }

  @Test
  void slowDiskBlocksTheWriterWithinBoundedMemory() throws InterruptedException {
    LatchConnector slow = new LatchConnector(op -> op instanceof DatasetOperation.Write);
    try (StageServer server =
            StageServer.start(
                ServerOptions.of(new Address.Tcp("127.0.0.1", 0), root())
                    .withMemory(8 * MIB, 2 * MIB),
                slow);
        Session session = Hdf5.session("forwarding servers=" + server.address());
        H5File file = session.create("slow.h5", CreateOptions.DEFAULT)) {
      Dataset dataset = file.createDataset("d", Datatypes.U8LE, Dataspace.simple(32L * MIB));
      AtomicInteger submitted = new AtomicInteger();
      List<CompletableFuture<Void>> writes = new ArrayList<>();
      Thread writer =
          Thread.ofPlatform()
              .start(() -> {
                for (int i = 0; i < 32; i++) {
                  byte[] values = new byte[MIB];
                  Arrays.fill(values, (byte) (i + 1));
                  writes.add(
                      dataset.writeAsync(
                          Selection.box(new long[] {(long) i * MIB}, new long[] {MIB}), values));
                  submitted.incrementAndGet();
                }
              });
      slow.awaitHeld();
      Polling.untilWaiting(writer);
      assertThat(submitted.get()).as("MiB under way, of a window of 2 MiB").isLessThanOrEqualTo(2);
      slow.open();
      writer.join();
      writes.forEach(CompletableFuture::join);
      byte[] found = dataset.read(byte[].class);
      for (int i = 0; i < 32; i++) {
        assertThat(found[i * MIB]).isEqualTo((byte) (i + 1));
      }
    }
  }

  @Test
  void requestsHaveRepliesForEveryExceptionOfTheConnector() {
    LatchConnector broken =
        new LatchConnector(operation -> {
          if (operation instanceof GroupOperation.Create) {
            throw new NoClassDefFoundError("a class that is missing");
          }
          return false;
        });
    try (StageServer server =
            StageServer.start(ServerOptions.of(new Address.Tcp("127.0.0.1", 0), root()), broken);
        Session session = Hdf5.session("forwarding servers=" + server.address());
        H5File file = session.create("thrown.h5", CreateOptions.DEFAULT)) {
      assertThatThrownBy(() -> file.root().createGroup("g"))
          .isInstanceOf(InternalErrorException.class)
          .hasMessageContaining("a class that is missing");
      byte[] values = {1, 2, 3};
      assertThat(file.createDataset("d", values).read(byte[].class)).isEqualTo(values);
    }
  }

  @Test
  void closingServerRefusesRequests() throws InterruptedException {
    LatchConnector held = new LatchConnector(op -> op instanceof DatasetOperation.Write);
    StageServer server =
        StageServer.start(ServerOptions.of(new Address.Tcp("127.0.0.1", 0), root()), held);
    try (Session session = Hdf5.session("forwarding reconnect=0 servers=" + server.address())) {
      H5File file = session.create("closing.h5", CreateOptions.DEFAULT);
      Dataset dataset = file.createDataset("d", Datatypes.U8LE, Dataspace.simple(3));
      CompletableFuture<Void> before = dataset.writeAsync(new byte[] {1, 2, 3});
      held.awaitHeld();
      Thread closing = Thread.ofPlatform().start(server::close);
      Polling.untilWaiting(closing);
      CompletableFuture<Void> late = dataset.writeAsync(new byte[] {4, 5, 6});
      assertThatThrownBy(late::join)
          .hasCauseInstanceOf(RemoteException.class)
          .hasMessageContaining("closing");
      held.open();
      before.join();
      closing.join();
      assertThatThrownBy(file::close)
          .isInstanceOf(RemoteException.class)
          .hasMessageContaining("closing");
    }
    try (H5File file = Hdf5.open(root().resolve("closing.h5"))) {
      assertThat(file.dataset("d").read(byte[].class)).isEqualTo(new byte[] {1, 2, 3});
    }
  }

  @Test
  void anOperationThatDoesNotEndIsNamedAndDoesNotHoldUpTheEnd() throws InterruptedException {
    LatchConnector held = new LatchConnector(op -> op instanceof DatasetOperation.Write);
    StageServer server =
        StageServer.start(
            ServerOptions.of(new Address.Tcp("127.0.0.1", 0), root())
                .withDrain(Duration.ofSeconds(1)),
            held);
    try (Session session =
        Hdf5.session("forwarding reconnect=0 name=stuck servers=" + server.address())) {
      H5File file = session.create("stuck.h5", CreateOptions.DEFAULT);
      Dataset dataset = file.createDataset("d", Datatypes.U8LE, Dataspace.simple(3));
      CompletableFuture<Void> write = dataset.writeAsync(new byte[] {1, 2, 3});
      held.awaitHeld();
      Polling.until(() -> server.status().contains("slow: request"));
      assertThat(server.status()).contains("of stuck, DatasetOperation.Write");
      assertThatThrownBy(server::close)
          .isInstanceOf(StorageException.class)
          .hasMessageContaining("DatasetOperation.Write");
      assertThatThrownBy(write::join).hasCauseInstanceOf(RemoteException.class);
    } catch (RemoteException gone) {
      assertThat(gone).hasMessageContaining("server");
    } finally {
      held.open();
    }
  }

  @Test
  void missingRootIsReported() throws IOException {
    try (StageServer server =
            StageServer.start(ServerOptions.of(new Address.Tcp("127.0.0.1", 0), root()));
        Session session = Hdf5.session("forwarding servers=" + server.address())) {
      Files.move(root(), root().resolveSibling("moved"));
      assertThatThrownBy(() -> session.create("x.h5", CreateOptions.DEFAULT))
          .isInstanceOf(StorageException.class)
          .hasMessageContaining("folder of the server")
          .hasMessageContaining("removed");
    }
  }

  @Test
  void lostServerFailsWaitingRequests() throws IOException, InterruptedException {
    Path socket = folder.file("socket");
    StageChild server = StageChild.start(root(), socket);
    try (Session session = Hdf5.session("forwarding reconnect=0 servers=unix:" + socket)) {
      H5File file = session.create("gone.h5", CreateOptions.DEFAULT);
      Dataset dataset = file.createDataset("d", Datatypes.U8LE, Dataspace.simple(MIB));
      dataset.write(new byte[MIB]);
      server.kill();
      CompletableFuture<Void> write = dataset.writeAsync(new byte[MIB]);
      assertThatThrownBy(write::join).hasCauseInstanceOf(RemoteException.class);
      assertThatThrownBy(file::close).isInstanceOf(RemoteException.class);
    }
  }

  /** What a program prints when an operation fails, and then the closing of its file. */
  @Test
  void tracesOfALostServerAreWhole() throws IOException, InterruptedException {
    Path socket = folder.file("traced");
    StageChild server = StageChild.start(root(), socket);
    StringWriter printed = new StringWriter();
    try (Session session = Hdf5.session("forwarding reconnect=1 servers=unix:" + socket);
        H5File file = session.create("traced.h5", CreateOptions.DEFAULT)) {
      Dataset dataset = file.createDataset("d", Datatypes.U8LE, Dataspace.simple(3));
      server.kill();
      dataset.write(new byte[] {1, 2, 3});
    } catch (RemoteException lost) {
      lost.printStackTrace(new PrintWriter(printed));
    }
    assertThat(printed.toString())
        .containsPattern("unreachable for 1 s \\([^)]+\\)")
        .contains("Suppressed:")
        .doesNotContain("CIRCULAR");
  }

  @Test
  void lostClientLeavesWholeRowsAndAllAcknowledgedOnes() throws IOException {
    List<Integer> acknowledged = new ArrayList<>();
    try (StageServer server =
        StageServer.start(
            ServerOptions.of(new Address.Tcp("127.0.0.1", 0), root())
                .withGrace(Duration.ofMillis(50)))) {
      Process client =
          new ProcessBuilder(StageChild.command(ClientChild.class, server.address().toString()))
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      try (BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8))) {
        String line = lines.readLine();
        while (line != null) {
          acknowledged.add(Integer.parseInt(line));
          if (acknowledged.size() == 500) {
            client.destroyForcibly();
          }
          line = lines.readLine();
        }
      } catch (IOException cutOff) {
        assertThat(acknowledged).isNotEmpty();
      } finally {
        client.destroyForcibly();
      }
      assertThat(acknowledged).hasSizeGreaterThanOrEqualTo(500);
    }
    // The server has closed the file of the client that is gone.
    try (H5File file = Hdf5.open(root().resolve("vanishing.h5"))) {
      Dataset dataset = file.dataset("rows");
      int last = acknowledged.stream().mapToInt(Integer::intValue).max().orElseThrow() + 200;
      for (int row = 0; row < last; row++) {
        int[] found = new int[ClientChild.COLUMNS];
        dataset.readInto(
            Selection.box(new long[] {row, 0}, new long[] {1, ClientChild.COLUMNS}), found);
        assertThat(found).as("row %d", row).containsOnly(found[0]);
        assertThat(found[0]).isIn(0, row + 1);
        if (acknowledged.contains(row)) {
          assertThat(found[0]).as("acknowledged row").isEqualTo(row + 1);
        }
      }
    } catch (HyperslabException unreadable) {
      throw new AssertionError(unreadable);
    }
  }
}
