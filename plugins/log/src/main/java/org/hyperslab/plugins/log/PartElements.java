package org.hyperslab.plugins.log;

import static org.hyperslab.plugins.log.LogMigration.done;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.plugins.codec.OperationCodec;
import org.hyperslab.plugins.compacting.plan.Region;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.ObjectOperation;

/**
 * The elements of a part: written by one migration at a time, and read while there is none.
 *
 * <p>Elements of datasets that a crash would leave are overwritten only when they are committed. If
 * an operation needs them earlier, the log first gets the elements that they replace, so that a
 * migration after a crash restores them; if that is not possible, everything is committed.
 *
 * <p>Thread rule: any thread behind the door of the file.
 */
final class PartElements {

  private final LogContext context;
  private final LogSession session;
  private final LogMarks marks;
  private final LogReads reads;
  private final ReadWriteLock lock = new ReentrantReadWriteLock();

  PartElements(LogContext context, LogSession session, LogMarks marks) {
    this.context = context;
    this.session = session;
    this.marks = marks;
    this.reads = new LogReads(context.below(), session.log());
  }

  private static <R> R locked(Lock lock, Supplier<R> action) {
    lock.lock();
    try {
      return action.get();
    } finally {
      lock.unlock();
    }
  }

  /** Reads elements of the log and the part; returns false if they have to be migrated before. */
  boolean read(LoggedDataset dataset, DatasetOperation.Read read, Region region) {
    return locked(lock.readLock(), () -> reads.read(dataset, read, region));
  }

  /** Does something while no migration uses a handle. */
  <R> R unused(Supplier<R> action) {
    return locked(lock.writeLock(), action);
  }

  /**
   * Writes the oldest elements of a dataset to the part.
   *
   * @param mark the last mark whose elements are written
   * @return the bytes, 0 if there are none
   */
  long migrate(LoggedDataset dataset, long mark) {
    return locked(
        lock.writeLock(),
        () -> {
          List<LoggedWrite> batch = dataset.oldest(LogMigration.BATCH_BYTES, mark);
          if (batch.isEmpty()) {
            return 0L;
          }
          on(
              dataset,
              handle -> {
                context.migration().writeTo(handle, dataset.target(), batch, session.log()::read);
                return null;
              });
          dataset.migrated(batch);
          return batch.stream().mapToLong(each -> each.place().payloadBytes()).sum();
        });
  }

  /** An action with the handle of a dataset. */
  private interface OnDataset<R> {
    R run(Handle dataset);
  }

  private <R> R on(LoggedDataset dataset, OnDataset<R> action) {
    Optional<Handle> writer = dataset.writer();
    if (writer.isPresent()) {
      return action.run(writer.get());
    }
    Handle handle = Handle.fresh();
    ObjectToken token = new ObjectToken(dataset.key().dataset());
    done(context.below(), new ObjectOperation.OpenToken(handle, session.part(), token));
    try {
      return action.run(handle);
    } finally {
      done(context.below(), new ObjectOperation.Close(handle));
    }
  }

  /** Writes all elements of datasets to the part, at the rate that is allowed. */
  void migrateAll(List<LoggedDataset> datasets) {
    for (LoggedDataset dataset : datasets) {
      long bytes;
      do {
        bytes = migrate(dataset, Long.MAX_VALUE);
        context.pace().waitAfter(bytes);
      } while (bytes > 0);
    }
  }

  /**
   * Writes all elements of datasets to the part, committed or not; while nothing else passes the
   * door.
   */
  void settle(List<LoggedDataset> datasets) {
    for (LoggedDataset dataset : datasets) {
      if (marks.isHazard(dataset)) {
        migrateAll(dataset, marks.committed());
        if (!canRestore(dataset)) {
          marks.flushPart();
        }
      }
      migrateAll(dataset, Long.MAX_VALUE);
    }
  }

  private void migrateAll(LoggedDataset dataset, long mark) {
    while (migrate(dataset, mark) > 0) {
      // until nothing is pending
    }
  }

  /** {@return whether the log has what the pending elements of a dataset replace} */
  private boolean canRestore(LoggedDataset dataset) {
    List<LoggedWrite> batch = dataset.oldest(Long.MAX_VALUE, Long.MAX_VALUE);
    if (dataset.pendingBytes() > LogMigration.BATCH_BYTES) {
      return false;
    }
    boolean appended =
        on(dataset, handle -> batch.stream().allMatch(each -> append(dataset, handle, each)));
    if (appended) {
      marks.write();
    }
    return appended;
  }

  private boolean append(LoggedDataset dataset, Handle handle, LoggedWrite write) {
    Region region = dataset.since(write.region(), marks.flushed());
    if (region.elements() == 0) {
      return true;
    }
    long bytes = region.elements() * dataset.kind().bytes();
    MemorySegment elements = MemorySegment.ofArray(new byte[Math.toIntExact(bytes)]);
    DataBuffer buffer = DataBuffer.of(elements);
    DatasetOperation.Transfer transfer = LogReads.packed(dataset.type(), region);
    done(context.below(), new DatasetOperation.Read(handle, transfer, buffer));
    return session
        .log()
        .append(
            LogRecord.Kind.REPLACED,
            dataset.key().dataset(),
            OperationCodec.encode(
                new DatasetOperation.Write(new Handle(dataset.key().dataset()), transfer, buffer)),
            context.options().elementBytes())
        .isPresent();
  }
}
