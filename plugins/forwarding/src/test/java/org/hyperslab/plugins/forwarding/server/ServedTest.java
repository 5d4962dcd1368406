package org.hyperslab.plugins.forwarding.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.plugins.forwarding.client.ForwardingConnector;
import org.hyperslab.testkit.TemporaryFolder;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.Connectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests which clients a server accepts, their limits and errors, and access to the socket. */
@Timeout(120)
final class ServedTest {

  private static final long MIB = 1 << 20;

  private TemporaryFolder folder;
  private Path root;

  @BeforeEach
  void makeFolder() {
    folder = TemporaryFolder.create("served");
    root = folder.path().resolve("root");
  }

  @AfterEach
  void removeFolder() {
    folder.close();
  }

  private ServerOptions options() {
    return ServerOptions.of(new Address.Tcp("127.0.0.1", 0), root);
  }

  private static String messages(Supplier<?> refused) {
    StringBuilder all = new StringBuilder();
    try {
      assertThat(refused.get()).as("what should be refused").isNull();
    } catch (HyperslabException failure) {
      for (Throwable next = failure; next != null; next = next.getCause()) {
        all.append(next).append('\n');
      }
    }
    return all.toString();
  }

  private static String status(StageServer server) {
    try (Connector asking =
        Connectors.create("forwarding observe=true servers=" + server.address())) {
      return Connectors.find(asking, ForwardingConnector.class).orElseThrow().status();
    }
  }

