package org.hyperslab.plugins.forwarding.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.StorageException;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.testkit.TemporaryFolder;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.Connectors;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.PassThroughConnector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests that a file whose journal was lost is not served as if nothing was missing, and that the
 * operator is told what became of every journal.
 */
@Timeout(120)
final class MissingJournalTest {

  private final RecordedLog log = new RecordedLog();
  private TemporaryFolder folder;
  private Path root;
  private Path socket;

  @BeforeEach
  void makeFolder() {
    folder = TemporaryFolder.create("missing");
    root = folder.path().resolve("root");
    socket = folder.file("socket");
  }

  @AfterEach
  void removeFolder() {
    folder.close();
  }

  private ServerOptions options() {
    return options(root).withLog(log);
  }

  private ServerOptions options(Path of) {
    return ServerOptions.of(new Address.Unix(socket.toString()), of);
  }

  private Session client() {
    return Hdf5.session("forwarding acknowledge=durable reconnect=0 servers=unix:" + socket);
  }

  /** Leaves a file with a durable edit that is in its journal only, and returns the journal. */
  private Path promise() throws IOException, InterruptedException {
    StageChild child = StageChild.start(root, socket);
    try (Session session = client()) {
      H5File file = session.create("in/f.h5");
      file.createDataset("d", new int[] {1, 2, 3});
      child.kill();
    } catch (HyperslabException gone) {
      assertThat(gone.getMessage()).isNotBlank();
    } finally {
      child.kill();
    }
    return journal();
  }

  private Path journal() throws IOException {
    try (Stream<Path> all = Files.list(root.resolve(ConfinedNames.PRIVATE))) {
      return all.filter(path -> path.toString().endsWith(".journal")).findFirst().orElseThrow();
    }
  }

  private static void requireRefused(Session session, String hint) {
    for (OpenOptions how : List.of(OpenOptions.READ, OpenOptions.EDIT)) {
      assertThatThrownBy(() -> session.open("in/f.h5", how))
          .isInstanceOf(CorruptFileException.class)
          .hasMessageContaining("journal")
          .hasMessageContaining(hint)
          .hasMessageContaining("--recover in/f.h5");
    }
  }

  @Test
  void aFileWithoutItsJournalIsRefusedUntilItsEditsAreGivenUp() throws Exception {
    Files.delete(promise());
    try (StageServer server = StageServer.start(options());
        Session session = client()) {
      assertThat(server.recovered()).isEmpty();
      assertThat(server.status()).doesNotContain("warning");
      requireRefused(session, "missing");
      requireRefused(session, "missing");
      session.create("other.h5").close();
      assertThat(server.status()).contains("warning: files not served").contains(": 1\n");
      assertThat(server.metrics()).contains("\nhyperslab_stage_withheld_files 1\n");
      assertThat(server.statusJson()).contains("\"withheld_files\":1");
    }
    assertThat(log.of("withheld")).hasSize(1);
    assertThat(log.of("withheld").getFirst()).startsWith("WARNING").contains("in/f.h5", "missing");
    try (H5File file = Hdf5.open(root.resolve("in/f.h5"))) {
      assertThat(file.root().hasAttribute(".hyperslab.journal")).isTrue();
    }
    assertThat(StageServer.recover(options(), "in/f.h5")).contains("missing", "without the edits");
    assertThat(StageServer.recover(options(), "in/f.h5")).endsWith("no journal");
    try (StageServer server = StageServer.start(options());
        Session session = client();
        H5File file = session.open("in/f.h5", OpenOptions.EDIT)) {
      assertThat(file.exists("d")).isFalse();
      assertThat(file.root().attributeCount()).isZero();
      file.createDataset("e", 1);
      assertThat(server.status()).doesNotContain("warning");
    }
  }

  @Test
  void aJournalThatIsPutBackIsReplayedAndTold() throws Exception {
    Path journal = promise();
    Path away = Files.move(journal, folder.path().resolve("away"));
    try (StageServer server = StageServer.start(options());
        Session session = client()) {
      requireRefused(session, "missing");
      Files.move(away, journal);
      try (H5File file = session.open("in/f.h5")) {
        assertThat(file.dataset("d").readInts()).containsExactly(1, 2, 3);
      }
      assertThat(server.status()).doesNotContain("warning");
    }
    assertThat(log.of("recovered"))
        .containsExactly("DEBUG event=recovered report=\"in/f.h5: 3 operations replayed\"");
  }

