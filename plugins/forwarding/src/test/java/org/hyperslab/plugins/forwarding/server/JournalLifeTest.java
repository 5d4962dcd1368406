package org.hyperslab.plugins.forwarding.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.Layout;
import org.hyperslab.model.Locking;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.plugins.compacting.options.CompactorOptions;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.TemporaryFolder;
import org.hyperslab.vol.AttributeOperation;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.Connectors;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.PassThroughConnector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests a journal from its first record to its end: acknowledged edits survive every failure. */
@Timeout(300)
final class JournalLifeTest {

  private static final String FILE = "data/promised.h5";

  private TemporaryFolder folder;
  private Path root;
  private Path socket;

  @BeforeEach
  void makeFolder() {
    folder = TemporaryFolder.create("journal");
    root = folder.path().resolve("root");
    socket = folder.file("socket");
  }

  @AfterEach
  void removeFolder() {
    folder.close();
  }

  private Session client(String more) {
    return Hdf5.session(
        "forwarding acknowledge=durable reconnect=0 " + more + " servers=unix:" + socket);
  }

  private StageServer server() {
    return StageServer.start(ServerOptions.of(new Address.Unix(socket.toString()), root));
  }

  /** Returns a file that a killed server has left, with all edits acknowledged as durable. */
  private void promise(int rows) throws IOException, InterruptedException {
    StageChild child = StageChild.start(root, socket);
    try (Session session = client("")) {
      H5File file = session.create(FILE, CreateOptions.DEFAULT);
      Dataset dataset = file.createDataset("d", Datatypes.I32LE, Dataspace.simple(rows));
      for (int i = 0; i < rows; i++) {
        dataset.write(Selection.box(new long[] {i}, new long[] {1}), new int[] {i + 1});
      }
      file.root().setAttribute("state", "old");
      file.root().setAttribute("state", "new and longer");
      child.kill();
    } catch (HyperslabException gone) {
      assertThat(gone.getMessage()).isNotBlank();
    } finally {
      child.kill();
    }
  }

  private static void check(Path path, int rows) {
    try (H5File file = Hdf5.open(path)) {
      int[] found = file.dataset("d").readInts();
      for (int i = 0; i < rows; i++) {
        assertThat(found[i]).as("row %d", i).isEqualTo(i + 1);
      }
      assertThat(file.root().attribute("state").readString()).isEqualTo("new and longer");
      assertThat(file.root().attributeCount()).isEqualTo(1);
    }
  }

  /** Readers could not follow the marker of a journal: the file itself is flushed. */
  @Test
  void swmrWritesAreInTheFileWhenTheyAreAcknowledged() throws Exception {
    Path path = root.resolve(FILE);
    Files.createDirectories(path.getParent());
    OpenOptions swmr = OpenOptions.EDIT.withSwmr(true);
    try (H5File file = Hdf5.create(path, CreateOptions.DEFAULT.withAccess(swmr))) {
      file.datasetBuilder("d")
          .type(Datatypes.I32LE)
          .shape(6)
          .options(DatasetOptions.chunked(2).build())
          .create();
    }
    StageChild child = StageChild.start(root, socket);
    try (Session session = client("")) {
      Dataset dataset = session.open(FILE, swmr).dataset("d");
      for (int i = 0; i < 6; i++) {
        dataset.write(Selection.box(new long[] {i}, new long[] {1}), new int[] {i + 1});
      }
      child.kill();
    } catch (HyperslabException gone) {
      assertThat(gone.getMessage()).isNotBlank();
    } finally {
      child.kill();
    }
    try (H5File file = Hdf5.open(path, OpenOptions.READ.withSwmr(true))) {
      assertThat(file.dataset("d").readInts()).containsExactly(1, 2, 3, 4, 5, 6);
    }
    String read =
        "import sys, h5py\n"
            + "f = h5py.File(sys.argv[1], 'r', libver='latest', swmr=True)\n"
            + "assert f['d'][:].tolist() == [1, 2, 3, 4, 5, 6], f['d'][:]";
    Oracle.h5py().run(read, path.toString()).orFail();
  }

  @Test
  void movedRootKeepsDurableEdits() throws Exception {
    promise(50);
    Path before = root;
    root = Files.move(before, folder.path().resolve("elsewhere"));
    try (StageServer server = server()) {
      assertThat(server.recovered()).contains("operations replayed");
    }
    check(root.resolve(FILE), 50);
    assertThat(journals()).isEmpty();
  }