  @Test
  void severalThreadsMayAskForTheStatusAtOnce() throws Exception {
    try (StageServer server = StageServer.start(options());
        Connector asking =
            Connectors.create("forwarding observe=true servers=" + server.address())) {
      ForwardingConnector client = Connectors.find(asking, ForwardingConnector.class).orElseThrow();
      List<Callable<String>> questions = Collections.nCopies(200, client::status);
      try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
        for (Future<String> answer : threads.invokeAll(questions)) {
          assertThat(answer.get()).contains("sessions 0");
        }
      }
    }
  }

  @Test
  void anEmptyTokenIsRefused() throws IOException {
    for (String empty : List.of("", " \n")) {
      assertThatThrownBy(() -> options().withSecrets(Optional.of(empty), Optional.empty()))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("token: actual=empty");
    }
    Path file = Files.writeString(folder.file("token"), "\n");
    try (StageServer server = StageServer.start(options())) {
      assertThatThrownBy(() ->
              Connectors.create("forwarding tokenFile=" + file + " servers=" + server.address())
                  .close())
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("token: actual=empty");
    }
  }

  @Test
  void clientNamesCannotContainTerminalControlCharacters() {
    String name = "me\u001B[2J\u202Eyou\r\u0085\u2028x";
    try (StageServer server = StageServer.start(options());
        Session session =
            Hdf5.session("forwarding name=\"" + name + "\" servers=" + server.address());
        H5File file = session.create("a.h5", CreateOptions.DEFAULT)) {
      file.createDataset("d", new int[] {1});
      assertThat(status(server)).contains("me?[2J?you").doesNotContain("\u001B", "\u202E", "\r");
    }
  }

  @Test
  void errorsAndTheStatusRevealNoPathsOrProcesses() throws IOException {
    try (StageServer server = StageServer.start(options());
        Session session = Hdf5.session("forwarding servers=" + server.address());
        H5File mine = session.create("mine.h5", CreateOptions.DEFAULT)) {
      Files.write(root.resolve("corrupt.h5"), new byte[100]);
      Files.createDirectories(root.resolve("folder"));
      try (H5File locked = Hdf5.create(root.resolve("locked.h5"))) {
        locked.createDataset("d", new int[] {1});
        List<String> told = new ArrayList<>();
        for (String name : List.of("none.h5", "corrupt.h5", "folder", "locked.h5", "../x.h5")) {
          told.add(messages(() -> session.open(name, OpenOptions.EDIT)));
        }
        told.add(messages(() -> session.create("corrupt.h5/x.h5", CreateOptions.DEFAULT)));
        told.add(messages(() -> mine.dataset("absent")));
        told.add(status(server));
        assertThat(told)
            .allSatisfy(text ->
                assertThat(text)
                    .isNotEmpty()
                    .doesNotContain(root.toString())
                    .doesNotContainPattern("\\b" + ProcessHandle.current().pid() + "\\b"));
      }
    }
  }

  @Test
  void unixSocketIsAccessibleOnlyToItsUser() throws IOException {
    Path socket = folder.file("socket");
    ServerOptions options = ServerOptions.of(new Address.Unix(socket.toString()), root);
    try (StageServer server = StageServer.start(options)) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
          .isEqualTo("rw-------");
      assertThat(status(server)).contains("sessions").doesNotContain(socket.toString());
      assertThatThrownBy(() -> StageServer.start(options).close())
          .isInstanceOf(HyperslabException.class);
      assertThat(status(server)).as("after another has tried the same").contains("sessions");
    }
    assertThat(socket).doesNotExist();
  }

  @Test
  void existingFileAtTheSocketPathIsKept() throws IOException {
    Path file = Files.writeString(folder.file("precious"), "text");
    Path link = Files.createSymbolicLink(folder.file("link"), file);
    for (Path taken : List.of(file, link)) {
      assertThatThrownBy(() ->
              StageServer.start(ServerOptions.of(new Address.Unix(taken.toString()), root)).close())
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("not a socket");
    }
    assertThat(file).hasContent("text");
    assertThat(link).isSymbolicLink();
  }

  @Test
  void sixtyFourClientsWorkOnOneGibibyte() {
    List<AutoCloseable> open = new ArrayList<>();
    try (StageServer server = StageServer.start(options())) {
      for (int i = 0; i < 64; i++) {
        Session session = Hdf5.session("forwarding servers=" + server.address());
        H5File file = session.create("f" + i + ".h5", CreateOptions.DEFAULT);
        file.createDataset("d", new int[] {i});
        assertThat(file.dataset("d").read(int[].class)).containsExactly(i);
        open.add(file);
        open.add(session);
      }
      assertThat(status(server)).contains("sessions 64");
      closeAll(open);
    }
  }

  private static void closeAll(List<AutoCloseable> open) {
    for (AutoCloseable each : open) {
      try {
        each.close();
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
  }

  @Test
  void statusIsAnsweredWhenAllMemoryIsGranted() {
    List<AutoCloseable> open = new ArrayList<>();
    try (StageServer server = StageServer.start(options().withMemory(5 * MIB, MIB))) {
      for (int i = 0; i < 2; i++) {
        Session session = Hdf5.session("forwarding servers=" + server.address());
        open.add(session.create("f" + i + ".h5", CreateOptions.DEFAULT));
        open.add(session);
      }
      String refusal =
          messages(() ->
              Hdf5.session("forwarding servers=" + server.address())
                  .create("more.h5", CreateOptions.DEFAULT));
      assertThat(refusal).contains("memory of the server is in use");
      assertThat(status(server)).contains("sessions 2", "memory granted");
      closeAll(open);
    }
  }

  @Test
  void statusClientsCannotSubmitOperations() {
    try (StageServer server = StageServer.start(options());
        Session observer = Hdf5.session("forwarding observe=true servers=" + server.address())) {
      assertThat(messages(() -> observer.create("x.h5", CreateOptions.DEFAULT)))
          .contains("observer");
    }
  }

  @Test
  void grantOfAKilledLocalClientIsReleasedSoon() throws Exception {
    try (StageServer server =
        StageServer.start(options().withMemory(4 * MIB, MIB).withGrace(Duration.ofHours(1)))) {
      Process client =
          new ProcessBuilder(StageChild.command(ClientChild.class, server.address().toString()))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      assertThat(client.getInputStream().read()).isNotNegative();
      assertThat(server.status()).contains("sessions 1");
      client.destroyForcibly().waitFor();
      Polling.until(() -> server.status().contains("memory granted 0 of"));
      assertThat(server.status()).contains("sessions 0");
    }
  }
}
