package org.hyperslab.plugins.forwarding.journal;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.plugins.codec.Encoded;
import org.hyperslab.vol.AttributeOperation;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.ObjectOperation;
import org.hyperslab.vol.Operation;

/**
 * The journal of one open file. Every edit is appended before it is carried out, in the same order.
 *
 * <p>How a replay knows what the file has: while there is a journal, the root group has the
 * attribute {@value #MARKER}, the number of the last edit of metadata. It is edited with the
 * metadata and therefore becomes part of the file in the same flush, which the connector carries
 * out wholly or not at all. What comes after that number is replayed; raw data may then be written
 * a second time, in the same order and hence to the same end. Closing the file removes the
 * attribute in the flush that makes the file final; a journal whose file has none is done with.
 *
 * <p>A flush starts the journal anew with the handles that are open. A long journal makes a flush.
 *
 * <p>Thread rule: guarded by the lock of its file's book.
 */
final class FileJournal {

  /** The attribute of the root group. */
  static final String MARKER = ".hyperslab.journal";

  /** The version of the records' meaning. */
  static final long VERSION = 2;

  /** The number of what is part of the file in any case. */
  private static final long BEFORE_ALL = 0;

  /** Longer than this, and the file is flushed so that the journal can start anew. */
  private static final long LONGEST_BYTES = 512L << 20;

  private static final ValueLayout.OfLong LITTLE =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final Path path;
  private final JournalKey key;
  private final FileBook book;
  private JournalFile file;
  private long sequence;

  private FileJournal(Path path, JournalKey key, FileBook book) {
    this.path = path;
    this.key = key;
    this.book = book;
  }

  /** Flushes a file, and starts its journal. */
  static FileJournal start(Path path, JournalKey key, FileBook book, Connector connector) {
    FileJournal journal = new FileJournal(path, key, book);
    Location root = Location.of(book.anyFile());
    join(
        connector,
        new AttributeOperation.Create(
            root,
            MARKER,
            new AttributeOperation.Spec(
                Datatypes.I64LE, Optional.empty(), Dataspace.scalar(), CharacterSet.ASCII)));
    journal.mark(connector);
    join(connector, new FileOperation.Flush(book.anyFile()));
    journal.startAnew();
    return journal;
  }

  private static void join(Connector connector, Operation<?> operation) {
    connector.submit(operation).toCompletableFuture().join();
  }

  private void mark(Connector connector) {
    MemorySegment value = Arena.ofAuto().allocate(8);
    value.set(LITTLE, 0, sequence);
    join(
        connector,
        new AttributeOperation.Write(
            Location.of(book.anyFile()), MARKER, Datatypes.I64LE, DataBuffer.of(value)));
  }

  private void startAnew() {
    List<JournalRecord> first = new ArrayList<>();
    byte[] name = book.path().getBytes(StandardCharsets.UTF_8);
    first.add(new JournalRecord(JournalRecord.Kind.START, sequence, VERSION, 0, name, List.of()));
    for (Handle open : book.files()) {
      first.add(JournalRecord.of(JournalRecord.Kind.FILE_OPENED, sequence, open.id(), 0));
    }
    for (Map.Entry<Handle, Long> open : book.objects().entrySet()) {
      first.add(
          JournalRecord.of(
              JournalRecord.Kind.OBJECT_OPENED, BEFORE_ALL, open.getKey().id(), open.getValue()));
    }
    JournalFile old = file;
    file = JournalFile.create(path, key, first);
    if (old != null) {
      old.close();
    }
  }

  /** Another handle of the file is open. */
  void fileOpened(Handle opened) {
    file.append(JournalRecord.of(JournalRecord.Kind.FILE_OPENED, sequence, opened.id(), 0));
  }

  /** Carries an operation out, after it has been appended. */
  <R> CompletionStage<R> submit(
      Connector connector, Operation<R> operation, long session, Encoded message) {
    if (file.size() > LONGEST_BYTES) {
      join(connector, new FileOperation.Flush(book.anyFile()));
      startAnew();
    }
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
    file.append(JournalRecord.of(JournalRecord.Kind.CLOSED, sequence, handle.id(), 0));
  }

  private <R> CompletionStage<R> edit(
      Connector connector, Operation<R> operation, long session, Encoded message) {
    boolean opens = operation.opens().isPresent();
    if (!operation.edits() && !opens) {
      return connector.submit(operation);
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
      file.append(
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

  /** An operation that fails is not carried out by a replay either. */
  private <R> CompletionStage<R> noting(long operation, CompletionStage<R> stage) {
    JournalFile into = file;
    return stage.whenComplete((result, failure) -> {
      if (failure != null) {
        synchronized (book) {
          if (file == into) { // else the file was flushed, and the operation is forgotten
            refused(operation);
          }
        }
      }
    });
  }

  private void refused(long operation) {
    file.append(JournalRecord.of(JournalRecord.Kind.REFUSED, sequence, operation, 0));
  }

  static boolean isRawData(Operation<?> operation) {
    return operation instanceof DatasetOperation.Write
        || operation instanceof DatasetOperation.WriteChunk
        || operation instanceof DatasetOperation.SetExtent
        || operation instanceof AttributeOperation.Write;
  }

  private static <R> CompletionStage<R> settled(CompletionStage<R> stage) {
    stage.toCompletableFuture().exceptionally(failure -> null).join();
    return stage;
  }

  /** Completes when everything so far is on storage. */
  CompletableFuture<Void> commit() {
    return file.commit();
  }

  /** Closes the file's last handle, and with it the journal. */
  <R> CompletionStage<R> closeLast(Connector connector, Operation<R> close) {
    join(connector, new AttributeOperation.Delete(Location.of(close.subject()), MARKER));
    CompletionStage<R> stage = settled(connector.submit(close));
    if (stage.toCompletableFuture().isCompletedExceptionally()) {
      file.close();
    } else {
      file.delete();
    }
    return stage;
  }
}
