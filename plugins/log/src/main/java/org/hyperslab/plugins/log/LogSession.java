package org.hyperslab.plugins.log;

import static org.hyperslab.plugins.log.LogMigration.done;

import java.util.concurrent.CompletableFuture;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;

/**
 * The files of one logged file while it is edited: part, log and note.
 *
 * <p>Thread rule: the state that changes is used by one thread at a time.
 */
final class LogSession {

  private final Connector below;
  private final LogNames names;
  private final LogNote note;
  private final LogWriter log;
  private final Handle part;
  private final Handle guard;
  private final long fileNumber;
  private final boolean isNew;
  private final boolean forces;
  private boolean released;
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  /**
   * Describes the files.
   *
   * @param below the connector that keeps files
   * @param names their names
   * @param note what the log belongs to
   * @param log the log
   * @param opened the open files
   * @param forces whether they must survive a power cut
   */
  LogSession(
      Connector below,
      LogNames names,
      LogNote note,
      LogWriter log,
      OpenParts opened,
      boolean forces) {
    this.below = below;
    this.names = names;
    this.note = note;
    this.log = log;
    this.part = opened.part();
    this.guard = opened.guard();
    this.fileNumber = opened.fileNumber();
    this.isNew = opened.isNew();
    this.forces = forces;
  }

  /**
   * The open files of a session.
   *
   * @param part a handle of the part, which no program knows
   * @param guard a handle of the file, so that nobody edits it; null if there was none
   * @param fileNumber the number of the part
   * @param isNew whether the part began as a new file, not as a copy
   */
  record OpenParts(Handle part, Handle guard, long fileNumber, boolean isNew) {}

  LogNames names() {
    return names;
  }

  LogNote note() {
    return note;
  }

  LogWriter log() {
    return log;
  }

  Handle part() {
    return part;
  }

  long fileNumber() {
    return fileNumber;
  }

  boolean forces() {
    return forces;
  }

  /** {@return whether the part began as a new file, not as a copy} */
  boolean created() {
    return isNew;
  }

  /** Puts the part, which is complete, in the place of the file. */
  void publish(boolean overwrite) {
    try {
      done(below, new FileOperation.Close(part));
      log.close();
      LogPublication.publish(names, note, forces, overwrite);
    } finally {
      release();
    }
    ended.complete(null);
  }

  /** Deletes part and log, because nothing was edited. */
  void abandon() {
    try {
      done(below, new FileOperation.Close(part));
      log.close();
      LogPublication.discard(names, note);
    } finally {
      release();
    }
    ended.complete(null);
  }

  /** Leaves part and log to a later migration. */
  void leave() {
    try {
      done(below, new FileOperation.Close(part));
      log.close();
    } finally {
      release();
    }
    ended.complete(null);
  }

  private void release() {
    if (guard != null && !released) {
      released = true;
      done(below, new FileOperation.Close(guard));
    }
  }

  /** Leaves part and log to a later migration, because this one has failed. */
  void failed(RuntimeException failure) {
    try {
      leave();
    } catch (HyperslabException also) {
      failure.addSuppressed(also);
    }
    ended.completeExceptionally(failure);
  }

  /** {@return whether no migration is to follow} */
  boolean isOver() {
    return ended.isDone();
  }

  /** Waits until the session is over, even with a failure, which the next migration meets too. */
  void awaitEnd() {
    ended.exceptionally(failure -> null).join();
  }

  /** {@return the failure of a session that is over; null if there was none} */
  HyperslabException failure() {
    return ended.handle((done, e) -> e == null ? null : HyperslabException.of(e, "log")).join();
  }
}