  /** As when the folder of the files was not mounted when the server was started. */
  @Test
  void aJournalThatWasSetAsideWhileItsFileWasMissingIsTheFilesAgain() throws Exception {
    Path journal = promise();
    Path hidden = Files.move(root.resolve("in"), folder.path().resolve("hidden"));
    try (StageServer server = StageServer.start(options());
        Session session = client()) {
      assertThat(server.recovered()).contains("set aside").contains(".orphan");
      Files.move(hidden, root.resolve("in"));
      requireRefused(session, "set aside as " + journal.getFileName() + ".orphan");
    }
    assertThat(StageServer.recover(options(), "in/f.h5")).contains("3 operations replayed");
    try (H5File file = Hdf5.open(root.resolve("in/f.h5"))) {
      assertThat(file.dataset("d").readInts()).containsExactly(1, 2, 3);
    }
  }

  @Test
  void aJournalThatIsNotAuthenticIsNotPassedOver() throws Exception {
    Path journal = promise();
    Files.delete(journal.resolveSibling("key"));
    try (StageServer server = StageServer.start(options());
        Session session = client()) {
      assertThat(server.recovered()).contains("set aside").contains(".refused");
      assertThat(server.status()).contains("warning: files not served");
      requireRefused(session, "set aside as " + journal.getFileName() + ".refused");
      session.create("in/f.h5").close(); // gives all of it up
      session.open("in/f.h5").close();
      assertThat(server.status()).doesNotContain("warning");
    }
    assertThat(log.of("recovered")).hasSize(1);
    assertThat(log.of("recovered").getFirst()).startsWith("WARNING");
  }

  @Test
  void aFileThatIsOpenedThroughALinkHasTheSameJournal() throws Exception {
    promise();
    Files.createSymbolicLink(root.resolve("link.h5"), Path.of("in/f.h5"));
    try (StageServer server = StageServer.start(options());
        Session session = client();
        H5File file = session.open("in/f.h5", OpenOptions.EDIT)) {
      assertThat(server.recovered()).contains("in/f.h5: 3 operations replayed");
      file.createDataset("e", 4);
      try (H5File link = session.open("link.h5", OpenOptions.EDIT)) {
        assertThat(link.dataset("e").readInt()).isEqualTo(4);
        link.dataset("e").write(5);
      }
      assertThat(file.dataset("e").readInt()).isEqualTo(5);
      try (Stream<Path> all = Files.list(root.resolve(ConfinedNames.PRIVATE))) {
        assertThat(all.filter(path -> path.toString().endsWith(".journal"))).hasSize(1);
      }
    }
  }

  /** Storage that does a flush when it is told to, and says that it has failed. */
  private static final class LyingStorage extends PassThroughConnector {
    private volatile boolean lies;

    LyingStorage(Connector below) {
      super("lying", below);
    }

    @Override
    public <R> CompletionStage<R> submit(Operation<R> operation) {
      CompletionStage<R> done = below.submit(operation);
      return lies && operation instanceof FileOperation.Flush
          ? done.thenApply(flushed -> {
            throw new StorageException("disk: actual=gone, expected=there");
          })
          : done;
    }
  }

  /** The marker can be on storage though the flush that put it there failed. */
  @Test
  void aJournalThatCouldNotBeStartedIsNotMissed() throws Exception {
    LyingStorage storage = new LyingStorage(Connectors.create("native"));
    Path copy = folder.path().resolve("copy");
    try (StageServer server = StageServer.start(options(), storage);
        Session session = client()) {
      assertThat(server.recovered()).isEmpty();
      H5File file = session.create("f.h5");
      storage.lies = true;
      assertThatThrownBy(() -> file.createDataset("d", 1)).isInstanceOf(StorageException.class);
      storage.lies = false;
      // As a crash would leave it now.
      Files.createDirectories(copy.resolve(ConfinedNames.PRIVATE));
      Files.copy(root.resolve("f.h5"), copy.resolve("f.h5"));
      try (Stream<Path> all = Files.list(root.resolve(ConfinedNames.PRIVATE))) {
        for (Path each : all.toList()) {
          Files.copy(each, copy.resolve(ConfinedNames.PRIVATE).resolve(each.getFileName()));
        }
      }
      file.close();
      session.open("f.h5", OpenOptions.EDIT).close();
    }
    try (H5File file = Hdf5.open(copy.resolve("f.h5"))) {
      assertThat(file.root().hasAttribute(".hyperslab.journal")).isTrue();
    }
    try (StageServer server = StageServer.start(options(copy).withLog(log));
        Session session = client();
        H5File file = session.open("f.h5", OpenOptions.EDIT)) {
      assertThat(server.recovered()).contains("0 operations replayed");
      assertThat(file.root().attributeCount()).isZero();
    }
  }
}
