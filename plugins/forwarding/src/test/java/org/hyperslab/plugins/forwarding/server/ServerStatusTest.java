package org.hyperslab.plugins.forwarding.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.ResourceBundle;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLHandshakeException;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.RemoteException;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.plugins.forwarding.Security;
import org.hyperslab.plugins.forwarding.client.ForwardingConnector;
import org.hyperslab.plugins.forwarding.wire.Transport;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.TemporaryFolder;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.Connectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests what a server tells its operator: values for programs, and lines of its log. */
@Timeout(300)
final class ServerStatusTest {

  private static final String SECRET = "the-secret";

  private TemporaryFolder folder;
  private final RecordedLog log = new RecordedLog();

  @BeforeEach
  void start() {
    folder = TemporaryFolder.create("status");
  }

  @AfterEach
  void stop() {
    folder.close();
  }

  private ServerOptions options() {
    return at(new Address.Unix(folder.file("socket").toString()));
  }

  private ServerOptions at(Address address) {
    return ServerOptions.of(address, folder.path().resolve("root")).withLog(log);
  }

  private static Session session(StageServer server, String options) {
    return Hdf5.session("forwarding reconnect=0 servers=" + server.address() + " " + options);
  }

  private static String json(StageServer server) {
    try (Connector asking =
        Connectors.create("forwarding observe=true servers=" + server.address())) {
      return Connectors.find(asking, ForwardingConnector.class).orElseThrow().statusJson();
    }
  }

  @Test
  void theStatusIsJsonThatPythonReads() throws IOException, InterruptedException {
    try (StageServer server = StageServer.start(options());
        Session session = session(server, "name=\"a b\\\"c\"");
        H5File file = session.create("f.h5")) {
      file.createDataset("d", new int[] {1});
      String read =
          "import json, sys\n"
              + "s = json.loads(sys.argv[1])\n"
              + "assert s['sessions'] == 1 and s['slow'] == [], s\n"
              + "assert s['refused_connections_total'] == 0 and s['address'] == 'unix', s\n"
              + "c = s['clients'][0]\n"
              + "assert c['requests_total'] > 1 and c['open_files'] == 1 and not c['away'], c\n"
              + "assert c['client'].startswith('a'), c";
      String page = json(server);
      assertThat(page).endsWith("}\n").containsOnlyOnce("\n");
      Oracle.h5py().run(read, page).orFail();
      assertThat(server.stuck()).isEmpty();
    }
  }

  @Test
  void metricsAreOfPrometheussFormat() throws IOException {
    try (StageServer server = StageServer.start(options());
        Session one = session(server, "name=\"a b\\\"c\"");
        Session two = session(server, "name=two");
        H5File file = one.create("f.h5");
        H5File other = two.create("g.h5")) {
      file.createDataset("d", new int[] {1});
      other.createDataset("d", new int[] {1});
      PrometheusText metrics = PrometheusText.parse(server.metrics());
      assertThat(metrics.value("hyperslab_stage_sessions")).isEqualTo(2);
      assertThat(metrics.sum("hyperslab_stage_client_open_files")).isEqualTo(2);
      assertThat(metrics.sum("hyperslab_stage_client_requests_total")).isGreaterThan(3);
      assertThat(metrics.value("hyperslab_stage_memory_granted_bytes")).isPositive();
      assertThat(metrics.value("hyperslab_stage_log_dropped_lines_total")).isZero();
      assertThat(metrics.names()).allMatch(name -> name.startsWith("hyperslab_stage_"));
      assertThat(server.metrics()).doesNotContain("f.h5").doesNotContain("g.h5");
    }
  }

