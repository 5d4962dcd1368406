package org.hyperslab.tools.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.testkit.ChildJvm;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.TemporaryFolder;
import org.hyperslab.tools.CommandRun;
import org.hyperslab.tools.Main;
import org.hyperslab.tools.command.Streams;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests a staging server as its operator has it: a process, a file of options, a monitor. */
@Timeout(300)
final class StageOperatorTest {

  /** The bytes of a pipe of Linux that nobody reads. */
  private static final int PIPE_BYTES = 64 << 10;

  /** No line of a refused connection has fewer bytes. */
  private static final int SHORTEST_LINE = 64;

  private static final Pattern LINE =
      Pattern.compile("\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z level=[a-z]+ event=[a-z]+( [a-z]+=.*)?");

  private static final String MONITOR =
      """
      import json, re, sys, urllib.request, urllib.error
      base = sys.argv[1]
      def get(path, **more):
          try:
              r = urllib.request.urlopen(urllib.request.Request(base + path, **more), timeout=60)
              return r.status, r.headers['Content-Type'], r.read().decode()
          except urllib.error.HTTPError as e:
              return e.code, e.headers['Content-Type'], e.read().decode()
      code, kind, text = get('/metrics')
      assert code == 200 and kind == 'text/plain; version=0.0.4; charset=utf-8', (code, kind)
      assert re.search(r'^hyperslab_stage_sessions 1$', text, re.M), text
      assert re.search(r'^hyperslab_stage_client_open_files\\{client="job",session="\\d+"\\} 1$', text, re.M), text
      code, kind, text = get('/health')
      assert (code, text) == (200, 'ok\\n'), (code, text)
      code, kind, text = get('/status')
      assert code == 200 and kind == 'application/json', (code, kind)
      assert json.loads(text)['clients'][0]['client'] == 'job', text
      assert 'run.h5' not in text
      assert get('/metrics', data=b'x=1')[0] == 405
      assert get('/status', method='DELETE')[0] == 405
      assert get('/run.h5')[0] == 404
      """;

  private TemporaryFolder folder;

  @BeforeEach
  void start() {
    folder = TemporaryFolder.create("operator");
  }

  @AfterEach
  void stop() {
    folder.close();
  }

  private Path write(String name, String text, String permissions) throws IOException {
    Path file = Files.writeString(folder.file(name), text);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
  }

  private static Process stage(String... arguments) throws IOException {
    List<String> words = new ArrayList<>(List.of("stage"));
    words.addAll(List.of(arguments));
    return new ProcessBuilder(ChildJvm.command(512, Main.class, words.toArray(String[]::new)))
        .start();
  }

  private static String after(String prefix, BufferedReader lines) throws IOException {
    String line = lines.readLine();
    assertThat(line).startsWith(prefix);
    return line.substring(prefix.length());
  }

  @Test
  void aMonitorReadsAndSigtermIsLogged() throws IOException, InterruptedException {
    Path token = write("token", "the-secret\n", "rw-r--r--");
    String options =
        "root = "
            + folder.path().resolve("root")
            + "\nlisten = unix:/not/used\ntoken-file = "
            + token
            + "\nmetrics = 0\n";
    Path config = write("stage.conf", options, "rw-------");
    Process server = stage("--config", config.toString(), "--listen", "127.0.0.1:0");
    try (BufferedReader out = server.inputReader()) {
      String metrics = after("hyperslab stage: metrics at ", out);
      assertThat(metrics).startsWith("127.0.0.1:");
      String ready = after("hyperslab stage: ready at ", out);
      String address = ready.substring(0, ready.indexOf(','));
      assertThat(address).startsWith("127.0.0.1:");
      try (Session session =
              Hdf5.session("forwarding name=job servers=" + address + " tokenFile=" + token);
          H5File file = session.create("run.h5")) {
        file.createDataset("d", new int[] {1});
        Oracle.program("python3").run("-c", MONITOR, "http://" + metrics).orFail();
      }
      try (Session session = Hdf5.session("forwarding reconnect=0 servers=" + address)) {
        assertThat(catchThrowable(() -> session.create("no.h5"))).hasMessageContaining("token");
      }
      server.toHandle().destroy(); // Process.destroy would close the pipes, too
      assertThat(server.waitFor()).isZero();
      List<String> lines = // the class path of tests has no provider of SLF4J
          server.errorReader().lines().filter(line -> !line.startsWith("SLF4J")).toList();
      assertThat(lines.getFirst()).contains("other users may read", "chmod 600 " + token);
      List<String> log = lines.subList(1, lines.size());
      assertThat(log).allMatch(line -> LINE.matcher(line).matches());
      for (String event : List.of("ready", "connected", "ended", "refused", "closing", "closed")) {
        assertThat(log).as(event).filteredOn(line -> line.contains("event=" + event)).hasSize(1);
      }
      assertThat(lines).noneMatch(line -> line.contains("the-secret"));
    } finally {
      server.destroyForcibly();
    }
  }

