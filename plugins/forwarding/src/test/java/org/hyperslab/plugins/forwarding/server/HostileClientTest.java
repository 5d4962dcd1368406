package org.hyperslab.plugins.forwarding.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.zip.CRC32C;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.RemoteException;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.plugins.codec.OperationCodec;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.plugins.forwarding.wire.FrameType;
import org.hyperslab.plugins.forwarding.wire.Hello;
import org.hyperslab.plugins.forwarding.wire.Welcome;
import org.hyperslab.testkit.Seeds;
import org.hyperslab.testkit.TemporaryFolder;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests that malformed, oversized, repeated or unauthenticated messages end their session and
 * nothing else.
 */
@Timeout(300)
final class HostileClientTest {

  private TemporaryFolder folder;
  private StageServer server;
  private Session good;
  private H5File file;

  @BeforeEach
  void start() {
    folder = TemporaryFolder.create("hostile");
    server = StageServer.start(options());
    good = Hdf5.session("forwarding servers=" + server.address());
    file = good.create("good.h5", CreateOptions.DEFAULT);
  }

  private ServerOptions options() {
    return ServerOptions.of(new Address.Tcp("127.0.0.1", 0), folder.path().resolve("root"))
        .withMemory(96 << 20, 8 << 20);
  }

  @AfterEach
  void theOtherSessionIsNotTouched() throws IOException {
    file.createDataset("after", new int[] {1, 2, 3});
    file.close();
    good.close();
    server.close();
    try (H5File closed = Hdf5.open(folder.path().resolve("root/good.h5"))) {
      assertThat(closed.dataset("after").read(int[].class)).containsExactly(1, 2, 3);
    }
    folder.close();
  }

  /** A client of bytes. */
  private final class Raw implements AutoCloseable {
    private final Socket socket;

    Raw() throws IOException {
      Address.Tcp to = (Address.Tcp) server.address();
      socket = new Socket(to.host(), to.port());
    }

    void send(byte[] bytes) throws IOException {
      try {
        socket.getOutputStream().write(bytes);
      } catch (SocketException alreadyClosed) {
        assertThat(alreadyClosed).isNotNull();
      }
    }

    Raw hello() throws IOException {
      send(frame(FrameType.HELLO, 0, new Hello("raw", 0, "", 0, 0).encode(), 0));
      return this;
    }

    /** Says hello for a session that has begun, or 0, and returns the welcome. */
    Welcome hello(long session) throws IOException {
      send(frame(FrameType.HELLO, 0, new Hello("raw", session, "", 0, 0).encode(), 0));
      return Welcome.decode(reply(FrameType.WELCOME));
    }

    /** Returns the control message of the next frame, which must have this type and no payload. */
    byte[] reply(FrameType type) throws IOException {
      socket.setSoTimeout(20_000);
      InputStream in = socket.getInputStream();
      ByteBuffer head = ByteBuffer.wrap(in.readNBytes(48)).order(ByteOrder.LITTLE_ENDIAN);
      byte[] control = in.readNBytes(head.getInt(8));
      assertThat(FrameType.values()[head.get(5)])
          .as(() -> new String(control, StandardCharsets.ISO_8859_1))
          .isEqualTo(type);
      return control;
    }

