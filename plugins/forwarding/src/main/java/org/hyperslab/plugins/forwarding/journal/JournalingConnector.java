package org.hyperslab.plugins.forwarding.journal;

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
import org.hyperslab.plugins.codec.Encoded;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.ObjectOperation;
import org.hyperslab.vol.Operation;

/**
 * Keeps the journals of the files of a connector. A file's journal begins with the first operation
 * that asks for durability, and ends when the file's last handle is closed.
 *
 * <p>Thread rule: any thread.
 */
public final class JournalingConnector implements AutoCloseable {

  /** A client's handles are the low bits of the server's. */
  private static final int HANDLE_BITS = 41;

  private final JournalFolder folder;
  private final JournalKey key;
  private final UnaryOperator<Operation<?>> door;
  private final Map<String, FileBook> byPath = new ConcurrentHashMap<>();
  private final Map<Handle, FileBook> byHandle = new ConcurrentHashMap<>();

  /**
   * Journals in a folder, made if missing, which no other server may use until this is closed.
   *
   * @param root the folder below which the files are
   * @param door what each operation of a journal passes before it is carried out again, as when a
   *     client asks for it: it returns the operation as it may be, or throws what refuses it; names
   *     are given to it as they are below the root
   * @throws StorageException if the folder cannot be had, or another server has it
   * @throws org.hyperslab.error.InvalidUseException if others may read the key of its journals
   */
  public JournalingConnector(Path folder, Path root, UnaryOperator<Operation<?>> door) {
    this.key = JournalKey.of(folder);
    this.folder = new JournalFolder(folder, root);
    this.door = door;
  }

  /** Lets another server have the folder. */
  @Override
  public void close() {
    folder.close();
  }

  /**
   * The server's handle of a client's.
   *
   * @param session the session's number
   * @param clients the client's handle; numbers that no client mints share one that is never open
   */
  public static long handle(long session, long clients) {
    long never = (1L << HANDLE_BITS) - 1;
    return (session << HANDLE_BITS) | (clients < 0 || clients > never ? never : clients);
  }

  /**
   * How an operation is to be carried out.
   *
   * @param connector by whom
   * @param session the number that its handles were made with
   * @param message the operation as it came
   * @param durable whether its stage completes only when it is on storage
   */
  public record Request(Connector connector, long session, Encoded message, boolean durable) {}

  /** Carries an operation out. */
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
        FileBook book = byHandle.get(operation.subject());
        yield book == null ? request.connector.submit(operation) : on(book, operation, request);
      }
    };
  }

  /** Replays the journal of a file that could not be made final when it was closed. */
  private void finishPromised(String name, Connector connector) {
    Path journal = folder.journalOf(name);
    if (!Files.exists(journal)) {
      return;
    }
    FileBook book = byPath.computeIfAbsent(name, FileBook::new);
    synchronized (book) {
      if (book.files().isEmpty() && Files.exists(journal)) {
        new Recovery(connector, folder.path(), key, door).one(journal);
      }
    }
  }

  /**
   * Drops the journal of a file that is no more, if its end is successful and nobody has it open.
   */
  private void forget(String name, CompletionStage<?> end) {
    if (end.toCompletableFuture().handle((done, failure) -> failure).join() != null) {
      return;
    }
    FileBook book = byPath.computeIfAbsent(name, FileBook::new);
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
    FileBook book = byPath.computeIfAbsent(name, FileBook::new);
    synchronized (book) {
      CompletionStage<R> stage = request.connector.submit(operation);
      stage.toCompletableFuture().exceptionally(failure -> null).join();
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

  private <R> CompletionStage<R> on(FileBook book, Operation<R> operation, Request request) {
    if (book.journal() == null
        && !request.durable
        && operation.opens().isEmpty()
        && !closes(operation)) {
      return request.connector.submit(operation);
    }
    synchronized (book) {
      FileJournal journal = book.journal();
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
      keepBooks(book, operation, stage);
      return request.durable && book.journal() != null
          ? stage.thenCombine(book.journal().commit(), (result, committed) -> result)
          : stage;
    }
  }

  /** What makes the file durable needs no journal for it. */
  private static boolean isDurableItself(Operation<?> operation) {
    return closes(operation)
        || operation instanceof FileOperation.Flush
        || operation instanceof ObjectOperation.Flush;
  }

  private static boolean closes(Operation<?> operation) {
    return operation instanceof FileOperation.Close || operation instanceof ObjectOperation.Close;
  }

  private static <R> CompletionStage<R> run(
      FileBook book, Operation<R> operation, Request request) {
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

  /** What is open after an operation. */
  private void keepBooks(FileBook book, Operation<?> operation, CompletionStage<?> stage) {
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

  private void opened(FileBook book, Handle handle, CompletionStage<?> stage) {
    Object info = stage.toCompletableFuture().exceptionally(failure -> null).join();
    if (info instanceof ObjectInfo object) {
      book.objects().put(handle, object.token().address());
      byHandle.put(handle, book);
    }
  }

  /**
   * Replays the journals that a server left behind, before anybody is served. A journal that this
   * server did not write, or that was changed, is set aside and nothing of it is carried out.
   *
   * @param connector by whom
   * @return what was done, a line for each journal
   * @throws HyperslabException if a file can no longer be opened
   */
  public String recover(Connector connector) {
    return new Recovery(connector, folder.path(), key, door).run();
  }
}
