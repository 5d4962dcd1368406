package org.hyperslab.plugins.forwarding;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.plugins.codec.EncodedMessage;
import org.hyperslab.plugins.codec.OperationCodec;
import org.hyperslab.vol.AttributeOperation;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.Connectors;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.ObjectOperation;
import org.hyperslab.vol.Operation;

/**
 * Writes the journal of one open file. Every edit is appended before it is carried out, in the same
 * order.
 *
 * <p>While a journal exists, the root group has the attribute {@value #MARKER} with the number of
 * the last edit of metadata. The attribute becomes part of the file in the same flush as that edit,
 * and the connector carries out a flush completely or not at all, so a replay starts after that
 * number. Raw data may be written a second time, in the same order and with the same result.
 * Closing the file removes the attribute in the last flush; a journal whose file has no such
 * attribute is obsolete.
 *
 * <p>After a flush the journal starts again with the open handles. A journal that becomes too long
 * causes a flush.
 *
 * <p>Thread rule: guarded by the lock of its file's book.
 */
final class FileJournal {

  /** The name of the attribute of the root group. */
  static final String MARKER = ".hyperslab.journal";

  /** The version of the records' meaning. */
  static final long VERSION = 3;

  private static final AttributeOperation.Spec MARKER_SPEC =
      new AttributeOperation.Spec(
          Datatypes.I64LE, Optional.empty(), Dataspace.scalar(), CharacterSet.ASCII);

  /** The sequence number of records that precede all edits. */
  private static final long BEFORE_ALL = 0;

  /** The length of a journal, in bytes, at which the file is flushed. */
  private static final long LONGEST_BYTES = 512L << 20;

  private static final ValueLayout.OfLong LITTLE =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final JournalFolder folder;
  private final JournalKey key;
  private final FileHandles book;
  private JournalFile file;
  private long sequence;

  private FileJournal(JournalFolder folder, JournalKey key, FileHandles book) {
    this.folder = folder;
    this.key = key;
    this.book = book;
  }

  /**
   * Starts the journal of a file, then writes the marker and flushes the file. A crash between the
   * two leaves an obsolete journal. An existing marker is overwritten.
   */
  static FileJournal start(
      JournalFolder folder, JournalKey key, FileHandles book, Connector connector) {
    FileJournal journal = new FileJournal(folder, key, book);
    journal.startAnew();
    try {
      journal.mark(connector);
      join(connector, new FileOperation.Flush(book.anyFile()));
      return journal;
    } catch (RuntimeException failed) {
      journal.file.delete();
      unmark(connector, book.anyFile());
      throw Connectors.causeOf(failed) instanceof HyperslabException typed ? typed : failed;
    }
  }

  /** Removes the marker; returns the failure, or null. */
  private static Throwable unmark(Connector connector, Handle file) {
    return connector
        .submit(new AttributeOperation.Delete(Location.of(file), MARKER))
        .toCompletableFuture()
        .handle((done, failure) -> failure)
        .thenApply(failure -> isMissing(failure) ? null : failure)
        .join();
  }

  private static boolean isMissing(Throwable failure) {
    return failure != null && Connectors.causeOf(failure) instanceof NotFoundException;
  }

  private static void join(Connector connector, Operation<?> operation) {
    connector.submit(operation).toCompletableFuture().join();
  }

  private void mark(Connector connector) {
    MemorySegment value = Arena.ofAuto().allocate(8);
    value.set(LITTLE, 0, sequence);
    join(
        connector,
        new AttributeOperation.Set(
            Location.of(book.anyFile()),
            MARKER,
            MARKER_SPEC,
            true,
            new AttributeOperation.Content(Datatypes.I64LE, DataBuffer.of(value))));
  }

  private void startAnew() {
    List<JournalRecord> first = new ArrayList<>();
    FileOperation.Open opening =
        new FileOperation.Open(book.anyFile(), folder.relative(book.path()), book.options());
    byte[] message = OperationCodec.encode(opening).control();
    first.add(
        new JournalRecord(JournalRecord.Kind.START, sequence, VERSION, 0, message, List.of()));
    for (Handle open : book.files()) {
      first.add(JournalRecord.of(JournalRecord.Kind.FILE_OPENED, sequence, open.id(), 0));
    }
    for (Map.Entry<Handle, Long> open : book.objects().entrySet()) {
      first.add(
          JournalRecord.of(
              JournalRecord.Kind.OBJECT_OPENED, BEFORE_ALL, open.getKey().id(), open.getValue()));
    }
    JournalFile old = file;
    file = JournalFile.create(folder.journalOf(book.path()), key, first);
    if (old != null) {
      old.close();
    }
  }

