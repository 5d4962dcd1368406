package org.hyperslab.plugins.log;

import static org.hyperslab.plugins.log.LogMigration.done;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import org.hyperslab.error.StorageException;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.plugins.codec.DecodeLimits;
import org.hyperslab.plugins.codec.EncodedMessage;
import org.hyperslab.plugins.codec.EncodingCache;
import org.hyperslab.plugins.codec.OperationCodec;
import org.hyperslab.plugins.compacting.plan.DataKey;
import org.hyperslab.plugins.compacting.plan.Region;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.DatasetOperation.Transfer;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.Operation;

/**
 * A file that is being edited: its part, which receives metadata at once and elements by migration,
 * and its log. The module's DESIGN.md has the rules.
 *
 * <p>Operations pass one door: those that only add to the log or to the part share it, those that
 * need the part as it would be without a log have it to themselves. Behind the door, elements are
 * written to the part by one migration at a time, and read while there is none. What is behind the
 * door waits for the connector below, which never calls this one.
 *
 * <p>Thread rule: any thread.
 */
final class LoggedFile {

  /** The most writes whose regions are kept in memory. */
  private static final long MAX_WRITES = 1 << 20;

  private final LogContext context;
  private final LogSession session;
  private final LogMarks marks;
  private final PartElements elements;
  private final EncodingCache encodings = new EncodingCache();
  private final Map<Long, LoggedDataset> datasets = new ConcurrentHashMap<>();
  private final ReadWriteLock door = new ReentrantReadWriteLock();
  private volatile boolean touched;
  private volatile boolean draining;

  /**
   * Describes a file whose part is open and whose log has begun.
   *
   * @param context what the files of the connector share
   * @param session the part, the log and their names
   */
  LoggedFile(LogContext context, LogSession session) {
    this.context = context;
    this.session = session;
    this.marks =
        new LogMarks(
            context.below(), session.part(), session.log(), session.forces(), session.created());
    this.elements = new PartElements(context, session, marks);
    this.touched = session.created();
  }

  LogSession session() {
    return session;
  }

  // --- datasets ---

  /** Returns the state of a dataset that was opened or created. */
  LoggedDataset dataset(Handle handle, long address, boolean created) {
    if (created) {
      datasets.remove(
          address); // it belonged to a deleted object, all of whose elements are settled
    }
    LoggedDataset known = datasets.get(address);
    if (known != null) {
      return known;
    }
    DatasetInfo info = done(context.below(), new DatasetOperation.Describe(handle));
    long born = created ? marks.next() : 0;
    DataKey key = new DataKey(session.fileNumber(), address);
    return datasets.computeIfAbsent(address, absent -> new LoggedDataset(key, born, info));
  }

  /** Records that any object may be kept by open handles alone. */
  void mayHaveOrphans() {
    datasets.values().forEach(dataset -> dataset.linked(false));
  }

  // --- operations that share the door ---

  /** Passes on an operation; waits for those that have the door to themselves. */
  <R> CompletionStage<R> pass(Operation<R> operation) {
    return shared(() -> {
      if (operation.edits()) {
        edited();
      }
      return context.below().submit(operation);
    });
  }

  private void edited() {
    touched = true;
    marks.edited();
  }

  private <R> R shared(Supplier<R> action) {
    return locked(door.readLock(), action);
  }

  private <R> R alone(Supplier<R> action) {
    return locked(door.writeLock(), action);
  }

