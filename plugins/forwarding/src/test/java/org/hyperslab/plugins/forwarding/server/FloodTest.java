package org.hyperslab.plugins.forwarding.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.plugins.codec.OperationCodec;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.plugins.forwarding.wire.FrameType;
import org.hyperslab.plugins.forwarding.wire.Hello;
import org.hyperslab.testkit.TemporaryFolder;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests clients that make a server hold memory: headers that announce large payloads, replies that
 * are not read, long names, failures that are not acknowledged, many files. Other clients must
 * still be served.
 */
@Timeout(120)
final class FloodTest {

  private static final int MIB = 1 << 20;

  private TemporaryFolder folder;
  private StageServer server;

  @BeforeEach
  void start() {
    folder = TemporaryFolder.create("flood");
    server =
        StageServer.start(
            ServerOptions.of(new Address.Tcp("127.0.0.1", 0), folder.path().resolve("root"))
                .withMemory(64 * MIB, 8 * MIB));
  }

  @AfterEach
  void othersAreServed() {
    try (Session session = Hdf5.session("forwarding servers=" + server.address());
        H5File file = session.create("good.h5", CreateOptions.DEFAULT)) {
      assertThat(file.createDataset("d", new int[] {1, 2}).read(int[].class)).containsExactly(1, 2);
    }
    server.close();
    folder.close();
  }

  private Socket connect() throws IOException {
    Address.Tcp to = (Address.Tcp) server.address();
    return new Socket(to.host(), to.port());
  }

  private Socket hello() throws IOException {
    Socket socket = connect();
    socket
        .getOutputStream()
        .write(frame(FrameType.HELLO, 0, 0, new Hello("raw", 0, "", 0, 0).encode()));
    assertThat(next(socket)).isEqualTo(FrameType.WELCOME);
    return socket;
  }

  /** Reads the whole next frame and returns its type. */
  private static FrameType next(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    ByteBuffer head = ByteBuffer.wrap(in.readNBytes(48)).order(ByteOrder.LITTLE_ENDIAN);
    in.skipNBytes(head.getInt(8) + head.getLong(16));
    return FrameType.values()[head.get(5)];
  }

  private static byte[] frame(FrameType type, long id, long acknowledged, byte[] control) {
    ByteBuffer head = ByteBuffer.allocate(48 + control.length).order(ByteOrder.LITTLE_ENDIAN);
    head.putInt(0, 0x57534C48).put(4, (byte) 1).put(5, (byte) type.ordinal());
    head.putInt(8, control.length).putLong(24, id).putLong(32, acknowledged);
    head.putShort(44, (short) 48);
    head.put(48, control);
    CRC32C crc = new CRC32C();
    crc.update(head.array());
    head.putInt(12, (int) crc.getValue());
    return head.array();
  }

  /**
   * Returns the number of bytes, up to a limit, that a server receives from a client that reads
   * nothing.
   */
  private long taken(List<byte[]> messages, long most) throws IOException {
    Address.Tcp to = (Address.Tcp) server.address();
    try (Selector selector = Selector.open();
        SocketChannel channel = SocketChannel.open(new InetSocketAddress(to.host(), to.port()))) {
      channel.configureBlocking(false);
      channel.register(selector, SelectionKey.OP_WRITE);
      long sent = 0;
      for (int i = 0; sent < most; i++) {
        ByteBuffer message = ByteBuffer.wrap(messages.get(Math.min(i, messages.size() - 1)));
        while (message.hasRemaining()) {
          int now = channel.write(message);
          sent += now;
          if (now == 0 && selector.select(key -> {}, 1000) == 0) {
            return sent; // for a second nothing has been taken: the server has stopped reading
          }
        }
      }
      return sent;
    }
  }

  @Test
  void headerAllocatesNothingBeforeTheHello() throws IOException {
    byte[] promise = frame(FrameType.HELLO, 0, 0, new byte[0]);
    ByteBuffer.wrap(promise).order(ByteOrder.LITTLE_ENDIAN).putInt(8, 16 << 20);
    try (Socket socket = connect()) {
      socket.getOutputStream().write(promise);
      socket.setSoTimeout(5_000);
      assertThat(next(socket)).as("refused by its head").isEqualTo(FrameType.GOODBYE);
    }
  }

  @Test
  void silentConnectionsGiveWayToClientsThatGreet() throws IOException {
    List<Socket> silent = new ArrayList<>();
    try {
      for (int i = 0; i < 600; i++) {
        silent.add(connect());
      }
      try (Socket works = hello()) {
        works.getOutputStream().write(frame(FrameType.PING, 1, 0, new byte[0]));
        assertThat(next(works)).isEqualTo(FrameType.PONG);
      }
      silent.getFirst().setSoTimeout(5_000);
      assertThat(silent.getFirst().getInputStream().read()).as("the oldest").isEqualTo(-1);
      Socket youngest = silent.getLast();
      youngest.setSoTimeout(100);
      assertThatThrownBy(() -> youngest.getInputStream().read())
          .isInstanceOf(SocketTimeoutException.class);
    } finally {
      for (Socket each : silent) {
        each.close();
      }
    }
  }

  private static byte[] greeting() {
    return frame(FrameType.HELLO, 0, 0, new Hello("raw", 0, "", 0, 0).encode());
  }

