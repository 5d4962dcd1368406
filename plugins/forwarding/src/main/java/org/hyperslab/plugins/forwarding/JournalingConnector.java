package org.hyperslab.plugins.forwarding;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.plugins.codec.EncodedMessage;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.ObjectOperation;
import org.hyperslab.vol.Operation;

/**
 * Journals the edits of a connector's files. A file's journal begins with the first operation that
 * asks for durability, and ends when the file's last handle is closed.
 *
 * <p>Thread rule: any thread.
 */
final class JournalingConnector implements AutoCloseable {

  /** The number of low bits of a server's handle that hold the client's handle. */
  private static final int HANDLE_BITS = 41;

  private final JournalFolder folder;
  private final JournalKey key;
  private final UnaryOperator<Operation<?>> door;
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
   * @throws StorageException if the folder is not available, or another server uses it
   * @throws org.hyperslab.error.InvalidUseException if other users may read the key of the journals
   */
  public JournalingConnector(Path folder, Path root, UnaryOperator<Operation<?>> door) {
    this.key = JournalKey.of(folder);
    this.folder = new JournalFolder(folder, root);
    this.door = door;
  }

  /** Unlocks the folder. */
  @Override
  public void close() {
    folder.close();
  }

  /**
   * Converts a client's handle to the server's.
   *
   * @param session the number of the session
   * @param clients the client's handle. Numbers that no client uses are converted to a handle that
   *     is never open
   * @return the server's handle
   */
  public static long handle(long session, long clients) {
    long never = (1L << HANDLE_BITS) - 1;
    return (session << HANDLE_BITS) | (clients < 0 || clients > never ? never : clients);
  }

  /**
   * The instructions for carrying out an operation.
   *
   * @param connector the connector that carries it out
   * @param session the number of the session, from which its handles were derived
   * @param message the operation as it arrived
   * @param durable whether its stage completes only when the operation is on storage
   */
  public record Request(
      Connector connector, long session, EncodedMessage message, boolean durable) {}

  /**
   * Carries out an operation, and journals it if its file has a journal or needs one.
   *
   * @param operation the operation
   * @param request the instructions for carrying it out
   * @param <R> the result
   * @return a stage that completes with the result
   */
  public <R> CompletionStage<R> submit(Operation<R> operation, Request request) {
    return switch (operation) {
      case FileOperation.Open o -> {
        finishPromised(o.name(), request.connector);
        yield open(operation, o.name(), o.options(), request);
      }
      case FileOperation.Create o -> {
        CompletionStage<R> stage = open(operation, o.name(), o.options().access(), request);
        forget(o.name(), stage);
        yield stage;
      }
      case FileOperation.Delete o -> {
        CompletionStage<R> stage = request.connector.submit(operation);
        forget(o.name(), stage);
        yield stage;
      }
      default -> {
        FileHandles book = byHandle.get(operation.subject());
        yield book == null ? request.connector.submit(operation) : on(book, operation, request);
      }
    };
  }

  /** Replays the journal of a file whose last flush failed when it was closed. */
  private void finishPromised(String name, Connector connector) {
    Path journal = folder.journalOf(name);
    if (!Files.exists(journal)) {
      return;
    }
    FileHandles book = byPath.computeIfAbsent(name, FileHandles::new);
    synchronized (book) {
      if (book.files().isEmpty() && Files.exists(journal)) {
        new Recovery(connector, folder.path(), key, door).one(journal);
      }
    }
  }

  /**
   * Deletes the journal of a file after the file was successfully deleted or replaced, if no handle
   * of the file is open.
   */
  private void forget(String name, CompletionStage<?> end) {
    if (end.toCompletableFuture().handle((done, failure) -> failure).join() != null) {
      return;
    }
    FileHandles book = byPath.computeIfAbsent(name, FileHandles::new);
    synchronized (book) {
      if (book.journal() == null && Files.exists(folder.journalOf(name))) {
        JournalFile.deleteFile(folder.journalOf(name));
      }
      if (book.files().isEmpty()) {
        byPath.remove(name, book);
      }
    }
  }

  private <R> CompletionStage<R> open(
      Operation<R> operation, String name, OpenOptions options, Request request) {
    Handle file = operation.opens().orElseThrow();
    FileHandles book = byPath.computeIfAbsent(name, FileHandles::new);
    synchronized (book) {
      CompletionStage<R> stage = FileJournal.settled(request.connector.submit(operation));
      if (!stage.toCompletableFuture().isCompletedExceptionally()) {
        book.opened(file, options);
        byHandle.put(file, book);
        byPath.put(name, book);
        if (book.journal() != null) {
          book.journal().fileOpened(file);
        }
      } else if (book.files().isEmpty()) {
        byPath.remove(name, book);
      }
      return stage;
    }
  }