  @Test
  void aWrongTokenIsOneLine() throws IOException {
    Path wrong = Files.writeString(folder.file("wrong"), "another-secret");
    ServerOptions secured = options().withSecrets(Optional.of(SECRET), Optional.empty());
    try (StageServer server = StageServer.start(secured)) {
      for (String given : List.of("", "tokenFile=" + wrong)) {
        try (Session session = session(server, given)) {
          assertThat(catchThrowable(() -> session.create("f.h5"))).hasMessageContaining("token");
        }
      }
      Polling.until(() -> log.of("refused").size() >= 2);
      assertThat(
              PrometheusText.parse(server.metrics())
                  .value("hyperslab_stage_refused_connections_total"))
          .isEqualTo(2);
    }
    assertThat(log.of("refused")).hasSize(2);
    assertThat(log.of("refused").get(0)).contains("reason=\"token: actual=none, expected=");
    assertThat(log.of("refused").get(1)).contains("reason=\"token: actual=wrong, expected=");
    assertThat(log.lines())
        .noneMatch(line -> line.contains(SECRET) || line.contains("another-secret"));
  }

  @Test
  void startAndEndAreLines() {
    StageServer server = StageServer.start(options());
    server.close();
    server.close();
    assertThat(log.lines()).hasSize(3);
    assertThat(log.lines().get(0))
        .startsWith("DEBUG event=ready address=unix:")
        .contains(" threads=");
    assertThat(log.lines().get(1)).isEqualTo("DEBUG event=closing sessions=0");
    assertThat(log.lines().get(2)).isEqualTo("DEBUG event=closed");
  }

  @Test
  void aClientThatComesAndGoesIsTwoLines() throws IOException {
    try (StageServer server = StageServer.start(options())) {
      try (Session session = session(server, "name=job");
          H5File file = session.create("f.h5")) {
        file.createDataset("d", new int[] {1});
      }
      Polling.until(() -> !log.of("ended").isEmpty());
    }
    assertThat(log.of("connected")).singleElement().asString().contains("client=job", "session=1");
    assertThat(log.of("ended"))
        .singleElement()
        .asString()
        .contains("client=job", "session=1", "failures=0");
    assertThat(log.of("disconnected")).isEmpty();
  }

  @Test
  void aClientThatVanishesIsALine() throws IOException, InterruptedException {
    try (StageServer server = StageServer.start(options().withGrace(Duration.ofMillis(1)))) {
      Process client =
          new ProcessBuilder(
                  StageChild.command(Vanishing.class, "servers=" + server.address() + " name=gone"))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      assertThat(client.inputReader().readLine()).isEqualTo("open");
      client.destroyForcibly().waitFor();
      Polling.until(() -> !log.of("ended").isEmpty());
    }
    assertThat(log.of("disconnected"))
        .singleElement()
        .asString()
        .contains("client=gone", "session=1", "reason=");
    assertThat(log.of("ended")).singleElement().asString().contains("client=gone");
  }

  /** A client that is killed while it has a file open. */
  static final class Vanishing {
    private Vanishing() {}

    /** Opens a file and waits. */
    public static void main(String[] arguments) throws InterruptedException {
      Session session = Hdf5.session("forwarding " + arguments[0]);
      H5File file = session.create("f.h5");
      System.out.println("open");
      System.out.flush();
      Thread.currentThread().join();
      file.close();
    }
  }

  @Test
  void aFailedHandshakeIsOneLineWithoutTheTransportsText()
      throws IOException, InterruptedException, GeneralSecurityException {
    SecureSessionTest.makeKeys(folder.path(), "ours");
    SecureSessionTest.makeKeys(folder.path(), "theirs");
    Path at = folder.path();
    Security keys =
        new Security(at.resolve("ours.crt"), at.resolve("ours.key"), at.resolve("ours.crt"));
    ServerOptions secured =
        at(Address.parse("127.0.0.1:0")).withSecrets(Optional.empty(), Optional.of(keys));
    try (StageServer server = StageServer.start(secured)) {
      String unknown =
          String.format("certificate=%1$s/theirs.crt key=%1$s/theirs.key trust=%1$s/ours.crt", at);
      try (Session session = session(server, unknown)) {
        refusedWithoutNetty(session);
      }
      Polling.until(() -> log.of("refused").size() == 1);
      try (Session session = session(server, "")) {
        refusedWithoutNetty(session);
      }
      Polling.until(() -> log.of("refused").size() == 2);
      browse(((Address.Tcp) server.address()).port());
      Polling.until(() -> log.of("refused").size() == 3);
    }
    assertThat(log.of("refused"))
        .hasSize(3)
        .allMatch(line -> line.contains("peer=/127.0.0.1:"))
        .noneMatch(line -> line.contains("netty") || line.contains("474554"));
    assertThat(log.of("refused").get(0)).contains("certificate");
    assertThat(log.of("refused").get(2)).contains("bytes that are not TLS");
  }

