package org.hyperslab.plugins.forwarding.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.StorageException;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.plugins.forwarding.server.FailingStorage;
import org.hyperslab.plugins.forwarding.server.ServerOptions;
import org.hyperslab.plugins.forwarding.server.StageChild;
import org.hyperslab.plugins.forwarding.server.StageServer;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.TemporaryFolder;
import org.hyperslab.vol.Connectors;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.base.Scheduling;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that each file recovers alone, and that creation is durable. */
@Timeout(120)
final class RecoveryOfEachFileTest {

  private TemporaryFolder folder;
  private Path root;
  private Path socket;

  @BeforeEach
  void makeFolder() {
    folder = TemporaryFolder.create("each");
    root = folder.path().resolve("root");
    socket = folder.file("socket");
  }

  @AfterEach
  void removeFolder() {
    folder.close();
  }

  private ServerOptions options() {
    return ServerOptions.of(new Address.Unix(socket.toString()), root);
  }

  private Session client() {
    return Hdf5.session("forwarding acknowledge=durable reconnect=0 servers=unix:" + socket);
  }

  private List<Path> state() throws IOException {
    try (Stream<Path> all = Files.list(root.resolve(StageChild.STATE))) {
      return all.filter(path -> !List.of("key", "lock").contains(path.getFileName().toString()))
          .toList();
    }
  }

  /** Leaves two files with durable edits that are in their journals only. */
  private void promise() throws IOException, InterruptedException {
    StageChild child = StageChild.start(root, socket);
    try (Session session = client()) {
      H5File first = session.create("first.h5");
      H5File second = session.create("second.h5");
      first.createDataset("d", new int[] {1, 2, 3});
      second.createDataset("d", new int[] {4, 5, 6});
      child.kill();
    } catch (HyperslabException gone) {
      assertThat(gone.getMessage()).isNotBlank();
    } finally {
      child.kill();
    }
  }

  private void requireSecond(Session session) {
    try (H5File file = session.open("second.h5")) {
      assertThat(file.dataset("d").readInts()).containsExactly(4, 5, 6);
    }
  }

  @Test
  void aDurableCreationSurvivesAKill() throws Exception {
    StageChild child = StageChild.start(root, socket);
    try (Session session = client()) {
      session.create("new/deep/c.h5");
      child.kill();
    } catch (HyperslabException gone) {
      assertThat(gone.getMessage()).isNotBlank();
    } finally {
      child.kill();
    }
    Path created = root.resolve("new/deep/c.h5");
    assertThat(Files.size(created)).isPositive();
    assertThat(Oracle.h5dump().run(created.toString()).toString()).contains("GROUP");
  }

  @Test
  void aFileThatCannotBeOpenedIsReportedAndTheOthersAreServed() throws Exception {
    promise();
    byte[] whole = Files.readAllBytes(root.resolve("first.h5"));
    Files.write(root.resolve("first.h5"), new byte[100]);
    try (StageServer server = StageServer.start(options());
        Session session = client()) {
      assertThat(server.recovered())
          .contains("first.h5", "not replayed, and kept")
          .contains("second.h5: 3 operations replayed");
      requireSecond(session);
      assertThatThrownBy(() -> session.open("first.h5")).isInstanceOf(CorruptFileException.class);
      // As when a backup is put back: what was acknowledged is replayed then.
      Files.write(root.resolve("first.h5"), whole);
      try (H5File file = session.open("first.h5")) {
        assertThat(file.dataset("d").readInts()).containsExactly(1, 2, 3);
      }
      assertThat(state()).isEmpty();
    }
  }

  @Test
  void aFileThatAnotherProgramHasLockedIsReplayedLater() throws Exception {
    promise();
    H5File reader = Hdf5.open(root.resolve("first.h5"));
    try (StageServer server = StageServer.start(options());
        Session session = client()) {
      assertThat(server.recovered()).contains("first.h5", "kept", "lock");
      requireSecond(session);
      assertThatThrownBy(() -> session.open("first.h5"))
          .isInstanceOf(StorageException.class)
          .hasMessageContaining("lock");
      reader.close();
      try (H5File file = session.open("first.h5")) {
        assertThat(file.dataset("d").readInts()).containsExactly(1, 2, 3);
      }
    }
  }

  @Test
  void aReplayThatStorageEndsChangesNothingAndIsRepeated() throws Exception {
    promise();
    FailingStorage storage = new FailingStorage(Connectors.create("native"));
    storage.fail(DatasetOperation.Create.class, FailingStorage.Way.AT_ONCE);
    try (StageServer server = StageServer.start(options(), storage);
        Session session = client()) {
      assertThat(server.recovered()).contains("first.h5", "second.h5", "kept", "full");
      assertThatThrownBy(() -> session.open("first.h5")).isInstanceOf(StorageException.class);
      try (H5File file = Hdf5.open(root.resolve("first.h5"))) {
        assertThat(file.exists("d")).isFalse();
        assertThat(file.root().attributeCount()).as("the marker").isOne();
      }
      storage.heal();
      try (H5File file = session.open("first.h5", OpenOptions.EDIT)) {
        assertThat(file.dataset("d").readInts()).containsExactly(1, 2, 3);
        assertThat(file.root().attributeCount()).isZero();
      }
      requireSecond(session);
    }
  }

  @Test
  void anEmptyFileOfAnUnfinishedCreationIsNoObstacle() throws Exception {
    try (StageServer server = StageServer.start(options())) {
      assertThat(server.recovered()).isEmpty();
    }
    JournalFolder journals = new JournalFolder(root.resolve(StageChild.STATE), root);
    FileHandles book = new FileHandles(root.resolve("empty.h5").toString(), Runnable::run);
    book.opened(org.hyperslab.vol.Handle.fresh(), OpenOptions.EDIT);
    // As a crash leaves it between the start of the journal and the first flush of the file.
    FileJournal.start(
        journals,
        JournalKey.of(journals.path()),
        book,
        new Steps(Runnable::run, Scheduling.ofJvm()),
        new FailingStorage(Connectors.create("native")) {
          @Override
          public <R> java.util.concurrent.CompletionStage<R> submit(
              org.hyperslab.vol.Operation<R> operation) {
            return new java.util.concurrent.CompletableFuture<>();
          }
        });
    journals.close();
    Files.createFile(root.resolve("empty.h5"));
    Files.createFile(root.resolve(StageChild.STATE).resolve("x.journal.new"));
    assertThat(state()).hasSize(2);
    try (StageServer server = StageServer.start(options());
        Session session = client()) {
      assertThat(server.recovered()).contains("empty.h5: empty, and nothing in it");
      assertThat(state()).isEmpty();
      session.create("empty.h5").close();
      session.open("empty.h5").close();
    }
  }
}
