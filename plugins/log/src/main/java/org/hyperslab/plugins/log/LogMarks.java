package org.hyperslab.plugins.log;

import static org.hyperslab.plugins.log.LogMigration.done;

import org.hyperslab.error.StorageException;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;

/**
 * The marks of a log: each commits all records before it. A mark after edits of metadata is
 * followed by a flush of the part, which stores the number of the mark with the metadata; the
 * others need the log alone.
 *
 * <p>Thread rule: any thread; those methods that say so while nothing else is under way.
 */
final class LogMarks {

  private final Connector below;
  private final Handle part;
  private final LogWriter log;
  private final boolean forces;
  private volatile long mark;
  private volatile long flushed;
  private volatile long committed;
  private volatile boolean edited;

  /**
   * Creates the marks of a log that has begun.
   *
   * @param part a handle of the part
   * @param forces whether what is committed must survive a power cut
   * @param edited whether the part has edits that were not flushed
   */
  LogMarks(Connector below, Handle part, LogWriter log, boolean forces, boolean edited) {
    this.below = below;
    this.part = part;
    this.log = log;
    this.forces = forces;
    this.edited = edited;
  }

  /** {@return the mark that will commit what is appended now} */
  long next() {
    return mark + 1;
  }

  /** {@return the mark up to which everything is committed} */
  long committed() {
    return committed;
  }

  /** {@return whether a commit is to survive a power cut} */
  boolean forces() {
    return forces;
  }

  /** Records that the part was edited, so that the next commit has to flush it. */
  void edited() {
    edited = true;
  }

  /** {@return whether the part was never flushed, so that a crash leaves nothing of it} */
  boolean isFresh() {
    return flushed == 0;
  }

  /** {@return whether a commit has to flush the part} */
  boolean needsFlush() {
    return edited || flushed == 0;
  }

  /**
   * Returns whether elements of a dataset must not be written to the part: they are not committed,
   * and the dataset is part of the state that a crash would leave.
   */
  boolean isHazard(LoggedDataset dataset) {
    return flushed > 0 && dataset.born() <= flushed && dataset.isPendingAfter(committed);
  }

  /**
   * Appends a mark; while nothing else is under way.
   *
   * @return the length of the log that has to be on storage
   */
  long append() {
    long end = log.append(LogRecord.Kind.MARK, next(), needsFlush() ? 1 : 0);
    mark = next();
    return end;
  }

  /** {@return the mark whose metadata the part has on storage; 0 if it was never flushed} */
  long flushed() {
    return flushed;
  }

  /** Waits until what is appended survives what commits survive. */
  void write() {
    if (forces) {
      log.commit(log.end());
    } else {
      log.write();
    }
  }

  /** Waits until the log has an appended mark, if no flush of the part is needed. */
  void commit(long number, long end) {
    if (forces) {
      log.commit(end);
    } else {
      log.write();
    }
    committedUpTo(number);
  }

  private synchronized void committedUpTo(long number) {
    committed = Math.max(committed, number);
  }

  /** {@return the last mark} */
  long last() {
    return mark;
  }

  /** Commits everything by a mark and a flush of the part; while nothing else is under way. */
  void flushPart() {
    append();
    write();
    store(mark);
  }

  private void store(long marker) {
    LogMarker.flush(below, part, marker);
    flushed = mark;
    edited = false;
    committedUpTo(mark);
  }

  /**
   * Starts the log again, when all of its elements are in the part; while nothing else is under
   * way.
   */
  void startAnew(LogNote note) {
    mark = next();
    store(-mark);
    log.startAnew(note, mark);
  }

  /**
   * Stores the part as it is to be published, when all elements are in it; while nothing else is
   * under way.
   */
  void complete(LogNote note) {
    boolean fresh = isFresh();
    if (fresh) {
      done(below, new FileOperation.Flush(part));
    }
    long end;
    try {
      end = log.append(LogRecord.Kind.COMPLETE, 0, 0);
      commit(mark, end);
    } catch (StorageException full) {
      startAnew(note);
      end = log.append(LogRecord.Kind.COMPLETE, 0, 0);
      commit(mark, end);
    }
    if (!fresh || flushed > 0) {
      done(below, new FileOperation.Flush(part));
    }
  }
}