  private <R> CompletionStage<R> on(FileHandles book, Operation<R> operation, Request request) {
    if (book.journal() == null
        && !request.durable
        && operation.opens().isEmpty()
        && !closes(operation)) {
      return request.connector.submit(operation);
    }
    synchronized (book) {
      FileJournal journal = book.journal();
      if (request.durable && journal == null && book.isFollowed()) {
        return followed(book, operation, request);
      }
      if (request.durable && journal == null && !isDurableItself(operation)) {
        if (!book.isWritable()) {
          throw new InvalidUseException(
              "edit: actual=a file opened for reading, expected=opened for editing, at="
                  + book.path());
        }
        journal = FileJournal.start(folder, key, book, request.connector);
        book.journal(journal);
      }
      CompletionStage<R> stage = run(book, operation, request);
      recordHandles(book, operation, stage);
      return request.durable && book.journal() != null
          ? stage.thenCombine(book.journal().commit(), (result, committed) -> result)
          : stage;
    }
  }

  /**
   * Executes an operation on a file that is written for SWMR, which has no journal, because readers
   * could not follow its marker: an edit is flushed instead. The edit is awaited, so that the flush
   * precedes later operations.
   */
  private <R> CompletionStage<R> followed(
      FileHandles book, Operation<R> operation, Request request) {
    CompletionStage<R> stage = run(book, operation, request);
    recordHandles(book, operation, stage);
    if (!operation.edits() || isDurableItself(operation)) {
      return stage;
    }
    return FileJournal.settled(stage).toCompletableFuture().isCompletedExceptionally()
        ? stage
        : stage.thenCombine(
            request.connector.submit(new FileOperation.Flush(book.anyFile())),
            (result, flushed) -> result);
  }

  /** {@return whether an operation makes the file durable itself, so that it needs no journal} */
  private static boolean isDurableItself(Operation<?> operation) {
    return closes(operation)
        || operation instanceof FileOperation.Flush
        || operation instanceof ObjectOperation.Flush;
  }

  private static boolean closes(Operation<?> operation) {
    return operation instanceof FileOperation.Close || operation instanceof ObjectOperation.Close;
  }

  private static <R> CompletionStage<R> run(
      FileHandles book, Operation<R> operation, Request request) {
    FileJournal journal = book.journal();
    if (journal == null) {
      return request.connector.submit(operation);
    }
    boolean last =
        operation instanceof FileOperation.Close close
            && book.files().size() == 1
            && book.files().contains(close.file());
    if (last) {
      CompletionStage<R> stage = journal.closeLast(request.connector, operation);
      book.journal(null);
      return stage;
    }
    return journal.submit(request.connector, operation, request.session, request.message);
  }

  /** Records the handles that an operation has opened or closed. */
  private void recordHandles(FileHandles book, Operation<?> operation, CompletionStage<?> stage) {
    switch (operation) {
      case FileOperation.Close close -> {
        book.files().remove(close.file());
        byHandle.remove(close.file());
        if (book.files().isEmpty()) {
          byPath.remove(book.path(), book);
          book.objects().keySet().forEach(byHandle::remove);
          book.objects().clear();
        }
      }
      case ObjectOperation.Close close -> {
        if (!book.files().contains(close.object())) {
          book.objects().remove(close.object());
          byHandle.remove(close.object());
        }
      }
      default -> operation.opens().ifPresent(opened -> opened(book, opened, stage));
    }
  }

  private void opened(FileHandles book, Handle handle, CompletionStage<?> stage) {
    Object info = stage.toCompletableFuture().exceptionally(failure -> null).join();
    if (info instanceof ObjectInfo object) {
      book.objects().put(handle, object.token().address());
      byHandle.put(handle, book);
    }
  }

  /**
   * Replays the journals that a crashed server has left. A journal that this server has not
   * written, or that was changed, is renamed and not replayed.
   *
   * @param connector carries the operations out
   * @return a report, with a line for each journal
   * @throws HyperslabException if a file can no longer be opened
   */
  public String recover(Connector connector) {
    return new Recovery(connector, folder.path(), key, door).run();
  }
}