  @Test
  void journalOfAMissingFileIsKept() throws Exception {
    promise(3);
    Path hidden = Files.move(root.resolve(FILE), root.resolve("hidden.h5"));
    try (StageServer server = server()) {
      assertThat(server.recovered()).contains("set aside").contains(".orphan");
    }
    // The file comes back, and so does its journal.
    Files.move(hidden, root.resolve(FILE));
    for (Path kept : journals()) {
      Files.move(kept, kept.resolveSibling(kept.getFileName().toString().replace(".orphan", "")));
    }
    try (StageServer server = server()) {
      assertThat(server.recovered()).contains("operations replayed");
    }
    check(root.resolve(FILE), 3);
  }

  private List<Path> journals() throws IOException {
    try (Stream<Path> all = Files.list(root.resolve(ConfinedNames.PRIVATE))) {
      return all.filter(path -> path.toString().contains(".journal")).toList();
    }
  }

  /** The limit on the length of files simulates a full disk; raising it simulates free space. */
  @Test
  void durableRecordsAfterAFailedRecordAreReplayed() throws Exception {
    int limit = 1 << 20;
    StageChild child = StageChild.withFilesUpTo(limit, root, socket);
    try (Session session = client("")) {
      H5File file = session.create(FILE, CreateOptions.DEFAULT);
      Dataset dataset = file.createDataset("d", Datatypes.I32LE, Dataspace.simple(150_000));
      dataset.write(new int[150_000]);
      assertThatThrownBy(() -> dataset.write(new int[150_000]))
          .isInstanceOf(StorageException.class)
          .hasMessageContaining("journal");
      child.liftLimit();
      for (int i = 0; i < 10; i++) {
        dataset.write(Selection.box(new long[] {i}, new long[] {1}), new int[] {i + 1});
      }
      file.root().setAttribute("state", "new and longer");
      child.kill();
    } catch (HyperslabException gone) {
      assertThat(gone.getMessage()).isNotBlank();
    } finally {
      child.kill();
    }
    server().close();
    check(root.resolve(FILE), 10);
  }

  @Test
  void aSecondServerOnTheSameRootIsRefusedAndReplaysNothing() throws Exception {
    try (StageServer server = server();
        Session session = client("")) {
      OpenOptions unlocked = OpenOptions.EDIT.withLocking(Locking.OFF);
      H5File file = session.create(FILE, CreateOptions.DEFAULT.withAccess(unlocked));
      Dataset dataset = file.createDataset("d", Datatypes.I32LE, Dataspace.simple(2));
      dataset.write(new int[] {1, 2});
      file.root().setAttribute("state", "new and longer");
      List<Path> live = journals();
      Address other = new Address.Unix(folder.file("other").toString());
      assertThatThrownBy(() -> StageServer.start(ServerOptions.of(other, root)).close())
          .isInstanceOf(StorageException.class)
          .hasMessageContaining("another server");
      assertThat(journals()).isEqualTo(live).hasSize(1);
      assertThat(server.status()).contains("sessions 1");
      file.close();
    }
    check(root.resolve(FILE), 2);
  }

  @Test
  void aServerWhoseAddressIsTakenReplaysNothing() throws Exception {
    promise(2);
    List<Path> left = journals();
    Path otherRoot = folder.path().resolve("other");
    try (StageServer first =
        StageServer.start(ServerOptions.of(new Address.Tcp("127.0.0.1", 0), otherRoot))) {
      assertThatThrownBy(() -> StageServer.start(ServerOptions.of(first.address(), root)).close())
          .isInstanceOf(StorageException.class)
          .hasMessageContaining("address");
      assertThat(journals()).isEqualTo(left);
    }
    server().close();
    check(root.resolve(FILE), 2);
  }

  /** Storage that refuses an operation of a kind a number of times. */
  private static final class Refusing extends PassThroughConnector {
    private final Class<?> kind;
    private final AtomicInteger times;

    Refusing(Connector below, Class<?> kind, int times) {
      super("refusing", below);
      this.kind = kind;
      this.times = new AtomicInteger(times);
    }

    @Override
    public <R> CompletionStage<R> submit(Operation<R> operation) {
      if (kind.isInstance(operation) && times.getAndDecrement() > 0) {
        if (operation instanceof FileOperation.Close) {
          below.submit(operation).toCompletableFuture().join();
        }
        return CompletableFuture.failedFuture(new StorageException("disk: actual=full"));
      }
      return super.submit(operation);
    }
  }

