package org.hyperslab.plugins.forwarding.journal;

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
import java.util.function.Supplier;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.Durability;
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
 * attribute is obsolete, and a file that has it and no journal has lost edits.
 *
 * <p>After a flush the journal starts again with the open handles, and so it does when one of
 * several handles is closed, which flushes the file. After a flush of an object its records are
 * made durable. Otherwise a replay after a power cut could put older elements, whose records are on
 * storage, over those of the flush, whose records are not. A journal that becomes too long causes a
 * flush.
 *
 * <p>Thread rule: confined to the operations that run alone in the order of its file.
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
  private final Steps steps;
  private volatile JournalFile file;
  private volatile long sequence;

  private FileJournal(JournalFolder folder, JournalKey key, FileHandles book, Steps steps) {
    this.folder = folder;
    this.key = key;
    this.book = book;
    this.steps = steps;
  }

  /**
   * Starts the journal of a file, then writes the marker and flushes the file. A crash between the
   * two leaves an obsolete journal. An existing marker is overwritten.
   *
   * @return a stage that completes with the journal when the marker is on storage
   */
  static CompletionStage<FileJournal> start(
      JournalFolder folder, JournalKey key, FileHandles book, Steps steps, Connector connector) {
    FileJournal journal = new FileJournal(folder, key, book, steps);
    journal.startAnew();
    CompletionStage<Void> marked =
        steps.then(
            journal.mark(connector),
            done -> Steps.submit(connector, new FileOperation.Flush(book.anyFile())));
    return steps.always(
        marked,
        (done, failure) -> failure == null ? journal.begun() : journal.givenUp(connector, failure));
  }

  private CompletionStage<FileJournal> begun() {
    if (book.options().durability() != Durability.POWER_CUT) {
      folder.force(book.path()); // a flush of this file leaves that to the system
    }
    return CompletableFuture.completedStage(this);
  }

  private CompletionStage<FileJournal> givenUp(Connector connector, Throwable failure) {
    file.close(); // not deleted: the flush may have failed after the marker was on storage
    return steps.always(
        unmark(connector, book.anyFile()),
        (done, also) -> CompletableFuture.failedFuture(Connectors.causeOf(failure)));
  }

  /** Removes the marker, which may be missing. */
  private static CompletionStage<Void> unmark(Connector connector, Handle file) {
    return Steps.submit(connector, new AttributeOperation.Delete(Location.of(file), MARKER))
        .exceptionallyCompose(failure ->
            Connectors.causeOf(failure) instanceof NotFoundException
                ? CompletableFuture.completedStage(null)
                : CompletableFuture.failedStage(failure));
  }

  private CompletionStage<Void> mark(Connector connector) {
    return mark(connector, book.anyFile(), sequence);
  }

  /** Sets the marker of a file to the number of the last edit of metadata. */
  static CompletionStage<Void> mark(Connector connector, Handle file, long edit) {
    MemorySegment value = Arena.ofAuto().allocate(8);
    value.set(LITTLE, 0, edit);
    return Steps.submit(
            connector,
            new AttributeOperation.Set(
                Location.of(file),
                MARKER,
                MARKER_SPEC,
                true,
                new AttributeOperation.Content(Datatypes.I64LE, DataBuffer.of(value))))
        .thenApply(done -> null);
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
    file = JournalFile.create(folder.journalOf(book.path()), key, first, steps.scheduling());
    if (old != null) {
      old.close();
    }
  }

  /** Records that another handle of the file has been opened. */
  void fileOpened(Handle opened) {
    file.note(JournalRecord.of(JournalRecord.Kind.FILE_OPENED, sequence, opened.id(), 0));
  }

  /**
   * Appends an operation and carries it out.
   *
   * @param operation the operation
   * @param request the instructions for carrying it out
   * @param action carries it out. Its stage completes after the handles that the operation opens or
   *     closes have been recorded, and nothing that follows may start before
   */
  <R> Underway<R> submit(
      Operation<R> operation, SessionRequest request, Supplier<CompletionStage<R>> action) {
    return switch (operation) {
      case FileOperation.Flush flush -> Underway.holding(thenAnew(action.get()));
      case ObjectOperation.Close close -> {
        closed(close.object());
        yield Underway.passing(action.get());
      }
      case FileOperation.Close close -> {
        closed(close.file());
        yield Underway.holding(thenAnew(action.get())); // closing one of several handles flushes
      }
      default -> edit(operation, request, action);
    };
  }

  /** Starts the journal again when the file has been flushed. */
  private <R> CompletionStage<R> thenAnew(CompletionStage<R> flushed) {
    return steps.then(
        flushed,
        done -> {
          startAnew();
          return CompletableFuture.completedStage(done);
        });
  }

  private void closed(Handle handle) {
    file.note(JournalRecord.of(JournalRecord.Kind.CLOSED, sequence, handle.id(), 0));
  }

  private <R> Underway<R> edit(
      Operation<R> operation, SessionRequest request, Supplier<CompletionStage<R>> action) {
    if (operation instanceof DatasetOperation.SetAccess access) {
      throw access.elsewhere(); // a journal that replaces this one would not repeat it
    }
    if (!isEdit(operation) && operation.opens().isEmpty()) {
      return Underway.passing(action.get());
    }
    if (file.size() <= LONGEST_BYTES && !file.isBroken()) {
      return appended(operation, request, action);
    }
    return Underway.later(
        steps.then(
            flushed(request.connector()),
            done -> CompletableFuture.completedStage(appended(operation, request, action))));
  }

  /** Ends the use of this journal's records: the next edit waits for a flush, and a new start. */
  void distrust() {
    file.breakWith(
        new StorageException(
            "journal: actual=an edit of several files, which it cannot repeat, expected=flushed"));
  }

  /** Flushes the file and starts the journal again. */
  CompletionStage<Void> flushed(Connector connector) {
    return thenAnew(Steps.submit(connector, new FileOperation.Flush(book.anyFile())));
  }

  private <R> Underway<R> appended(
      Operation<R> operation, SessionRequest request, Supplier<CompletionStage<R>> action) {
    JournalFile into = file;
    long number = sequence + 1;
    sequence = number;
    EncodedMessage message = request.message();
    into.append(
        new JournalRecord(
            JournalRecord.Kind.OPERATION,
            number,
            request.session(),
            0,
            message.control(),
            message.payload()));
    CompletionStage<R> stage =
        action
            .get()
            .whenComplete((result, failure) -> note(into, number, operation, result, failure));
    Underway<R> underway = underway(operation, stage, request.connector());
    return (request.durable() && isEdit(operation)) || operation.flushes()
        ? underway.with(underway.result().thenCombine(into.commit(), (result, done) -> result))
        : underway;
  }

  private <R> Underway<R> underway(
      Operation<R> operation, CompletionStage<R> stage, Connector connector) {
    if (isRawData(operation)) {
      return Underway.passing(stage);
    }
    return Underway.holding(
        isEdit(operation)
            ? steps.always(stage, (result, failure) -> steps.then(mark(connector), marked -> stage))
            : stage);
  }

  /**
   * Records what has become of an operation: its failure, so that a replay skips it, or the object
   * that it has opened. Runs in the thread that carries the operation out, possibly after a flush
   * has replaced the journal, which then needs no such record.
   */
  private void note(
      JournalFile into, long number, Operation<?> operation, Object result, Throwable failure) {
    if (failure != null) {
      into.note(JournalRecord.of(JournalRecord.Kind.REFUSED, sequence, number, 0));
    } else if (operation.opens().isPresent() && result instanceof ObjectInfo info) {
      into.note(
          JournalRecord.of(
              JournalRecord.Kind.OBJECT_OPENED,
              number,
              operation.opens().get().id(),
              info.token().address()));
    }
  }

  /** {@return whether a replay has to repeat an operation: flushes of objects among edits, too} */
  private static boolean isEdit(Operation<?> operation) {
    return operation.edits() || operation.flushes();
  }

  /** {@return whether a connector keeps the order of an operation and what follows it} */
  static boolean isRawData(Operation<?> operation) {
    return operation instanceof DatasetOperation.Write
        || operation instanceof DatasetOperation.WriteMulti
        || operation instanceof DatasetOperation.WriteChunk
        || operation instanceof DatasetOperation.SetExtent
        || operation instanceof AttributeOperation.Write;
  }

  /**
   * Ends the journal of a file that has no use for one any more, after a flush.
   *
   * @param handle a handle of the file
   */
  CompletionStage<Void> end(Connector connector, Handle handle) {
    CompletionStage<Void> flushed =
        steps.then(
            unmark(connector, handle),
            done -> Steps.submit(connector, new FileOperation.Flush(handle)));
    return flushed.thenApply(done -> {
      file.delete();
      return done;
    });
  }

  /**
   * Closes the last handle of the file, even if steps before fail, and the journal. If the last
   * flush failed, the journal is kept and the next opening replays it.
   */
  <R> CompletionStage<R> closeLast(Connector connector, Operation<R> close) {
    CompletionStage<Void> unmarked = unmark(connector, close.subject());
    CompletionStage<R> stage =
        steps.always(unmarked, (done, failure) -> Steps.submit(connector, close));
    return steps.always(
        stage,
        (result, failure) -> {
          if (Steps.failureOf(unmarked) == null && failure == null) {
            file.delete();
            return stage;
          }
          file.close();
          return failure == null ? unmarked.thenApply(never -> result) : stage;
        });
  }
}