    /** Everything that the server sends until it closes, as text. */
    String untilClosed() throws IOException {
      socket.setSoTimeout(20_000);
      StringBuilder said = new StringBuilder();
      try (InputStream in = socket.getInputStream()) {
        for (int each = in.read(); each >= 0; each = in.read()) {
          said.append((char) each);
        }
      } catch (SocketException reset) {
        // The server has not read everything that was sent; the frames that it sent before remain
        // valid.
        return said.toString();
      }
      return said.toString();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  private static byte[] frame(FrameType type, long id, byte[] control, long payload) {
    ByteBuffer head = ByteBuffer.allocate(48 + control.length).order(ByteOrder.LITTLE_ENDIAN);
    head.putInt(0, 0x57534C48).put(4, (byte) 1).put(5, (byte) type.ordinal());
    head.putInt(8, control.length).putLong(16, payload).putLong(24, id).putShort(44, (short) 48);
    head.put(48, control);
    CRC32C crc = new CRC32C();
    crc.update(head.array());
    head.putInt(12, (int) crc.getValue());
    return head.array();
  }

  private static byte[] exists() {
    return OperationCodec.encode(new FileOperation.Exists(new Handle(1), "x.h5")).control();
  }

  @Test
  void closesOnBytesThatAreNoFrame() throws IOException {
    try (Raw raw = new Raw()) {
      raw.send(new byte[200]);
      assertThat(raw.untilClosed()).contains("magic");
    }
  }

  @Test
  void closesOnRequestsBeforeHello() throws IOException {
    try (Raw raw = new Raw()) {
      raw.send(frame(FrameType.REQUEST, 1, exists(), 0));
      assertThat(raw.untilClosed()).contains("before hello");
    }
  }

  @Test
  void closesOnAControlMessageBeyondTheLimit() throws IOException {
    try (Raw raw = new Raw().hello()) {
      byte[] huge = frame(FrameType.REQUEST, 1, exists(), 0);
      ByteBuffer.wrap(huge).order(ByteOrder.LITTLE_ENDIAN).putInt(8, Integer.MAX_VALUE);
      raw.send(huge);
      assertThat(raw.untilClosed()).contains("control bytes");
    }
  }

  @Test
  void closesOnAPayloadBeyondTheWindow() throws IOException {
    try (Raw raw = new Raw().hello()) {
      raw.send(frame(FrameType.REQUEST, 1, exists(), Long.MAX_VALUE));
      assertThat(raw.untilClosed()).contains("payload bytes");
    }
  }

  @Test
  void closesOnARepeatedRequest() throws IOException {
    try (Raw raw = new Raw().hello()) {
      raw.send(frame(FrameType.REQUEST, 1, exists(), 0));
      raw.send(frame(FrameType.REQUEST, 1, exists(), 0));
      assertThat(raw.untilClosed()).contains("again");
    }
  }

  @Test
  void interruptedRequestReleasesItsPartOfTheWindow() throws IOException {
    int bytes = 6 << 20; // most of the window: twice it does not fit
    try (Raw first = new Raw();
        Raw second = new Raw()) {
      long session = first.hello(0).session();
      first.send(frame(FrameType.REQUEST, 1, exists(), bytes));
      // More than sockets hold: the server has begun to receive it.
      first.send(new byte[bytes - 1]);
      assertThat(second.hello(session).received()).isZero();
      second.send(frame(FrameType.REQUEST, 1, exists(), bytes));
      second.send(new byte[bytes]);
      assertThat(new String(second.reply(FrameType.GOODBYE), StandardCharsets.ISO_8859_1))
          .contains("CRC32C");
    }
  }

  @Test
  void closesOnAWrongChecksum() throws IOException {
    try (Raw raw = new Raw().hello()) {
      byte[] changed = frame(FrameType.REQUEST, 1, exists(), 0);
      changed[54] ^= 1;
      raw.send(changed);
      assertThat(raw.untilClosed()).contains("CRC32C");
    }
  }

  @Test
  void closesOnAnUnknownOperation() throws IOException {
    try (Raw raw = new Raw().hello()) {
      raw.send(frame(FrameType.REQUEST, 1, new byte[] {(byte) 0xFF, (byte) 0xFF, 1}, 0));
      assertThat(raw.untilClosed()).contains("operation");
    }
  }

  @Test
  void closesConnectionsThatSendFramesOfServers() throws IOException {
    try (Raw raw = new Raw().hello()) {
      raw.send(frame(FrameType.WELCOME, 1, new byte[0], 0));
      assertThat(raw.untilClosed()).contains("clients send");
    }
  }

  @Test
  void survivesRandomChangesOfFrames() {
    Seeds.runFixed(
        200,
        random -> {
          try (Raw raw = new Raw()) {
            byte[] hello = frame(FrameType.HELLO, 0, new Hello("r", 0, "", 0, 0).encode(), 0);
            byte[] request = frame(FrameType.REQUEST, 1, exists(), 0);
            byte[] both = new byte[hello.length + request.length];
            System.arraycopy(hello, 0, both, 0, hello.length);
            System.arraycopy(request, 0, both, hello.length, request.length);
            for (int i = 0; i <= random.nextInt(3); i++) {
              both[random.nextInt(both.length)] = (byte) random.nextInt();
            }
            raw.send(both);
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });
  }

  @Test
  void refusesAClientWithoutTheToken() {
    try (StageServer guarded =
        StageServer.start(
            ServerOptions.of(new Address.Tcp("127.0.0.1", 0), folder.path().resolve("guarded"))
                .withSecrets(Optional.of("secret"), Optional.empty()))) {
      assertThatThrownBy(
              () -> {
                try (Session session = Hdf5.session("forwarding servers=" + guarded.address())) {
                  session.create("x.h5", CreateOptions.DEFAULT).close();
                }
              })
          .isInstanceOf(RemoteException.class)
          .hasMessageContaining("token");
    }
  }

  @Test
  void refusesToListenForOtherMachinesWithoutTls() {
    assertThatThrownBy(
            () -> StageServer.start(ServerOptions.of(new Address.Tcp("0.0.0.0", 0), folder.path())))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("TLS");
  }

  @Test
  void keepsNamesBelowTheFolder() throws IOException {
    Path outside = folder.file("outside.h5");
    try (H5File other = Hdf5.create(outside)) {
      other.createDataset("secret", new int[] {42});
    }
    Files.createSymbolicLink(folder.path().resolve("root/link.h5"), outside);
    for (String name : new String[] {"../outside.h5", "a/../../outside.h5", "link.h5"}) {
      assertThatThrownBy(() -> good.open(name, OpenOptions.READ))
          .isInstanceOf(HyperslabException.class);
    }
    file.root().createExternalLink("out", outside.toString(), "secret");
    file.root().createExternalLink("up", "../outside.h5", "secret");
    for (String link : new String[] {"out", "up"}) {
      assertThatThrownBy(() -> file.dataset(link)).isInstanceOf(NotFoundException.class);
    }
  }

  @Test
  void closesTheFilesOfAClientThatVanishes() throws IOException {
    file.close();
    good.close();
    server.close();
    server = StageServer.start(options().withGrace(Duration.ofMillis(50)));
    good = Hdf5.session("forwarding servers=" + server.address());
    file = good.create("good.h5", CreateOptions.DEFAULT);
    String one = granted();
    try (Raw raw = new Raw()) {
      assertThat(raw.hello(0).session()).isPositive();
      assertThat(granted()).isNotEqualTo(one);
      var create = new FileOperation.Create(new Handle(1), "left.h5", CreateOptions.DEFAULT);
      raw.send(frame(FrameType.REQUEST, 1, OperationCodec.encode(create).control(), 0));
      byte[] half = frame(FrameType.REQUEST, 2, exists(), 0);
      raw.send(Arrays.copyOf(half, 50));
    }
    // The last that a session gives back is its memory. The file is not looked at before: whoever
    // opens it locks it, and the server could not create it.
    Polling.until(() -> granted().equals(one));
    try (H5File left = Hdf5.open(folder.path().resolve("root/left.h5"))) {
      assertThat(left.root().attributeCount()).isZero();
    }
  }

  /** Returns the amount of the server's memory that sessions have. */
  private String granted() {
    return server.status().replaceFirst("(?s).*memory granted (\\d+) .*", "$1");
  }

  @Test
  void randomNamesGiveOnlyTypedErrors() {
    Random random = new Random(5);
    String[] parts = {"..", ".", "a", "", "\0", "b.h5", "~", "//"};
    for (int i = 0; i < 500; i++) {
      StringBuilder name = new StringBuilder();
      for (int k = random.nextInt(6); k >= 0; k--) {
        name.append(parts[random.nextInt(parts.length)]).append('/');
      }
      try {
        assertThat(good.exists("x/" + name)).isIn(true, false);
      } catch (HyperslabException refused) {
        assertThat(refused.getMessage()).isNotBlank();
      }
    }
  }
}
