package org.hyperslab.tools.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that the port for monitors answers GET, and what hostile clients can take of it. */
@Timeout(120)
final class MonitorPortTest {

  private static final Duration LONG = Duration.ofMinutes(5);
  private static final String GOOD = "GET /page HTTP/1.1\r\nHost: a\r\n\r\n";

  private static MonitorPort port(Duration limit) throws IOException {
    return new MonitorPort(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
        limit,
        path ->
            switch (path) {
              case "/page" -> Optional.of(MonitorPort.Answer.plain(200, "the page"));
              case "/fails" -> throw new IllegalStateException("a text of the inside");
              default -> Optional.empty();
            });
  }

  private static Socket connect(MonitorPort port) throws IOException {
    return new Socket(port.address().getAddress(), port.address().getPort());
  }

  /** Sends bytes and returns all that comes; nothing if the connection is broken. */
  private static String ask(MonitorPort port, byte[] request) throws IOException {
    try (Socket socket = connect(port)) {
      OutputStream out = socket.getOutputStream();
      out.write(request);
      socket.shutdownOutput();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String ask(MonitorPort port, String request) throws IOException {
    return ask(port, request.getBytes(StandardCharsets.ISO_8859_1));
  }

  @Test
  void answersGetOnly() throws IOException {
    try (MonitorPort port = port(LONG)) {
      assertThat(ask(port, GOOD))
          .startsWith("HTTP/1.1 200 ")
          .contains("\r\nContent-Length: 9\r\n", "\r\nConnection: close\r\n")
          .endsWith("\r\n\r\nthe page\n");
      assertThat(ask(port, "GET http://a:1/page?x=1 HTTP/1.0\n\n")).startsWith("HTTP/1.1 200 ");
      for (String method : List.of("POST", "PUT", "DELETE", "OPTIONS", "get", "PRI")) {
        assertThat(ask(port, method + GOOD.substring(3)))
            .startsWith("HTTP/1.1 405 ")
            .contains("\r\nAllow: GET\r\n");
      }
      assertThat(ask(port, "HEAD" + GOOD.substring(3)))
          .startsWith("HTTP/1.1 405 ")
          .endsWith("\r\n\r\n");
    }
  }

  @Test
  void wrongRequestsAreRefused() throws IOException {
    try (MonitorPort port = port(LONG)) {
      for (String path : List.of("/", "/page/", "/page/../fails", "/%70age", "/..", "//page")) {
        assertThat(ask(port, "GET " + path + " HTTP/1.1\r\n\r\n"))
            .as(path)
            .startsWith("HTTP/1.1 404 ");
      }
      for (String line :
          List.of(
              "GET", "GET /page", "GET /page HTTP/2.0", "GET page HTTP/1.1", "\u0016\u0003 x")) {
        assertThat(ask(port, line + "\r\n\r\n")).as(line).startsWith("HTTP/1.1 400 ");
      }
      assertThat(ask(port, "GET /" + "x".repeat(MonitorPort.MOST_BYTES)))
          .startsWith("HTTP/1.1 431 ");
      assertThat(ask(port, GOOD.substring(0, GOOD.length() - 2))).isEmpty();
      assertThat(ask(port, "")).isEmpty();
      assertThat(ask(port, "GET /fails HTTP/1.1\r\n\r\n"))
          .startsWith("HTTP/1.1 500 ")
          .doesNotContain("inside");
    }
  }

  @Test
  void clientsThatSendNothingDoNotShutOthersOut() throws IOException {
    try (MonitorPort port = port(LONG)) {
      List<Socket> silent = new ArrayList<>();
      for (int i = 0; i < 3 * MonitorPort.MOST_CONNECTIONS; i++) {
        Socket next = connect(port);
        silent.add(next);
        next.getOutputStream().write('G');
      }
      assertThat(ask(port, GOOD)).startsWith("HTTP/1.1 200 ");
      assertThat(silent.getFirst().getInputStream().read()).isEqualTo(-1);
      for (Socket each : silent) {
        each.close();
      }
    }
  }

  @Test
  void aConnectionHasALimitedTime() throws IOException {
    try (MonitorPort port = port(Duration.ofMillis(50));
        Socket slow = connect(port)) {
      slow.getOutputStream().write('G');
      assertThat(slow.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void closingEndsConnections() throws IOException {
    MonitorPort port = port(LONG);
    try (Socket open = connect(port)) {
      assertThat(ask(port, GOOD)).startsWith("HTTP/1.1 200 ");
      port.close();
      assertThat(open.getInputStream().read()).isEqualTo(-1);
      assertThat(askClosed(port)).isEmpty();
    }
  }

  /** A connection may still be taken up at the moment of closing, but is not answered. */
  private static String askClosed(MonitorPort port) {
    try {
      return ask(port, GOOD);
    } catch (IOException refused) {
      return "";
    }
  }

  @Test
  void randomBytesAreAnsweredOrEnded() throws IOException {
    try (MonitorPort port = port(LONG)) {
      Seeds.run(200, random -> sendNoise(port, random));
      assertThat(ask(port, GOOD)).startsWith("HTTP/1.1 200 ");
    }
  }

  private static void sendNoise(MonitorPort port, Random random) {
    byte[] noise = GOOD.getBytes(StandardCharsets.ISO_8859_1);
    for (int i = random.nextInt(1, 8); i > 0; i--) {
      noise[random.nextInt(noise.length)] = (byte) random.nextInt(256);
    }
    try {
      String answer = ask(port, noise);
      if (!answer.isEmpty()) {
        assertThat(answer).containsPattern("^HTTP/1.1 (200|400|404|405|431) ");
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void anAddressWithoutAHostIsOfThisMachineOnly() {
    assertThat(StageMetrics.address("9070").getAddress().isLoopbackAddress()).isTrue();
    assertThat(StageMetrics.address("[::1]:9070").getAddress().isLoopbackAddress()).isTrue();
    assertThat(StageMetrics.address("0.0.0.0:9070").getAddress().isAnyLocalAddress()).isTrue();
    for (String wrong : List.of("", "x", "99999", "a:", ":1", "-1", "1:x")) {
      assertThatThrownBy(() -> StageMetrics.address(wrong))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("--metrics");
    }
  }
}
