package org.hyperslab.plugins.forwarding.wire;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.testkit.TemporaryFolder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests a client of a server that sends replies without requests. */
@Timeout(300)
final class HostileServerTest {

  /** Welcomes, and answers every request with one reply to a range of requests. */
  private record Lying(long first, long last) implements FrameHandler {
    @Override
    public void opened(Connection connection) {}

    @Override
    public MemorySegment memory(Connection connection, Frame head, long bytes) {
      throw new AssertionError("no payload is sent");
    }

    @Override
    public void frame(Connection connection, Frame frame) {
      if (frame.type() == FrameType.HELLO) {
        Welcome welcome = new Welcome(1, 1 << 20, 1 << 20, 1 << 30, 0, List.of(), 1 << 20, "");
        connection.send(Frame.of(FrameType.WELCOME, 0, welcome.encode()));
      } else {
        connection.send(new Frame(FrameType.REPLY, 0, first, last, new byte[0], List.of()));
      }
    }

    @Override
    public void closed(Connection connection, Throwable reason) {}
  }

  @ParameterizedTest
  @CsvSource({"1, 9223372036854775807", "-9223372036854775808, 9223372036854775807", "2, 0"})
  void unsolicitedRepliesFailPendingRequests(long first, long last) {
    try (TemporaryFolder folder = TemporaryFolder.create("lying");
        WireServer server =
            WireServer.listen(
                new Address.Unix(folder.file("socket").toString()),
                Optional.empty(),
                WireLimits.DEFAULT,
                1,
                new Lying(first, last));
        Session session = Hdf5.session("forwarding reconnect=0 servers=" + server.address())) {
      assertThatThrownBy(() -> session.create("file.h5", CreateOptions.DEFAULT).close())
          .isInstanceOf(HyperslabException.class);
    }
  }
}
