package org.hyperslab.plugins.forwarding.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.plugins.forwarding.wire.Transport;
import org.hyperslab.testkit.TemporaryFolder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * Tests that messages give the reason of a failed connection, also if the exception has no message.
 */
final class TransportTest {

  @Test
  void reasonOfAFailureIsNeverNull() {
    assertThat(Transport.reason(new UnresolvedAddressException())).isEqualTo("unknown host");
    assertThat(Transport.reason(new ClosedChannelException())).isEqualTo("closed");
    assertThat(Transport.reason(new ConnectException("refused"))).isEqualTo("refused");
    String epoll = "finishConnect(..) failed with error(-111): Connection refused";
    assertThat(Transport.reason(new ConnectException(epoll))).isEqualTo("Connection refused");
  }

  /**
   * Returns the established connections of a port for which Linux has started the timer that asks
   * idle machines: the column {@code tr} is 02. Two lines per connection of this machine.
   */
  private static long watched(int port) {
    String end = String.format(":%04X", port);
    try (Stream<String> four = Files.lines(Path.of("/proc/net/tcp"));
        Stream<String> six = Files.lines(Path.of("/proc/net/tcp6"))) {
      return Stream.concat(four, six)
          .map(line -> line.strip().split("\\s+"))
          .filter(words -> words[1].endsWith(end) || words[2].endsWith(end))
          .filter(words -> words[3].equals("01") && words[5].startsWith("02:"))
          .count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "reads /proc/net/tcp")
  void bothSidesNoticeThatTheOtherMachineIsGone() {
    try (TemporaryFolder folder = TemporaryFolder.create("gone");
        StageServer server =
            StageServer.start(ServerOptions.of(new Address.Tcp("127.0.0.1", 0), folder.path()));
        Session session = Hdf5.session("forwarding servers=" + server.address());
        H5File file = session.create("idle.h5", CreateOptions.DEFAULT)) {
      int port = ((Address.Tcp) server.address()).port();
      Polling.until(() -> watched(port) == 2);
      assertThat(file.root().names()).isEmpty();
    }
  }
}
