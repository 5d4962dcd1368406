package org.hyperslab.plugins.forwarding.journal;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.vol.AttributeOperation;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.LinkOperation;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.ObjectOperation;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.StepOperation;
import org.hyperslab.vol.base.Scheduling;

/**
 * Journals the edits of a connector's files. A file's journal begins with the first operation that
 * asks for durability, and ends when the file's last handle is closed.
 *
 * <p>What a journal promises rests on four rules:
 *
 * <ul>
 *   <li>A handle belongs to its file from the moment at which the operation that opens it is
 *       submitted, so that nothing that names the handle can pass the file's order and journal.
 *   <li>An edit of a file with a journal is appended and handed to the connector before the next
 *       one is, so the order of the records is the order in which the edits are carried out.
 *   <li>An operation is over, and the next one may start, only when the handles that it opens or
 *       closes are recorded. Whatever an edit names is therefore opened by a record before the
 *       edit's, also if the journal begins or begins again between the two. For the same reason an
 *       opening is over before a journal begins.
 *   <li>An edit is acknowledged as durable only when its record, and with it all before it, is on
 *       storage.
 * </ul>
 *
 * <p>A replay in that order therefore refuses nothing that was accepted.
 *
 * <p>Thread rule: any thread.
 */
public final class JournalingConnector implements AutoCloseable {

  /** The property with which closing drops edits; not for clients, whose edits are promised. */
  public static final String DROP_UNFLUSHED = "dropUnflushed";

  private final JournalFolder folder;
  private final JournalKey key;
  private final UnaryOperator<Operation<?>> door;
  private final Steps steps;
  private final JournalWatch watch;
  private final Map<String, FileHandles> byPath = new ConcurrentHashMap<>();
  private final Map<Handle, FileHandles> byHandle = new ConcurrentHashMap<>();

  /**
   * Opens the journals of a server and locks their folder until {@link #close}.
   *
   * @param folder the folder of the journals, created if missing
   * @param root the folder that contains the files
   * @param door checks each operation of a journal before it is replayed, as when a client requests
   *     it: it returns the operation to carry out, or throws to refuse it. Names in the operation
   *     are relative to the root
   * @param executor starts operations that had to wait for others; never a thread that completes
   *     operations
   * @param scheduling gives the threads that force journals
   * @param watch is told what becomes of each journal
   * @throws StorageException if the folder is not available, or another server uses it
   * @throws org.hyperslab.error.InvalidUseException if other users may read the key of the journals
   */
  public JournalingConnector(
      Path folder,
      Path root,
      UnaryOperator<Operation<?>> door,
      Executor executor,
      Scheduling scheduling,
      JournalWatch watch) {
    this.key = JournalKey.of(folder);
    this.folder = new JournalFolder(folder, root);
    this.door = door;
    this.steps = new Steps(executor, scheduling);
    this.watch = watch;
  }

  /** Unlocks the folder. */
  @Override
  public void close() {
    folder.close();
  }

  /**
   * Starts an operation, or keeps it until those before it on its file are over, and journals it if
   * its file has a journal or needs one.
   *
   * @param operation the operation
   * @param request the instructions for carrying it out
   * @param <R> the result
   * @return the stages of the operation
   */
  public <R> Underway<R> submit(Operation<R> operation, SessionRequest request) {
    return switch (operation) {
      case FileOperation.Open o -> open(operation, o.name(), o.options(), request);
      case FileOperation.Create o -> open(operation, o.name(), o.options().access(), request);
      case FileOperation.Delete o -> delete(operation, o.name(), request);
      default -> {
        FileHandles book = byHandle.get(operation.subject());
        yield book == null
            ? Underway.passing(Steps.submit(request.connector(), operation))
            : on(book, operation, request);
      }
    };
  }

  /**
   * Runs an operation on a file that is named, after those before it.
   *
   * @param name the name of the file
   * @param operation names the operation, for people
   * @param start starts it
   * @param <R> the result
   * @return the stages of the operation
   */
  public <R> Underway<R> onFile(String name, Object operation, Supplier<Underway<R>> start) {
    return on(name, operation, book -> start.get());
  }

  private <R> Underway<R> on(
      String name, Object operation, Function<FileHandles, Underway<R>> start) {
    FileHandles book = byPath.compute(name, (path, known) -> counted(path, known, 1));
    Underway<R> underway = book.order().alone(operation, () -> start.apply(book));
    underway.over().thenRun(() -> release(book, -1));
    return underway;
  }

  private FileHandles counted(String path, FileHandles known, int more) {
    FileHandles book = known == null ? new FileHandles(path, steps.executor()) : known;
    return book.isUsed(more) ? book : null;
  }

