package org.hyperslab.plugins.forwarding.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.assertj.core.api.Assertions;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.plugins.forwarding.wire.Hello;
import org.hyperslab.testkit.TemporaryFolder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests connections that a relay breaks. */
@Timeout(300)
final class ReconnectTest {

  /** Passes bytes on, and breaks both connections after a number of bytes. */
  private static final class Relay implements AutoCloseable {
    private final ServerSocket listening =
        new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
    private final Address.Tcp to;
    private final Random random = new Random(7);
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private volatile int breaks;

    Relay(Address to, int breaks) throws IOException {
      this.to = (Address.Tcp) to;
      this.breaks = breaks;
      Thread.ofVirtual().start(this::accept);
    }

    int port() {
      return listening.getLocalPort();
    }

    private void accept() {
      try {
        while (true) {
          Socket here = listening.accept();
          Socket there = new Socket(to.host(), to.port());
          sockets.add(here);
          sockets.add(there);
          long most = breaks-- > 0 ? 500 + random.nextInt(200_000) : Long.MAX_VALUE;
          Thread.ofVirtual().start(() -> pump(here, there, most));
          Thread.ofVirtual().start(() -> pump(there, here, Long.MAX_VALUE));
        }
      } catch (IOException closed) {
        sockets.clear();
      }
    }

    private static void pump(Socket from, Socket to, long most) {
      byte[] buffer = new byte[8192];
      long passed = 0;
      try (from;
          to) {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        for (int n = in.read(buffer); n > 0; n = in.read(buffer)) {
          int part = (int) Math.min(n, most - passed);
          out.write(buffer, 0, part);
          passed += part;
          if (passed >= most) {
            return;
          }
        }
      } catch (IOException broken) {
        passed = most;
      }
    }

    @Override
    public void close() throws IOException {
      listening.close();
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  @Test
  void aSessionWaitsForALocalClientThatWasToldToReconnect() {
    Duration grace = Duration.ofSeconds(30);
    assertThat(SessionTable.graceMillis(grace, true, 0)).isEqualTo(3000);
    assertThat(SessionTable.graceMillis(grace, true, 1)).isEqualTo(3000);
    assertThat(SessionTable.graceMillis(grace, true, 20)).isEqualTo(20_000);
    assertThat(SessionTable.graceMillis(grace, true, Long.MAX_VALUE)).isEqualTo(30_000);
    assertThat(SessionTable.graceMillis(grace, true, -1)).isEqualTo(3000);
    assertThat(SessionTable.graceMillis(grace, false, 1)).isEqualTo(30_000);
    assertThat(SessionTable.graceMillis(Duration.ofMillis(5), true, 20)).isEqualTo(5);
    Hello hello = Hello.decode(new Hello("a", 1, "b", 2, 20).encode());
    assertThat(hello.reconnectSeconds()).isEqualTo(20);
  }

  @Test
  void operationsAreExecutedOnceWhenConnectionsBreak() throws IOException {
    try (TemporaryFolder folder = TemporaryFolder.create("reconnect");
        StageServer server =
            StageServer.start(ServerOptions.of(new Address.Tcp("127.0.0.1", 0), folder.path()));
        Relay relay = new Relay(server.address(), 12)) {
      int rows = 400;
      long[] expected = new long[rows];
      try (Session session =
              Hdf5.session("forwarding window=4M servers=127.0.0.1:" + relay.port());
          H5File file = session.create("broken.h5", CreateOptions.DEFAULT)) {
        Dataset dataset =
            file.root().datasetBuilder("rows").type(Datatypes.I64LE).shape(rows, 512).createAsync();
        List<CompletableFuture<?>> all = new ArrayList<>();
        Random random = new Random(3);
        for (int i = 0; i < 1500; i++) {
          int row = random.nextInt(rows);
          long[] values = new long[512];
          Arrays.fill(values, i);
          expected[row] = i;
          all.add(
              dataset.writeAsync(Selection.box(new long[] {row, 0}, new long[] {1, 512}), values));
          if (i % 100 == 0) {
            // Done twice, this would fail with AlreadyExistsException.
            all.add(file.root().createGroupAsync("g" + i).opened());
          }
        }
        all.forEach(CompletableFuture::join);
        long[][] found = dataset.read(long[][].class);
        for (int row = 0; row < rows; row++) {
          assertThat(found[row]).containsOnly(expected[row]);
        }
      }
    }
  }

  @Test
  void restartedServerStartsNewSessions() {
    try (TemporaryFolder folder = TemporaryFolder.create("anew")) {
      ServerOptions options =
          ServerOptions.of(new Address.Unix(folder.file("socket").toString()), folder.path());
      StageServer first = StageServer.start(options);
      try (Session session = Hdf5.session("forwarding reconnect=0 servers=" + first.address())) {
        H5File lost = session.create("before.h5", CreateOptions.DEFAULT);
        first.close();
        assertThatThrownBy(() -> lost.createDataset("d", new int[] {1}))
            .isInstanceOf(HyperslabException.class);
        try (StageServer second = StageServer.start(options)) {
          try (H5File file = session.create("after.h5", CreateOptions.DEFAULT)) {
            file.createDataset("d", new int[] {2});
            assertThat(file.dataset("d").read(int[].class)).containsExactly(2);
          }
          assertThat(second.status()).contains("sessions 1");
          assertThatThrownBy(lost::close).isInstanceOf(HyperslabException.class);
        }
      }
    }
  }

  @Test
  void failuresOfEarlyAnswersShowAtTheNextFlush() {
    try (TemporaryFolder folder = TemporaryFolder.create("early");
        StageServer server =
            StageServer.start(ServerOptions.of(new Address.Tcp("127.0.0.1", 0), folder.path()));
        Session session =
            Hdf5.session("forwarding acknowledge=received servers=" + server.address());
        H5File file = session.create("early.h5", CreateOptions.DEFAULT)) {
      Dataset dataset = file.createDataset("d", Datatypes.I32LE, Dataspace.simple(4));
      dataset.write(new int[] {1, 2, 3, 4});
      file.flush();
      dataset.write(Selection.box(new long[] {9}, new long[] {1}), new int[] {5});
      HyperslabException late =
          Assertions.catchThrowableOfType(HyperslabException.class, file::flush);
      assertThat(late).hasMessageContaining("9");
      assertThat(dataset.read(int[].class)).containsExactly(1, 2, 3, 4);
    }
  }

  @Test
  void transfersBeyondTheWindowGoInPieces() {
    try (TemporaryFolder folder = TemporaryFolder.create("pieces");
        StageServer server =
            StageServer.start(
                ServerOptions.of(new Address.Tcp("127.0.0.1", 0), folder.path())
                    .withMemory(8 << 20, 1 << 20));
        Session session = Hdf5.session("forwarding servers=" + server.address());
        H5File file = session.create("large.h5", CreateOptions.DEFAULT)) {
      double[] values = new Random(1).doubles(1_000_003).toArray();
      Dataset whole = file.createDataset("whole", values);
      assertThat(whole.read(double[].class)).isEqualTo(values);
      Dataset strided = file.createDataset("strided", Datatypes.F64LE, Dataspace.simple(3_000_100));
      Selection every =
          Selection.hyperslab(
              new long[] {1}, new long[] {3}, new long[] {values.length}, new long[] {1});
      strided.write(every, values);
      assertThat(strided.readDoubles(every)).isEqualTo(values);
    }
  }
}