  private static <R> R locked(Lock lock, Supplier<R> action) {
    lock.lock();
    try {
      return action.get();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Appends elements to the log.
   *
   * @param dataset the dataset
   * @param write the write
   * @param region the elements
   * @param acknowledge when this returns
   */
  void write(
      LoggedDataset dataset,
      DatasetOperation.Write write,
      Region region,
      LogOptions.Acknowledge acknowledge) {
    EncodedMessage message = encoded(dataset, write, region);
    long most = context.options().elementBytes();
    if (message.control().length + message.payloadBytes() > most / 2) {
      settled(dataset, write);
      return;
    }
    while (!append(dataset, region, message, most)) {
      alone(this::startAnew);
    }
    switch (acknowledge) {
      case RECEIVED -> {}
      case WRITTEN -> session.log().write();
      case DURABLE -> commit();
    }
  }

  private EncodedMessage encoded(
      LoggedDataset dataset, DatasetOperation.Write write, Region region) {
    Transfer transfer = write.transfer();
    Transfer resolved =
        new Transfer(
            transfer.memoryType(),
            transfer.memorySpace(),
            transfer.memorySelection(),
            region.selection(),
            TransferOptions.DEFAULT);
    Handle address = new Handle(dataset.key().dataset());
    return OperationCodec.encode(
        new DatasetOperation.Write(address, resolved, write.source()),
        DecodeLimits.DEFAULT.memory(),
        encodings);
  }

  /** {@return whether there was room for the elements} */
  private boolean append(
      LoggedDataset dataset, Region region, EncodedMessage message, long mostBytes) {
    return shared(() -> {
      touched = true;
      synchronized (dataset) { // the order in the log is that of the pending writes
        if (dataset.pendingCount() >= MAX_WRITES) {
          return false;
        }
        Optional<LogRecord.Place> place = appended(dataset, message, mostBytes);
        place.ifPresent(at -> dataset.add(new LoggedWrite(at, region, marks.next())));
        return place.isPresent();
      }
    });
  }

  /** Appends elements; a full disk is a full log, unless the log is empty. */
  private Optional<LogRecord.Place> appended(
      LoggedDataset dataset, EncodedMessage message, long mostBytes) {
    try {
      return session
          .log()
          .append(LogRecord.Kind.WRITE, dataset.key().dataset(), message, mostBytes);
    } catch (StorageException full) {
      if (datasets.values().stream().noneMatch(LoggedDataset::isPending)) {
        throw full;
      }
      return Optional.empty();
    }
  }

  /**
   * Reads elements from the log and the part.
   *
   * @return false if they can be read only when they are in the part
   */
  boolean read(LoggedDataset dataset, DatasetOperation.Read read, Region region) {
    return shared(() -> elements.read(dataset, read, region));
  }

  // --- operations that have the door to themselves ---

  /** Passes on an operation when all elements of a dataset before it are in the part. */
  <R> CompletionStage<R> settled(LoggedDataset dataset, Operation<R> operation) {
    return alone(() -> {
      elements.settle(List.of(dataset));
      if (operation.edits()) {
        session.log().append(LogRecord.Kind.SETTLED, dataset.key().dataset(), 0);
        edited();
      }
      return finished(context.below().submit(operation));
    });
  }

  /** Passes on an operation when all elements before it are in the part. */
  <R> CompletionStage<R> settled(Operation<R> operation) {
    return alone(() -> {
      settleAll();
      if (operation.edits()) {
        session.log().append(LogRecord.Kind.SETTLED, -1, 0);
        edited();
      }
      return finished(context.below().submit(operation));
    });
  }

  /** Brings all elements into the part. */
  void settle() {
    if (datasets.values().stream().anyMatch(LoggedDataset::isPending)) {
      alone(() -> {
        settleAll();
        return null;
      });
    }
  }

  /** Passes on a change of the extent, and learns the new one. */
  <R> CompletionStage<R> resized(
      LoggedDataset dataset, Handle handle, Operation<R> operation, boolean grows) {
    return alone(() -> {
      if (!grows) {
        elements.settle(List.of(dataset));
        session.log().append(LogRecord.Kind.SETTLED, dataset.key().dataset(), 0);
      }
      edited();
      CompletionStage<R> stage = finished(context.below().submit(operation));
      long[] before = dataset.space().dims();
      dataset.learn(done(context.below(), new DatasetOperation.Describe(handle)));
      dataset.resized(before, marks.next(), marks.flushed());
      return stage;
    });
  }

  /** Closes a handle of a dataset, which may be the last one of a dataset without a link. */
  <R> CompletionStage<R> closed(LoggedDataset dataset, Handle handle, Operation<R> close) {
    if (!dataset.isLinked() && dataset.isPending()) {
      return alone(() -> {
        elements.settle(List.of(dataset));
        return closedNow(dataset, handle, close);
      });
    }
    return closedNow(dataset, handle, close);
  }

  /** Forgets handles of datasets that are about to be closed with the handle of their file. */
  void release(Map<Handle, LoggedDataset> handles) {
    alone(() -> {
      elements.settle(
          handles.values().stream().filter(each -> !each.isLinked()).distinct().toList());
      handles.forEach((handle, dataset) -> dataset.closed(handle));
      return null;
    });
  }

  private <R> CompletionStage<R> closedNow(
      LoggedDataset dataset, Handle handle, Operation<R> close) {
    return elements.unused(() -> {
      dataset.closed(handle);
      return finished(context.below().submit(close));
    });
  }

  private static <R> CompletionStage<R> finished(CompletionStage<R> stage) {
    stage.toCompletableFuture().exceptionally(failure -> null).join();
    return stage;
  }

  private List<LoggedDataset> pending() {
    return datasets.values().stream().filter(LoggedDataset::isPending).toList();
  }

  private void settleAll() {
    elements.settle(pending());
  }

  private Void startAnew() {
    settleAll();
    marks.startAnew(session.note());
    return null;
  }

  /** Commits everything before: after it, a crash leaves that or a later state. */
  void commit() {
    long number = 0;
    long end = 0;
    door.writeLock().lock();
    try {
      if (!touched) {
        return;
      }
      if (session.log().end() > context.options().elementBytes() + LogOptions.RESERVE / 2) {
        startAnew();
        return;
      }
      if (marks.needsFlush()) {
        marks.flushPart();
      } else {
        end = marks.append();
        number = marks.last();
      }
    } finally {
      door.writeLock().unlock();
    }
    if (end > 0) {
      marks.commit(number, end);
    }
    migrateEarly();
  }

  /** Starts to migrate what is committed, if it is much. */
  private void migrateEarly() {
    long bytes = datasets.values().stream().mapToLong(LoggedDataset::pendingBytes).sum();
    if (bytes >= context.options().capacityBytes() / 4 && !draining) {
      draining = true;
      context.background().execute(this::migrateCommitted);
    }
  }

  private void migrateCommitted() {
    try {
      for (LoggedDataset dataset : pending()) {
        long bytes;
        do {
          bytes = shared(() -> elements.migrate(dataset, marks.committed()));
          context.pace().waitAfter(bytes);
        } while (bytes > 0);
      }
    } catch (RuntimeException failure) {
      // What was not migrated stays in the log; the next migration reports why.
    } finally {
      draining = false;
    }
  }

  // --- the end ---

  /**
   * Ends the logging of the file with the last handle that a program had.
   *
   * @param closing closes that handle
   */
  <R> CompletionStage<R> end(Operation<R> closing) {
    return alone(() -> {
      LogEnding<R> ending =
          new LogEnding<>(
              context, session, marks, elements, pending(), () -> context.below().submit(closing));
      return touched ? ending.run() : ending.untouched();
    });
  }
}