  /** Forgets a file that has no open handle and no named operation under way. */
  private void release(FileHandles book, int more) {
    byPath.computeIfPresent(
        book.path(), (path, known) -> known == book ? counted(path, known, more) : known);
  }

  private <R> Underway<R> open(
      Operation<R> operation, String name, OpenOptions options, SessionRequest request) {
    return on(
        folder.withoutLinks(name), // a file has one journal, whatever it is called
        operation,
        book -> {
          finishPromised(book, request.connector());
          Handle file = operation.opens().orElseThrow();
          boolean creates = operation instanceof FileOperation.Create;
          CompletionStage<R> begun = Steps.submit(request.connector(), operation);
          CompletionStage<R> stage =
              (creates || !book.files().isEmpty()
                      ? begun
                      : withItsJournal(book, begun, file, request.connector()))
                  .thenApply(info -> {
                    opened(book, file, options);
                    return info;
                  });
          return Underway.holding(creates ? created(book, stage, request) : stage);
        });
  }

  /**
   * Refuses a file that says that it has a journal though there is none, because edits that were
   * acknowledged would be missing. Every other end of a journal takes the marker away.
   */
  private <R> CompletionStage<R> withItsJournal(
      FileHandles book, CompletionStage<R> opened, Handle file, Connector connector) {
    String journal = folder.journalOf(book.path()).getFileName().toString();
    return steps.then(
        opened,
        info ->
            steps.always(
                isMarked(connector, file),
                (marked, failure) -> {
                  if (failure != null || !marked) { // what cannot be asked has no journal either
                    watch.served(journal);
                    return opened;
                  }
                  CorruptFileException missing = missing(book.path());
                  watch.missing(journal, missing.getMessage());
                  return steps.always(
                      Steps.submit(connector, new FileOperation.Close(file)),
                      (closed, also) -> CompletableFuture.failedFuture(missing));
                }));
  }

  private static CompletionStage<Boolean> isMarked(Connector connector, Handle file) {
    return Steps.submit(
        connector, new AttributeOperation.Exists(Location.of(file), FileJournal.MARKER));
  }

  private CorruptFileException missing(String path) {
    String name = folder.relative(path);
    return new CorruptFileException(
        name,
        "journal",
        CorruptFileException.NO_OFFSET,
        "actual=missing"
            + folder.asideOf(path).map(aside -> ", but set aside as " + aside).orElse("")
            + ", expected=there, as the attribute "
            + FileJournal.MARKER
            + " of the file says; edits acknowledged as durable are in the journal: put it back, or"
            + " stop the server and replay what there is with stage --root DIR --recover "
            + name);
  }

  private void opened(FileHandles book, Handle file, OpenOptions options) {
    book.opened(file, options);
    byHandle.put(file, book);
    if (book.journal() != null) {
      book.journal().fileOpened(file);
    }
  }

  /** Forgets what a file of that name had promised, and makes the new one durable if asked to. */
  private <R> CompletionStage<R> created(
      FileHandles book, CompletionStage<R> stage, SessionRequest request) {
    return steps.then(
        stage,
        info -> {
          forget(book);
          if (!request.durable() || book.journal() != null) {
            return stage;
          }
          CompletionStage<Void> flushed =
              Steps.submit(request.connector(), new FileOperation.Flush(book.anyFile()));
          return steps.then(
              flushed,
              done -> {
                folder.force(book.path());
                return stage;
              });
        });
  }

  private <R> Underway<R> delete(Operation<R> operation, String name, SessionRequest request) {
    return on(
        name,
        operation,
        book ->
            Underway.holding(
                steps.then(
                    Steps.submit(request.connector(), operation),
                    done -> {
                      forget(book);
                      return CompletableFuture.completedStage(done);
                    })));
  }

  /**
   * Replays the journal of a file whose last flush failed when it was closed, or that could not be
   * replayed before.
   */
  private void finishPromised(FileHandles book, Connector connector) {
    Path journal = folder.journalOf(book.path());
    if (book.files().isEmpty() && Files.exists(journal)) {
      new Recovery(connector, folder, key, door, watch).one(journal);
    }
  }

  /** Deletes the journal of a file that was deleted or replaced, if no handle of it is open. */
  private void forget(FileHandles book) {
    Path journal = folder.journalOf(book.path());
    if (book.journal() == null) {
      if (Files.exists(journal)) {
        JournalFile.deleteFile(journal);
      }
      watch.served(journal.getFileName().toString());
    }
  }

