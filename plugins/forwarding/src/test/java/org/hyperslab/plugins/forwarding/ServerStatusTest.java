package org.hyperslab.plugins.forwarding;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.TemporaryFolder;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.Connectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests what a server tells its operator: values for programs, and lines of its log. */
@Timeout(120)
final class ServerStatusTest {

  private TemporaryFolder folder;
  private final List<String> lines = new java.util.concurrent.CopyOnWriteArrayList<>();
  private final Handler listener =
      new Handler() {
        @Override
        public void publish(LogRecord entry) {
          lines.add(entry.getLevel() + " " + entry.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void start() {
    folder = TemporaryFolder.create("status");
    Logger.getLogger(StageLog.NAME).addHandler(listener);
  }

  @AfterEach
  void stop() {
    Logger.getLogger(StageLog.NAME).removeHandler(listener);
    folder.close();
  }

  private ServerOptions options() {
    return ServerOptions.of(
        new Address.Unix(folder.file("socket").toString()), folder.path().resolve("root"));
  }

  @Test
  void valuesAreForPrograms() throws IOException, InterruptedException {
    try (StageServer server = StageServer.start(options());
        Session session = Hdf5.session("forwarding name=a\"b servers=" + server.address())) {
      session.create("f.h5").createDataset("d", new int[] {1});
      String asked;
      try (Connector asking =
          Connectors.create("forwarding observe=true servers=" + server.address())) {
        asked = Connectors.find(asking, ForwardingConnector.class).orElseThrow().statusJson();
      }
      String read =
          "import json, sys\n"
              + "s = json.loads(sys.argv[1])\n"
              + "assert s['sessions'] == 1 and s['slow'] == [], s\n"
              + "c = s['clients'][0]\n"
              + "assert c['requests_total'] > 1 and c['open_files'] == 1 and not c['away'], c";
      Oracle.h5py().run(read, asked).orFail();
      assertThat(server.metrics())
          .contains("# TYPE hyperslab_stage_sessions gauge\nhyperslab_stage_sessions 1\n")
          .containsPattern("hyperslab_stage_client_requests_total\\{client=.*,session=\"\\d+\"} \\d");
      assertThat(server.stuck()).isEmpty();
    }
  }

  @Test
  void theLogNamesWhatHappens() {
    ServerOptions secured =
        options().withSecrets(java.util.Optional.of("the secret"), java.util.Optional.empty());
    try (StageServer server = StageServer.start(secured)) {
      try (Session session = Hdf5.session("forwarding reconnect=0 servers=" + server.address())) {
        assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> session.create("f.h5")))
            .hasMessageContaining("token");
      }
      Polling.until(() -> lines.stream().anyMatch(line -> line.contains("refused")));
    }
    assertThat(lines)
        .anyMatch(line -> line.startsWith("INFO event=ready address=unix:"))
        .anyMatch(line -> line.startsWith("WARNING event=refused reason=\"token: actual=none"))
        .anyMatch(line -> line.equals("INFO event=closing sessions=0"))
        .anyMatch(line -> line.equals("INFO event=closed"))
        .noneMatch(line -> line.contains("the secret"));
  }

  @Test
  void valuesStayOnTheirLine() {
    assertThat(StageLog.line("e", "a", "b c", "d", null, "f", "x\n\"y\"", "g", 1))
        .isEqualTo("event=e a=\"b c\" f=\"x \\\"y\\\"\" g=1");
  }

  @Test
  void reasonsDoNotNameTheTransport() {
    assertThat(
            Transport.reason(
                new io.netty.handler.codec.DecoderException(
                    new javax.net.ssl.SSLHandshakeException("no common protocol"))))
        .isEqualTo("no common protocol");
    assertThat(Transport.reason(new ConnectException("Connection refused")))
        .isEqualTo("Connection refused");
    assertThat(Transport.reason(new ClosedChannelException())).isEqualTo("closed");
    assertThat(Transport.reason(new io.netty.handler.ssl.NotSslRecordException("hex")))
        .isEqualTo("bytes that are not TLS");
  }
}
