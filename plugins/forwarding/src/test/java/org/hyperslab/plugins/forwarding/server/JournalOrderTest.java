package org.hyperslab.plugins.forwarding.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CopyOptions;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.LinkOptions;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.plugins.codec.OperationCodec;
import org.hyperslab.plugins.compacting.CompactingConnector;
import org.hyperslab.plugins.compacting.options.CompactorOptions;
import org.hyperslab.plugins.forwarding.journal.JournalWatch;
import org.hyperslab.plugins.forwarding.journal.JournalingConnector;
import org.hyperslab.plugins.forwarding.journal.SessionRequest;
import org.hyperslab.plugins.forwarding.journal.Underway;
import org.hyperslab.testkit.TemporaryFolder;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.Connectors;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.LinkOperation;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.ObjectOperation;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.PassThroughConnector;
import org.hyperslab.vol.base.Scheduling;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests that whatever is acknowledged as durable is in the journal, and opened in it before it is
 * used, however late the operations before it are answered.
 */
@Timeout(60)
final class JournalOrderTest {

  private static final int SESSION = 1;

  private TemporaryFolder folder;
  private Path root;
  private ExecutorService workers;
  private final Held storage = new Held(Connectors.create("native"));
  private CompactingConnector connector;
  private JournalingConnector journals;
  private final Handle file = handle(1);
  private final List<CompletableFuture<?>> durable = new ArrayList<>();

  @BeforeEach
  void start() throws IOException {
    folder = TemporaryFolder.create("order");
    root = Files.createDirectory(folder.path().resolve("root"));
    workers = Executors.newFixedThreadPool(2);
    connector = new CompactingConnector(storage, CompactorOptions.DEFAULT, 2);
    journals = journals(root);
  }

  @AfterEach
  void stop() {
    storage.release();
    workers.shutdown();
    connector.close();
    folder.close();
  }

  private JournalingConnector journals(Path of) {
    ConfinedNames names = new ConfinedNames(of);
    Path state = names.root().resolve(ConfinedNames.PRIVATE);
    return new JournalingConnector(
        state, names.root(), names::confined, workers, Scheduling.ofJvm(), JournalWatch.NONE);
  }

  /** Storage that can keep an operation until it is told to go on. */
  private static final class Held extends PassThroughConnector {
    private final CountDownLatch released = new CountDownLatch(1);
    private volatile Class<?> kind = Void.class;
    private volatile Class<?> failing = Void.class;

    Held(Connector below) {
      super("held", below);
    }

    void hold(Class<?> operations) {
      kind = operations;
    }

    /** From now on operations of a kind fail; of Void, none. */
    void fail(Class<?> operations) {
      failing = operations;
    }

    void release() {
      kind = Void.class;
      released.countDown();
    }