  private <R> Underway<R> on(FileHandles book, Operation<R> operation, SessionRequest request) {
    operation.opens().ifPresent(opened -> byHandle.put(opened, book));
    Underway<R> underway = ordered(book, operation, request);
    operation
        .opens()
        .ifPresent(opened ->
            underway
                .result()
                .whenComplete((result, failure) -> {
                  if (failure != null) {
                    forget(book, opened);
                  }
                }));
    return underway;
  }

  private <R> Underway<R> ordered(
      FileHandles book, Operation<R> operation, SessionRequest request) {
    List<FileHandles> several = several(book, operation);
    if (!several.isEmpty()) {
      return inTurnOfAll(several, 0, operation, () -> together(several, operation, request));
    }
    BooleanSupplier alone = () -> runsAlone(book, operation, request);
    if (isOrderedBelow(operation) && book.order().enter(alone)) {
      try {
        return Underway.passing(carriedOut(book, operation, request.connector()));
      } finally {
        book.order().leave();
      }
    }
    return book.order().add(operation, alone, () -> inTurn(book, operation, request));
  }

  /**
   * {@return whether an operation holds up nothing: the connector orders it with what follows, or
   * nothing depends on it}
   */
  private static boolean isOrderedBelow(Operation<?> operation) {
    return FileJournal.isRawData(operation)
        || !operation.edits()
            && operation.opens().isEmpty()
            && !(operation instanceof FileOperation.Close);
  }

  /** {@return whether an operation must not run beside others on its file} */
  private static boolean runsAlone(
      FileHandles book, Operation<?> operation, SessionRequest request) {
    boolean changes = operation.edits() || operation.flushes() || operation.opens().isPresent();
    boolean isRecorded = changes || operation instanceof ObjectOperation.Close;
    return operation instanceof FileOperation.Close
        || operation instanceof StepOperation.Start
        || changes && request.durable()
        || isRecorded && book.journal() != null;
  }

  private <R> Underway<R> inTurn(FileHandles book, Operation<R> operation, SessionRequest request) {
    FileJournal journal = book.journal();
    if (operation instanceof StepOperation.Start) {
      return Underway.holding(stepsStarted(book, operation, request.connector()));
    }
    if (operation instanceof FileOperation.Close close
        && book.isFile(close.file())
        && book.files().size() == 1
        && journal != null) {
      return Underway.holding(
          closed(book, close, journal.closeLast(request.connector(), operation)));
    }
    if (journal != null) {
      return journal(book, operation, request);
    }
    boolean needsJournal = request.durable() && operation.edits();
    if (!needsJournal) {
      CompletionStage<R> stage = carriedOut(book, operation, request.connector());
      return isOrderedBelow(operation) ? Underway.passing(stage) : Underway.holding(stage);
    }
    if (!book.isWritable()) {
      throw new InvalidUseException(
          "edit: actual=a file opened for reading, expected=opened for editing, at="
              + folder.relative(book.path()));
    }
    if (book.isFollowed()) {
      return followed(book, operation, request);
    }
    return Underway.later(
        steps.then(
            FileJournal.start(folder, key, book, steps, request.connector()),
            started -> {
              book.journal(started);
              return CompletableFuture.completedStage(journal(book, operation, request));
            }));
  }

  private <R> Underway<R> journal(
      FileHandles book, Operation<R> operation, SessionRequest request) {
    return book.journal()
        .submit(operation, request, () -> carriedOut(book, operation, request.connector()));
  }

  /** Starts the steps of a file, which has no journal from then on; see {@link #followed}. */
  private <R> CompletionStage<R> stepsStarted(
      FileHandles book, Operation<R> start, Connector connector) {
    CompletionStage<Void> ended =
        book.journal() == null
            ? CompletableFuture.completedStage(null)
            : book.journal().end(connector, book.anyFile());
    return steps.then(
        ended,
        done -> {
          book.journal(null);
          return Steps.submit(connector, start)
              .thenApply(progress -> {
                book.stepsStarted();
                return progress;
              });
        });
  }

  /**
   * Executes an edit of a file that is written for SWMR, which has no journal, because readers
   * could not follow its marker: it is flushed instead.
   */
  private <R> Underway<R> followed(
      FileHandles book, Operation<R> operation, SessionRequest request) {
    CompletionStage<R> stage = carriedOut(book, operation, request.connector());
    return Underway.holding(
        steps.then(
            stage,
            result ->
                steps.then(
                    Steps.submit(request.connector(), new FileOperation.Flush(book.anyFile())),
                    flushed -> stage)));
  }