  @Test
  void requestsAreNotReadWhileRepliesAreUnread() throws IOException {
    // An answer has some 600 bytes, a question 48: what is taken of questions bounds answers.
    byte[] many = repeated(frame(FrameType.STATUS, 1, 0, new byte[0]), 1000);
    assertThat(taken(List.of(greeting(), many), 64 * MIB)).isLessThan(16 * MIB);
    byte[] pings = repeated(frame(FrameType.PING, 1, 0, new byte[0]), 1000);
    assertThat(taken(List.of(greeting(), pings), 256 * MIB)).isLessThan(64 * MIB);
  }

  private static byte[] repeated(byte[] one, int times) {
    byte[] all = new byte[one.length * times];
    for (int i = 0; i < times; i++) {
      System.arraycopy(one, 0, all, i * one.length, one.length);
    }
    return all;
  }

  @Test
  void longNamesAndTheirFailuresAreNotKept() throws IOException {
    char[] name = new char[4 * MIB];
    Arrays.fill(name, 'x');
    List<byte[]> messages = new ArrayList<>(List.of(greeting()));
    for (int i = 1; i <= 60; i++) {
      FileOperation.Open open =
          new FileOperation.Open(new Handle(i), new String(name), OpenOptions.READ);
      messages.add(frame(FrameType.REQUEST, i, 0, OperationCodec.encode(open).control()));
    }
    long before = used();
    assertThat(taken(messages.subList(0, 61), 200L * MIB)).isPositive();
    assertThat(used() - before).isLessThan(100L * MIB);
  }

  private static long used() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  @Test
  void failuresAbbreviateLongNames() throws IOException {
    char[] name = new char[MIB];
    Arrays.fill(name, 'x');
    try (Socket socket = hello()) {
      FileOperation.Open open =
          new FileOperation.Open(new Handle(1), new String(name), OpenOptions.READ);
      byte[] request = frame(FrameType.REQUEST, 1, 0, OperationCodec.encode(open).control());
      socket.getOutputStream().write(request);
      byte[] head = socket.getInputStream().readNBytes(48);
      assertThat(FrameType.values()[head[5]]).isEqualTo(FrameType.FAILURE);
      assertThat(ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN).getInt(8)).isLessThan(50_000);
    }
  }

  @Test
  void openFilesOfASessionAreLimited() {
    try (Session session = Hdf5.session("forwarding servers=" + server.address())) {
      List<H5File> open = new ArrayList<>();
      session.create("many.h5", CreateOptions.DEFAULT).close();
      for (int i = 0; i < 256; i++) {
        open.add(session.open("many.h5", OpenOptions.READ));
      }
      assertThatThrownBy(() -> session.open("many.h5", OpenOptions.READ))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("open files");
      open.removeLast().close();
      open.add(session.open("many.h5", OpenOptions.READ));
      open.forEach(H5File::close);
    }
  }

  @Test
  void clientsCannotSetCostsOrMemorySizes() {
    try (Session session = Hdf5.session("forwarding servers=" + server.address())) {
      for (OpenOptions options :
          List.of(
              OpenOptions.EDIT.withProperty("cost.latencyMicros", "1000000"),
              OpenOptions.EDIT.withProperty("pageBuffer.bytes", "99999999999"),
              OpenOptions.EDIT.withCacheBytes(1L << 40))) {
        assertThatThrownBy(
                () -> session.create("x.h5", CreateOptions.DEFAULT.withAccess(options)).close())
            .isInstanceOf(HyperslabException.class)
            .hasMessageContaining("expected=");
      }
    }
  }

  @Test
  void acceptsAgainWhenHandlesAreBack() throws IOException, InterruptedException {
    Path socket = folder.file("s");
    StageChild child = StageChild.withHandlesUpTo(150, folder.path().resolve("other"), socket);
    List<SocketChannel> all = new ArrayList<>();
    try {
      for (int i = 0; i < 400; i++) {
        SocketChannel next = SocketChannel.open(StandardProtocolFamily.UNIX);
        all.add(next);
        next.configureBlocking(false);
        try {
          next.connect(UnixDomainSocketAddress.of(socket));
        } catch (IOException full) {
          break; // the queue of those that wait to be accepted
        }
      }
      assertThat(all).hasSizeGreaterThan(120);
      for (SocketChannel each : all) {
        each.close();
      }
      Polling.until(() -> works(socket)); // when the server has noticed that the others are gone
    } finally {
      child.kill();
    }
  }

  private static boolean works(Path socket) {
    try (Session session = Hdf5.session("forwarding servers=unix:" + socket)) {
      session.create("x.h5", CreateOptions.DEFAULT).close();
      return session.exists("x.h5");
    } catch (HyperslabException tooMany) {
      return false;
    }
  }

  @Test
  void manyRequestsWithLongMessagesAreCarriedOut() {
    String name = "n".repeat(2000);
    try (Session session = Hdf5.session("forwarding servers=" + server.address());
        H5File file = session.create("long.h5", CreateOptions.DEFAULT)) {
      for (int i = 0; i < 6000; i++) {
        file.root().createGroupAsync(name + i).close();
      }
      file.flush();
      assertThat(file.root().names()).hasSize(6000);
    }
  }
}