  @Test
  void failedDurableCloseReleasesTheFileAndKeepsDurableEdits() throws Exception {
    for (Class<?> kind : List.of(AttributeOperation.Delete.class, FileOperation.Close.class)) {
      String name = kind.getEnclosingClass().getSimpleName() + ".h5";
      Connector refusing = new Refusing(Connectors.create("native"), kind, 1);
      try (StageServer server =
              StageServer.start(
                  ServerOptions.of(new Address.Unix(socket.toString()), root), refusing);
          Session session = client("")) {
        assertThat(server.recovered()).isEmpty();
        H5File file = session.create(name, CreateOptions.DEFAULT);
        file.createDataset("d", new int[] {1, 2});
        file.root().setAttribute("state", "new and longer");
        assertThatThrownBy(file::close)
            .isInstanceOf(StorageException.class)
            .hasMessageContaining("full");
        try (H5File again = session.open(name, OpenOptions.EDIT)) {
          assertThat(again.dataset("d").readInts()).containsExactly(1, 2);
          again.dataset("d").write(new int[] {1, 2});
        }
        check(root.resolve(name), 2);
        assertThat(journals()).isEmpty();
      }
    }
  }

  /** The failure of the write must not wait for the flush that waits for the write. */
  @Test
  void aRawFileThatCannotBeMadeHoldsUpNothing() {
    Layout missing =
        new Layout.External(List.of(new Layout.External.Segment("missing/folder/raw", 0, 8)));
    for (CompactorOptions merging : List.of(CompactorOptions.DEFAULT, CompactorOptions.OFF)) {
      String name = "raw" + (merging == CompactorOptions.OFF) + ".h5";
      ServerOptions options =
          ServerOptions.of(new Address.Unix(socket.toString()), root)
              .withThreads(2)
              .withCompactor(merging);
      try (StageServer server = StageServer.start(options);
          Session session = client("")) {
        assertThat(server.recovered()).isEmpty();
        H5File file = session.create(name);
        Dataset dataset =
            file.datasetBuilder("e")
                .type(Datatypes.I8LE)
                .shape(8)
                .options(DatasetOptions.builder().layout(missing).build())
                .create();
        CompletableFuture<Void> written = dataset.writeAsync(new byte[8]);
        CompletableFuture<Void> flushed = file.flushAsync();
        assertThatThrownBy(written::join).hasMessageContaining("no such folder");
        flushed.handle((done, alsoToldHere) -> null).join();
        file.createDataset("d", new int[] {1, 2});
        file.root().setAttribute("state", "new and longer");
        file.close();
      }
      check(root.resolve(name), 2);
    }
  }

  @Test
  void staleJournalDoesNotAffectANewFileOfThatName() throws Exception {
    Connector refusing =
        new Refusing(Connectors.create("native"), AttributeOperation.Delete.class, 1);
    try (StageServer server =
            StageServer.start(
                ServerOptions.of(new Address.Unix(socket.toString()), root), refusing);
        Session session = client("")) {
      assertThat(server.recovered()).isEmpty();
      H5File first = session.create(FILE, CreateOptions.DEFAULT);
      first.createDataset("old", new int[] {1});
      assertThatThrownBy(first::close).isInstanceOf(StorageException.class);
      session.create(FILE, CreateOptions.DEFAULT).close();
      assertThat(journals()).isEmpty();
      try (H5File file = session.open(FILE, OpenOptions.READ)) {
        assertThat(file.exists("old")).isFalse();
      }
    }
  }

  @Test
  void filesOfSeveralPartsAreReplayedWithTheirOptions() throws Exception {
    StageChild child = StageChild.start(root, socket);
    OpenOptions family =
        OpenOptions.EDIT
            .withProperty("driver", "family")
            .withProperty("family.memberBytes", "65536");
    int[] values = new int[40_000];
    Arrays.fill(values, 7);
    try (Session session = client("")) {
      H5File file = session.create("part%d.h5", CreateOptions.DEFAULT.withAccess(family));
      file.root().datasetBuilder("d").type(Datatypes.I32LE).shape(40_000).create().write(values);
      child.kill();
    } catch (HyperslabException gone) {
      assertThat(gone.getMessage()).isNotBlank();
    } finally {
      child.kill();
    }
    try (StageServer server = server();
        Session session = client("");
        H5File file = session.open("part%d.h5", family)) {
      assertThat(server.recovered()).contains("operations replayed");
      assertThat(file.dataset("d").readInts()).isEqualTo(values);
    }
  }
}