  /**
   * {@return the files that an edit names, in an order that is the same for all edits; empty if it
   * names one only}
   */
  private List<FileHandles> several(FileHandles book, Operation<?> operation) {
    boolean mayBe =
        operation instanceof ObjectOperation.Copy
            || operation instanceof LinkOperation<?>
            || operation instanceof DatasetOperation.WriteMulti;
    if (!mayBe) {
      return List.of();
    }
    TreeMap<String, FileHandles> named = new TreeMap<>();
    for (Handle used : operation.uses()) {
      FileHandles its = byHandle.getOrDefault(used, book);
      named.put(its.path(), its);
    }
    return named.size() == 1 ? List.of() : List.copyOf(named.values());
  }

  /** Runs an operation alone in the orders of several files, which it enters one after another. */
  private <R> Underway<R> inTurnOfAll(
      List<FileHandles> books, int entered, Operation<R> operation, Supplier<Underway<R>> start) {
    return entered == books.size()
        ? start.get()
        : books
            .get(entered)
            .order()
            .alone(operation, () -> inTurnOfAll(books, entered + 1, operation, start));
  }

  /**
   * Carries out an edit of several files. No journal can repeat it, because a replay opens one
   * file; so the files that have a journal, or need one for this edit, are flushed. If that fails,
   * what follows may depend on an edit that is in no journal: it is flushed again before.
   */
  private <R> Underway<R> together(
      List<FileHandles> books, Operation<R> operation, SessionRequest request) {
    CompletionStage<R> stage = Steps.submit(request.connector(), operation);
    CompletionStage<R> flushed = stage;
    for (FileHandles book : books) {
      if (book.journal() != null) {
        book.journal().distrust();
      }
      boolean kept = book.journal() != null || request.durable() && book.isWritable();
      CompletionStage<R> before = flushed;
      flushed =
          !kept
              ? before
              : steps.then(
                  before, result -> steps.then(flush(book, request.connector()), done -> stage));
    }
    return Underway.holding(flushed);
  }

  private static CompletionStage<Void> flush(FileHandles book, Connector connector) {
    return book.journal() != null
        ? book.journal().flushed(connector)
        : Steps.submit(connector, new FileOperation.Flush(book.anyFile()));
  }

  /**
   * Carries out an operation.
   *
   * @return the stage of the operation, which completes after the handles that it opens or closes
   *     have been recorded
   */
  private <R> CompletionStage<R> carriedOut(
      FileHandles book, Operation<R> operation, Connector connector) {
    CompletionStage<R> stage = Steps.submit(connector, operation);
    if (operation instanceof FileOperation.Close close) {
      return closed(book, close, stage);
    }
    if (operation instanceof ObjectOperation.Close close && !book.isFile(close.object())) {
      forget(book, close.object());
    }
    return operation.opens().isEmpty()
        ? stage
        : stage.thenApply(info -> {
          if (info instanceof ObjectInfo object) {
            book.objects().put(operation.opens().get(), object.token().address());
          }
          return info;
        });
  }

  private void forget(FileHandles book, Handle object) {
    book.objects().remove(object);
    byHandle.remove(object, book);
  }

  /** Forgets a handle of a file when its closing has ended, even with a failure. */
  private <R> CompletionStage<R> closed(
      FileHandles book, FileOperation.Close close, CompletionStage<R> stage) {
    return stage.whenComplete((done, failure) -> {
      byHandle.remove(close.file());
      if (book.closed(close.file())) {
        book.journal(null);
        book.objects().keySet().forEach(byHandle::remove);
        book.objects().clear();
        release(book, 0);
      }
    });
  }

  /**
   * Replays the journals that a crashed server has left. A journal that this server has not
   * written, or that was changed, is renamed and not replayed.
   *
   * @param connector carries the operations out
   * @return a report, with a line for each journal
   */
  public String recover(Connector connector) {
    return new Recovery(connector, folder, key, door, watch).run();
  }

  /**
   * Replays what is intact of the journal of one file, and keeps a copy of the journal. A journal
   * that was set aside because the file was missing is the file's again. If the file has lost its
   * journal, the edits in it are given up.
   *
   * @param name the name of the file, relative to the root
   * @param connector carries the operations out
   * @return a line for people
   * @throws NotFoundException if there is neither a journal nor such a file
   */
  public String salvage(String name, Connector connector) {
    Path journal = folder.journalOf(name);
    if (!Files.exists(journal) && !folder.holds(name)) {
      throw new NotFoundException(
          "recovery: actual="
              + name
              + ", which has neither a journal nor a file, expected=the name of a file below the"
              + " folder of the server");
    }
    if (!Files.exists(journal)) {
      folder.takeBack(name);
    }
    Recovery recovery = new Recovery(connector, folder, key, door, watch);
    return Files.exists(journal) ? recovery.salvage(journal, name) : recovery.giveUp(name);
  }
}