    @Override
    public <R> CompletionStage<R> submit(Operation<R> operation) {
      if (failing.isInstance(operation)) {
        return CompletableFuture.failedFuture(new StorageException("disk: actual=full"));
      }
      CompletionStage<R> stage = below.submit(operation);
      return kind.isInstance(operation)
          ? CompletableFuture.supplyAsync(
                  () -> {
                    await(released);
                    return stage;
                  })
              .thenCompose(same -> same)
          : stage;
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static Handle handle(long clients) {
    return new Handle(SessionRequest.handle(SESSION, clients));
  }

  /**
   * Submits an operation as a session does: the next one is submitted when this one is over, which
   * may be before its result is known.
   */
  private <R> CompletableFuture<R> submit(
      Operation<R> inClientsTerms, Operation<R> operation, boolean asDurable) {
    Underway<R> underway = started(connector.as(SESSION), inClientsTerms, operation, asDurable);
    underway.over().toCompletableFuture().join();
    CompletableFuture<R> result = underway.result().toCompletableFuture();
    if (asDurable) {
      durable.add(result);
    }
    return result;
  }

  private <R> Underway<R> started(
      Connector by, Operation<R> inClientsTerms, Operation<R> operation, boolean asDurable) {
    return journals.submit(
        operation,
        new SessionRequest(by, SESSION, OperationCodec.encode(inClientsTerms), asDurable));
  }

  private CompletableFuture<?> createFile() {
    return createFile(1, "f.h5");
  }

  private CompletableFuture<?> createFile(int number, String name) {
    return submit(
        new FileOperation.Create(new Handle(number), name, CreateOptions.DEFAULT),
        new FileOperation.Create(
            handle(number), root.resolve(name).toString(), CreateOptions.DEFAULT),
        true);
  }

  private CompletableFuture<?> createDataset(int number, boolean asDurable) {
    return submit(
        creation(new Handle(1), new Handle(number), number),
        creation(file, handle(number), number),
        asDurable);
  }

  /** The creation of a chunked dataset, whose elements are not in the file before a flush. */
  private static DatasetOperation.Create creation(Handle in, Handle dataset, int number) {
    return new DatasetOperation.Create(
        dataset,
        new Location(in, "d" + number),
        new DatasetOperation.Spec(
            Datatypes.I64LE,
            Optional.empty(),
            Dataspace.simple(64),
            DatasetOptions.chunked(7).deflate(1).build()),
        LinkOptions.DEFAULT);
  }

  private CompletableFuture<?> write(int number, long value, boolean asDurable) {
    return submit(writing(new Handle(number), value), writing(handle(number), value), asDurable);
  }

  private static DatasetOperation.Write writing(Handle dataset, long value) {
    MemorySegment elements = Arena.ofAuto().allocate(64 * Long.BYTES, Long.BYTES);
    for (int i = 0; i < 64; i++) {
      elements.setAtIndex(ValueLayout.JAVA_LONG, i, value);
    }
    DatasetOperation.Transfer transfer =
        new DatasetOperation.Transfer(
            Datatypes.I64LE,
            Dataspace.simple(64),
            Selection.all(),
            Selection.box(new long[] {0}, new long[] {64}),
            TransferOptions.DEFAULT);
    return new DatasetOperation.Write(dataset, transfer, DataBuffer.of(elements));
  }

  /**
   * Keeps a thread of the journal busy: what has been appended is forced, but nobody is told until
   * the returned latch is released.
   */
  private CountDownLatch keepCommitsWaiting(int dataset) {
    CountDownLatch release = new CountDownLatch(1);
    CompletableFuture<Void> kept = new CompletableFuture<>();
    while (!kept.isDone()) {
      CompletableFuture<?> written = write(dataset, 1, true);
      CompletableFuture<Void> told = new CompletableFuture<>();
      written.whenComplete((done, failure) -> {
        boolean byTheJournal = Thread.currentThread().getName().equals("hyperslab-journal");
        if (byTheJournal && failure == null) {
          kept.complete(null);
        }
        told.complete(null);
        if (byTheJournal) {
          await(release);
        }
      });
      told.join();
      assertThat(written).isNotCompletedExceptionally();
    }
    return release;
  }

  /** Returns the identity of the journal's file, which another one replaces. */
  private Object journalKey() {
    try (Stream<Path> all = Files.list(root.resolve(ConfinedNames.PRIVATE))) {
      Path journal = all.filter(each -> each.toString().endsWith(".journal")).findAny().get();
      return Files.readAttributes(journal, BasicFileAttributes.class).fileKey();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Replays what a server that is killed now would leave. */
  private void killAndReplay() throws IOException {
    CompletableFuture.allOf(durable.toArray(CompletableFuture[]::new)).join();
    Path copy = folder.path().resolve("copy");
    try (Stream<Path> all = Files.walk(root)) {
      for (Path each : all.toList()) {
        Files.copy(each, copy.resolve(root.relativize(each)), StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
    try (JournalingConnector after = journals(copy);
        Connector plain = Connectors.create("native")) {
      assertThat(after.recover(plain)).contains("replayed").doesNotContain("refused");
    }
  }

  private void requireReplayed(int number, long value) {
    try (H5File found = Hdf5.open(folder.path().resolve("copy/f.h5"))) {
      assertThat(found.dataset("d" + number).readLongs()).containsOnly(value);
      assertThat(found.root().attributeCount()).isZero();
    }
  }

  @Test
  void aWriteIsJournaledThoughTheCreationOfItsDatasetIsNotYetAcknowledged() throws IOException {
    createFile();
    createDataset(2, true);
    CountDownLatch release = keepCommitsWaiting(2);
    createDataset(3, true);
    write(3, 77, true);
    release.countDown();
    killAndReplay();
    requireReplayed(3, 77);
  }

  @Test
  void aJournalThatBeginsAgainKnowsDatasetsWhoseCreationIsNotYetAcknowledged() throws IOException {
    createFile();
    createDataset(2, true);
    CountDownLatch release = keepCommitsWaiting(2);
    createDataset(3, true);
    Object before = journalKey();
    Thread.ofPlatform()
        .start(() -> {
          while (journalKey().equals(before)) {
            Thread.onSpinWait();
          }
          release.countDown(); // the journal has begun again, and waits for the old one's end
        });
    submit(new FileOperation.Flush(new Handle(1)), new FileOperation.Flush(file), true);
    write(3, 78, true);
    killAndReplay();
    requireReplayed(3, 78);
  }

  /** The first durable write begins the journal, while an opening before it is under way. */
  @Test
  void aJournalBeginsAfterTheOpeningsBeforeIt() throws Exception {
    createFile();
    createDataset(2, false);
    submit(new FileOperation.Flush(new Handle(1)), new FileOperation.Flush(file), false);
    storage.hold(ObjectOperation.Open.class);
    Underway<?> opening =
        started(
            storage,
            new ObjectOperation.Open(new Handle(3), new Location(new Handle(1), "d2")),
            new ObjectOperation.Open(handle(3), new Location(file, "d2")),
            false);
    assertThat(opening.over().toCompletableFuture()).isNotDone();
    Underway<?> writing =
        started(storage, writing(new Handle(3), 79), writing(handle(3), 79), true);
    durable.add(writing.result().toCompletableFuture());
    storage.release();
    killAndReplay();
    requireReplayed(2, 79);
  }

  /** A copy between files is flushed, because no journal repeats it; here that fails at first. */
  @Test
  void whatDependsOnAnEditOfTwoFilesIsFlushedWithIt() throws IOException {
    createFile();
    createFile(10, "g.h5");
    createDataset(2, true);
    submit(creation(new Handle(10), new Handle(12), 2), creation(handle(10), handle(12), 2), true);
    storage.fail(FileOperation.Flush.class);
    CompletableFuture<?> copied =
        submit(copy(new Handle(1), new Handle(10)), copy(file, handle(10)), false);
    assertThat(copied).isCompletedExceptionally();
    storage.fail(Void.class);
    submit(move(new Handle(10)), move(handle(10)), true);
    submit(creation(new Handle(10), new Handle(13), 3), creation(handle(10), handle(13), 3), true);
    killAndReplay();
    try (H5File found = Hdf5.open(folder.path().resolve("copy/g.h5"))) {
      assertThat(found.root().names()).containsExactly("d2", "d3", "moved");
    }
  }

  private static ObjectOperation.Copy copy(Handle from, Handle to) {
    return new ObjectOperation.Copy(
        new Location(from, "d2"),
        new Location(to, "copied"),
        CopyOptions.DEFAULT,
        LinkOptions.DEFAULT);
  }

  private static LinkOperation.Move move(Handle in) {
    return new LinkOperation.Move(
        new Location(in, "copied"), new Location(in, "moved"), LinkOptions.DEFAULT);
  }

  /** A dataset that is replaced while its old handle is closed is the one that is written. */
  @Test
  void closingsAreRepeatedInTheirOrder() throws IOException {
    createFile();
    createDataset(2, true);
    submit(new ObjectOperation.Close(new Handle(2)), new ObjectOperation.Close(handle(2)), true);
    submit(
        new LinkOperation.Delete(new Location(new Handle(1), "d2")),
        new LinkOperation.Delete(new Location(file, "d2")),
        true);
    submit(creation(new Handle(1), new Handle(5), 2), creation(file, handle(5), 2), true);
    write(5, 80, true);
    killAndReplay();
    requireReplayed(2, 80);
  }
}
