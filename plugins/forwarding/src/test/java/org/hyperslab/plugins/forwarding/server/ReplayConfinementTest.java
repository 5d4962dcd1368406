package org.hyperslab.plugins.forwarding.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.Layout;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.testkit.TemporaryFolder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that the replay of a journal refuses what the client was refused, and forged records. */
@Timeout(120)
final class ReplayConfinementTest {

  private static final byte[] SECRET = "secret".getBytes(StandardCharsets.US_ASCII);

  private TemporaryFolder folder;
  private Path root;
  private Path outsideRaw;
  private Path outsideFile;

  @BeforeEach
  void plant() throws IOException {
    folder = TemporaryFolder.create("replayed");
    root = folder.path().resolve("root");
    Path outside = Files.createDirectories(folder.path().resolve("outside"));
    outsideRaw = Files.write(outside.resolve("secret.txt"), SECRET);
    outsideFile = outside.resolve("other.h5");
    try (H5File file = Hdf5.create(outsideFile)) {
      file.createDataset("d", new int[] {7});
    }
  }

  @AfterEach
  void remove() {
    folder.close();
  }

  private static void refused(Runnable attempt) {
    assertThatThrownBy(attempt::run).isInstanceOf(HyperslabException.class);
  }

  /** A server that is killed with a journal in which refused operations were asked for. */
  private void attackAndKill() throws IOException, InterruptedException {
    Path socket = folder.file("socket");
    StageChild child = StageChild.start(root, socket);
    String client = "forwarding acknowledge=durable reconnect=0 servers=unix:" + socket;
    try (Session session = Hdf5.session(client)) {
      H5File file = session.create("file.h5", CreateOptions.DEFAULT);
      file.createDataset("kept", new int[] {1, 2, 3});
      Layout raw =
          new Layout.External(List.of(new Layout.External.Segment("../outside/secret.txt", 0, 4)));
      DatasetOptions options = DatasetOptions.builder().layout(raw).build();
      file.root().datasetBuilder("raw").type(Datatypes.U8LE).shape(4).options(options).create();
      refused(() -> file.dataset("raw").write(new byte[] {1, 2, 3, 4}));
      file.root().createExternalLink("out", "../outside/other.h5", "/");
      refused(() -> file.root().createGroup("out/new"));
      refused(() -> file.root().delete("out/d"));
      file.createDataset("after", new int[] {4});
      child.kill();
    } catch (HyperslabException gone) {
      assertThat(Files.exists(root.resolve("file.h5"))).isTrue();
    }
  }

  private StageServer restart() {
    return StageServer.start(ServerOptions.of(new Address.Tcp("127.0.0.1", 0), root));
  }

  private Path journal() throws IOException {
    try (Stream<Path> all = Files.list(root.resolve(ConfinedNames.PRIVATE))) {
      return all.filter(path -> path.toString().endsWith(".journal")).findFirst().orElseThrow();
    }
  }

  private void assertNothingOutsideIsTouched() throws IOException {
    assertThat(outsideRaw).hasBinaryContent(SECRET);
    try (H5File file = Hdf5.open(outsideFile)) {
      assertThat(file.root().exists("new")).isFalse();
      assertThat(file.dataset("d").read(int[].class)).containsExactly(7);
    }
  }

  @Test
  void refusedOperationsAreNotReplayed() throws IOException, InterruptedException {
    attackAndKill();
    try (StageServer server = restart()) {
      assertThat(server.recovered()).contains("replayed");
    }
    assertNothingOutsideIsTouched();
    try (H5File file = Hdf5.open(root.resolve("file.h5"))) {
      assertThat(file.dataset("kept").read(int[].class)).containsExactly(1, 2, 3);
      assertThat(file.dataset("after").read(int[].class)).containsExactly(4);
    }
  }

  @Test
  void aJournalOfAnotherServerIsSetAside() throws IOException, InterruptedException {
    attackAndKill();
    Path forged = journal();
    byte[] content = Files.readAllBytes(forged);
    // What a client could know of a server's folder is a journal, but not the key beside it.
    Files.delete(forged.resolveSibling("key"));
    try (StageServer server = restart()) {
      assertThat(server.recovered()).contains("not replayed", "set aside");
    }
    assertThat(forged).doesNotExist();
    assertThat(forged.resolveSibling(forged.getFileName() + ".refused")).hasBinaryContent(content);
    assertNothingOutsideIsTouched();
  }

  @Test
  void aKeyThatOthersMayReadIsRefused() throws IOException {
    restart().close();
    Path key = root.resolve(ConfinedNames.PRIVATE).resolve("key");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
        .isEqualTo("rw-------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key.getParent())))
        .isEqualTo("rwx------");
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
    assertThatThrownBy(this::restart)
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("rw-r--r--")
        .hasMessageContaining("chmod 600");
  }

  @Test
  void aStateFolderThatIsALinkIsRefused() throws IOException {
    Files.createDirectories(root);
    Files.createSymbolicLink(root.resolve(ConfinedNames.PRIVATE), outsideRaw.getParent());
    assertThatThrownBy(this::restart)
        .isInstanceOf(HyperslabException.class)
        .hasMessageContaining("symbolic link");
    assertThat(outsideRaw.resolveSibling("key")).doesNotExist();
  }
}