  private static void refusedWithoutNetty(Session session) {
    assertThatThrownBy(() -> session.create("f.h5"))
        .isInstanceOf(RemoteException.class)
        .satisfies(failed -> assertThat(failed.getMessage()).doesNotContain("netty"));
  }

  private static void browse(int port) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket
          .getOutputStream()
          .write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.UTF_8));
      socket.shutdownOutput();
      socket.getInputStream().readAllBytes();
    }
  }

  /** A logger whose every call waits, as one does that writes to a pipe that nobody reads. */
  private static final class StoppedLog extends RecordedLog {
    private final CountDownLatch goOn = new CountDownLatch(1);

    @Override
    public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
      try {
        goOn.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      super.log(level, bundle, format, parameters);
    }
  }

  @Test
  void aLoggerThatWaitsDelaysNoOperation() throws IOException {
    StoppedLog stopped = new StoppedLog();
    try (StageServer server = StageServer.start(options().withLog(stopped))) {
      for (int i = 0; i < 3; i++) {
        try (Session session = session(server, "");
            H5File file = session.create("f" + i + ".h5")) {
          file.createDataset("d", new int[] {i});
          assertThat(file.dataset("d").read(int[].class)).containsExactly(i);
        }
      }
      assertThat(stopped.lines()).isEmpty();
      stopped.goOn.countDown();
    }
    assertThat(stopped.of("connected")).hasSize(3);
    assertThat(stopped.of("closed")).hasSize(1);
  }

  @Test
  void linesThatFindTheQueueFullAreCounted() {
    StoppedLog stopped = new StoppedLog();
    StageLog lines = new StageLog(stopped);
    int all = 5000;
    for (int i = 0; i < all; i++) {
      lines.log(System.Logger.Level.INFO, "e", "i", i);
    }
    assertThat(lines.dropped()).isBetween(all - 1100L, all - 1L);
    stopped.goOn.countDown();
    lines.close();
    assertThat(stopped.of("e ").size() + lines.dropped()).isEqualTo(all);
    assertThat(stopped.of("dropped"))
        .containsExactly("WARNING event=dropped lines=" + lines.dropped());
  }

  @Test
  void valuesStayOnTheirLine() {
    assertThat(StageLog.line("e", "a", "b c", "d", null, "f", "x\n\"y\"\u2028\u0085\u202e", "g", 1))
        .isEqualTo("event=e a=\"b c\" f=\"x \\\"y\\\"   \" g=1");
    assertThat(StageLog.line("e", "a", "x".repeat(100_000)).length()).isLessThan(600);
  }

  @Test
  void reasonsDoNotNameTheTransport() {
    assertThat(
            Transport.reason(
                new io.netty.handler.codec.DecoderException(
                    new SSLHandshakeException("no common protocol"))))
        .isEqualTo("no common protocol");
    assertThat(Transport.reason(new ConnectException("Connection refused")))
        .isEqualTo("Connection refused");
    assertThat(Transport.reason(new ClosedChannelException())).isEqualTo("closed");
    assertThat(Transport.reason(new io.netty.handler.ssl.NotSslRecordException("hex")))
        .isEqualTo("bytes that are not TLS");
  }
}