  /** Records that another handle of the file has been opened. */
  void fileOpened(Handle opened) {
    note(JournalRecord.of(JournalRecord.Kind.FILE_OPENED, sequence, opened.id(), 0));
  }

  /**
   * Appends a record of something that has already happened. If that fails, durability cannot be
   * promised until the file is flushed and the journal starts again.
   */
  private void note(JournalRecord record) {
    try {
      file.append(record);
    } catch (StorageException refused) {
      file.breakWith(refused);
    }
  }

  /** Appends an operation and carries it out. */
  <R> CompletionStage<R> submit(
      Connector connector, Operation<R> operation, long session, EncodedMessage message) {
    return switch (operation) {
      case FileOperation.Flush flush -> {
        CompletionStage<R> stage = settled(connector.submit(operation));
        if (!stage.toCompletableFuture().isCompletedExceptionally()) {
          startAnew();
        }
        yield stage;
      }
      case ObjectOperation.Close close -> {
        closed(close.object());
        yield connector.submit(operation);
      }
      case FileOperation.Close close -> {
        closed(close.file());
        yield connector.submit(operation);
      }
      default -> edit(connector, operation, session, message);
    };
  }

  private void closed(Handle handle) {
    note(JournalRecord.of(JournalRecord.Kind.CLOSED, sequence, handle.id(), 0));
  }

  private <R> CompletionStage<R> edit(
      Connector connector, Operation<R> operation, long session, EncodedMessage message) {
    boolean opens = operation.opens().isPresent();
    if (operation instanceof DatasetOperation.SetAccess access) {
      throw access.elsewhere(); // a journal that replaces this one would not repeat it
    }
    if (!operation.edits() && !opens) {
      return connector.submit(operation);
    }
    if (file.size() > LONGEST_BYTES || file.isBroken()) {
      join(connector, new FileOperation.Flush(book.anyFile()));
      startAnew();
    }
    sequence++;
    file.append(
        new JournalRecord(
            JournalRecord.Kind.OPERATION,
            sequence,
            session,
            0,
            message.control(),
            message.payload()));
    if (isRawData(operation)) {
      return noting(sequence, connector.submit(operation));
    }
    CompletionStage<R> stage = settled(connector.submit(operation));
    CompletableFuture<R> done = stage.toCompletableFuture();
    if (done.isCompletedExceptionally()) {
      refused(sequence);
    }
    if (opens && !done.isCompletedExceptionally() && done.join() instanceof ObjectInfo info) {
      note(
          JournalRecord.of(
              JournalRecord.Kind.OBJECT_OPENED,
              sequence,
              operation.opens().get().id(),
              info.token().address()));
    }
    if (operation.edits()) {
      mark(connector);
    }
    return stage;
  }

  /** Records the failure of an operation, so that a replay skips the operation. */
  private <R> CompletionStage<R> noting(long operation, CompletionStage<R> stage) {
    JournalFile into = file;
    return stage.whenComplete((result, failure) -> {
      if (failure != null) {
        synchronized (book) {
          if (file == into) { // otherwise a flush has replaced the journal
            refused(operation);
          }
        }
      }
    });
  }

  private void refused(long operation) {
    note(JournalRecord.of(JournalRecord.Kind.REFUSED, sequence, operation, 0));
  }

  static boolean isRawData(Operation<?> operation) {
    return operation instanceof DatasetOperation.Write
        || operation instanceof DatasetOperation.WriteMulti
        || operation instanceof DatasetOperation.WriteChunk
        || operation instanceof DatasetOperation.SetExtent
        || operation instanceof AttributeOperation.Write;
  }

  /** Waits until a stage has ended, also with a failure, and returns it. */
  static <R> CompletionStage<R> settled(CompletionStage<R> stage) {
    stage.toCompletableFuture().exceptionally(failure -> null).join();
    return stage;
  }

  /** {@return a future that completes when all records appended so far are on storage} */
  CompletableFuture<Void> commit() {
    return file.commit();
  }

  /**
   * Closes the last handle of the file, even if steps before fail, and the journal. If the last
   * flush failed, the journal is kept and the next opening replays it.
   */
  <R> CompletionStage<R> closeLast(Connector connector, Operation<R> close) {
    Throwable marked = unmark(connector, close.subject());
    CompletionStage<R> stage = settled(connector.submit(close));
    if (marked == null && !stage.toCompletableFuture().isCompletedExceptionally()) {
      file.delete();
      return stage;
    }
    file.close();
    return marked == null ? stage : CompletableFuture.failedFuture(Connectors.causeOf(marked));
  }
}
