package org.hyperslab.plugins.forwarding.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.plugins.codec.OperationCodec;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.plugins.forwarding.wire.FrameType;
import org.hyperslab.plugins.forwarding.wire.Hello;
import org.hyperslab.testkit.TemporaryFolder;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.ObjectOperation;
import org.hyperslab.vol.Operation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests that a client that acknowledges replies without reading them is not sent the bytes of other
 * clients.
 */
@Timeout(120)
final class ReplyMemoryTest {

  private static final int BYTES = 7 << 18; // 1.75 MiB
  private static final int READS = 4;

  /** Writes frames by hand and reads them only when asked to. */
  private static final class SilentClient implements AutoCloseable {
    private final Socket socket = new Socket();
    private long requests;

    SilentClient(StageServer server) throws IOException {
      Address.Tcp to = (Address.Tcp) server.address();
      socket.setReceiveBufferSize(16 << 10); // most of the replies stay with the server
      socket.connect(new InetSocketAddress(to.host(), to.port()));
      send(FrameType.HELLO, 0, new Hello("silent", 0, "", 0, 0).encode());
    }

    void request(Operation<?> operation) throws IOException {
      send(FrameType.REQUEST, ++requests, OperationCodec.encode(operation).control());
    }

    void acknowledgeAll() throws IOException {
      send(FrameType.ACKNOWLEDGE, requests + 1, new byte[0]);
    }

    private void send(FrameType type, long id, byte[] control) throws IOException {
      ByteBuffer head = ByteBuffer.allocate(48 + control.length).order(ByteOrder.LITTLE_ENDIAN);
      head.putInt(0, 0x57534C48).put(4, (byte) 1).put(5, (byte) type.ordinal());
      head.putInt(8, control.length).putLong(24, id).putShort(44, (short) 48);
      head.put(48, control);
      CRC32C crc = new CRC32C();
      crc.update(head.array());
      head.putInt(12, (int) crc.getValue());
      socket.getOutputStream().write(head.array());
    }

    /** The payload of the next frame that has one. */
    byte[] nextPayload() throws IOException {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      while (true) {
        byte[] bytes = new byte[48];
        in.readFully(bytes);
        ByteBuffer head = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        in.skipNBytes(head.getShort(44) - 48 + head.getInt(8));
        if (head.getLong(16) > 0) {
          byte[] payload = new byte[(int) head.getLong(16)];
          in.readFully(payload);
          return payload;
        }
      }
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  @Test
  void acknowledgingWithoutReadingRevealsNoBytesOfOtherClients() throws Exception {
    try (TemporaryFolder folder = TemporaryFolder.create("replies");
        StageServer server =
            StageServer.start(
                ServerOptions.of(new Address.Tcp("127.0.0.1", 0), folder.path().resolve("root"))
                    .withMemory(96 << 20, 8 << 20));
        Session session = Hdf5.session("forwarding servers=" + server.address());
        H5File file = session.create("secret.h5", CreateOptions.DEFAULT)) {
      file.createDataset("shown", filled((byte) 0x11));
      Dataset secret = file.createDataset("secret", filled((byte) 0x22));
      file.flush();
      try (SilentClient silent = new SilentClient(server)) {
        askFor(silent, "shown");
        Polling.until(() -> server.status().lines().anyMatch(line -> hasAnswered(line, READS + 2)));
        silent.acknowledgeAll();
        byte[] mine = new byte[BYTES];
        for (int i = 0; i < 2 * READS; i++) { // these would take the same memory
          secret.readInto(Selection.all(), mine);
          assertThat(mine).containsOnly(0x22);
        }
        for (int i = 0; i < READS; i++) {
          byte[] shown = silent.nextPayload();
          assertThat(shown.length).isEqualTo(BYTES);
          assertThat(Arrays.equals(shown, filled((byte) 0x11))).as("reply %d", i).isTrue();
        }
      }
    }
  }

  private static byte[] filled(byte value) {
    byte[] bytes = new byte[BYTES];
    Arrays.fill(bytes, value);
    return bytes;
  }

  /** Whether a line of the status page is the silent client's and counts these replies. */
  private static boolean hasAnswered(String line, int replies) {
    String[] columns = line.trim().split(" +");
    return columns[0].equals("silent") && Integer.parseInt(columns[4]) == replies;
  }

  private static void askFor(SilentClient silent, String dataset) throws IOException {
    silent.request(new FileOperation.Open(new Handle(1), "secret.h5", OpenOptions.READ));
    silent.request(new ObjectOperation.Open(new Handle(2), new Location(new Handle(1), dataset)));
    try (Arena arena = Arena.ofShared()) {
      DatasetOperation.Transfer transfer =
          new DatasetOperation.Transfer(
              Datatypes.I8LE,
              Dataspace.simple(BYTES),
              Selection.all(),
              Selection.all(),
              TransferOptions.DEFAULT);
      for (int i = 0; i < READS; i++) {
        DataBuffer target = DataBuffer.of(arena.allocate(BYTES));
        silent.request(new DatasetOperation.Read(new Handle(2), transfer, target));
      }
    }
  }
}