  @Test
  void standardErrorThatNobodyReadsDelaysNeitherClientsNorTheEnd()
      throws IOException, InterruptedException {
    Path token = write("token", "the-secret\n", "rw-------");
    Path socket = folder.file("socket");
    Process server =
        stage(
            "unix:" + socket,
            "--root",
            folder.path().resolve("root").toString(),
            "--token-file",
            token.toString());
    try (BufferedReader out = server.inputReader()) {
      after("hyperslab stage: ready at ", out);
      for (int i = 0; i < PIPE_BYTES / SHORTEST_LINE; i++) {
        knock(socket);
      }
      try (Session session =
              Hdf5.session("forwarding servers=unix:" + socket + " tokenFile=" + token);
          H5File file = session.create("run.h5")) {
        file.createDataset("d", new int[] {1});
        assertThat(file.dataset("d").read(int[].class)).containsExactly(1);
      }
      server.toHandle().destroy(); // Process.destroy would close the pipes, too
      assertThat(server.waitFor()).isZero();
    } finally {
      server.destroyForcibly();
    }
  }

  /** Sends what is not of the protocol, and waits for the end. */
  private static void knock(Path socket) throws IOException {
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      channel.write(ByteBuffer.allocate(64));
      ByteBuffer answer = ByteBuffer.allocate(1024);
      while (channel.read(answer.clear()) >= 0) {
        // a reason, which is of no interest here
      }
    }
  }

  private void refusesMetricsAt(String address) throws IOException, InterruptedException {
    String root = folder.path().resolve("root").toString();
    Process server = stage("127.0.0.1:0", "--root", root, "--metrics", address);
    try (BufferedReader out = server.inputReader()) {
      assertThat(out.readLine()).as("printed, with metrics at " + address).isNull();
      assertThat(server.waitFor()).isEqualTo(1);
      assertThat(server.errorReader().lines())
          .noneMatch(line -> line.contains("event="))
          .anyMatch(line -> line.contains("--metrics: ") && line.contains(address));
    } finally {
      server.destroyForcibly();
    }
  }

  @Test
  void aServerWhoseMonitorsHaveNoAddressDoesNotStart() throws IOException, InterruptedException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      refusesMetricsAt("127.0.0.1:" + taken.getLocalPort());
    }
    refusesMetricsAt("192.0.2.1:9070"); // of no machine: RFC 5737
    refusesMetricsAt("no-such-host.invalid:9070");
  }

  @Test
  void recoveryOfANameWithoutFileAndJournalFails() throws IOException {
    Path root = Files.createDirectory(folder.path().resolve("root"));
    Hdf5.create(root.resolve("whole.h5")).close();
    Hdf5.create(folder.file("beside.h5")).close();
    for (String name : List.of("gone.h5", "../beside.h5", folder.file("beside.h5").toString())) {
      CommandRun wrong = CommandRun.of("stage", "--root", root.toString(), "--recover", name);
      assertThat(wrong.code()).as(name).isEqualTo(1);
      assertThat(wrong.err()).contains(Path.of(name).getFileName().toString());
    }
    for (String name : List.of("whole.h5", root.toRealPath().resolve("whole.h5").toString())) {
      CommandRun none = CommandRun.of("stage", "--root", root.toString(), "--recover", name);
      assertThat(none.code()).as(none.err()).isZero();
      assertThat(none.out()).contains("whole.h5: no journal");
    }
  }

  @Test
  void mistakesInAFileOfOptionsAreNamed() throws IOException {
    String config = write("c", "lisen = 127.0.0.1:1\n", "rw-------").toString();
    CommandRun wrong = CommandRun.of("stage", "--config", config);
    assertThat(wrong.code()).isNotZero();
    assertThat(wrong.err()).contains("actual=lisen", "did you mean listen", "line 1");
    CommandRun missing = CommandRun.of("stage", "--config", config + "x");
    assertThat(missing.code()).isNotZero();
    assertThat(missing.err()).contains("no such file");
  }

  private static Path release(String name) {
    return Path.of("..", "release", "stage", name);
  }

  @Test
  void theSampleHasOnlyOptions() throws IOException {
    String sample = Files.readString(release("stage.conf")).replaceAll("(?m)^# (?=[a-z-]+ = )", "");
    assertThat(sample).contains("\ntoken-file = ", "\nmetrics = ");
    Path file = write("stage.conf", sample, "rw-------");
    StageCommand command = new StageCommand(new Streams(System.out, System.err));
    picocli.CommandLine line = new picocli.CommandLine(command);
    line.parseArgs();
    OptionsFile.apply(
        file, line, new StageCommand(new Streams(System.out, System.err)), java.util.Set.of());
    assertThat(line.getCommandSpec().findOption("--metrics").<String>getValue())
        .isEqualTo("127.0.0.1:9070");
  }

  @Test
  void systemdAcceptsTheUnit() throws IOException, InterruptedException {
    Path verifier = Path.of("/usr/bin/systemd-analyze");
    assumeTrue(Files.isExecutable(verifier), "systemd");
    String unit =
        Files.readString(release("hyperslab-stage.service"))
            .replace(
                "/opt/hyperslab/hyperslab", Path.of("..", "hyperslab").toRealPath().toString());
    Path file = write("hyperslab-stage.service", unit, "rw-r--r--");
    Process verified =
        new ProcessBuilder(verifier.toString(), "verify", file.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(verified.getInputStream().readAllBytes());
    assertThat(verified.waitFor()).as(said).isZero();
    assertThat(said.lines().filter(line -> line.contains("hyperslab-stage"))).isEmpty();
  }
}
