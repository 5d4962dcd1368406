package org.hyperslab;

import java.lang.ref.Cleaner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.store.RemoteStores;
import org.hyperslab.vol.Capability;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.Uninterrupted;
import org.jspecify.annotations.Nullable;

/**
 * Closes one open file, once. Holds what closing takes, and nothing that the program holds, so that
 * a file which the program has lost can be closed.
 *
 * <p>Thread rule: any thread.
 */
final class FileCloser {

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final Connector connector;
  private final Handle handle;
  private final String name;
  private final boolean lasting;
  private final Runnable release;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final UnseenFailures unseen = new UnseenFailures();

  private volatile Runnable beforeClosing = () -> {};
  private boolean writable;
  private @Nullable OpeningPlace place;
  private Cleaner.@Nullable Cleanable watch;

  /** When the program last used the file, as far as the JVM is ending. */
  private volatile long lastUse = System.nanoTime();

  /**
   * Creates the closer of a file that is about to be opened.
   *
   * @param lasting whether the file outlives the process, unlike one in memory
   * @param release releases the connector, once the file is closed or could not be opened
   */
  FileCloser(Connector connector, Handle handle, String name, boolean lasting, Runnable release) {
    this.connector = connector;
    this.handle = handle;
    this.name = name;
    this.lasting = lasting;
    this.release = release;
  }

  Connector connector() {
    return connector;
  }

  Handle handle() {
    return handle;
  }

  /** Returns the name by which the file is opened, which may hold secrets. */
  String name() {
    return name;
  }

  /** Returns the name for people to read. */
  String shownName() {
    return RemoteStores.shown(name);
  }

  boolean isClosed() {
    return closed.get();
  }

  /** Returns the future that a program gets for an edit which has been started. */
  <R> CompletableFuture<R> edit(CompletableFuture<R> call) {
    return unseen.edit(call);
  }

  /** Returns the future that a program gets for an edit which was refused before it was started. */
  <R> CompletableFuture<R> refused(CompletableFuture<R> edit) {
    return unseen.edit(edit);
  }

  /** Returns a flush that also fails with what failed before it and nobody has seen. */
  <R> CompletableFuture<R> flushing(CompletableFuture<R> flush) {
    return unseen.reportedBy(flush);
  }

  /** Records that the file has been opened, by the calling thread. */
  void opened(boolean forEditing) {
    writable = forEditing;
    Leaks leaks = Leaks.chosen();
    place = leaks.reports(holdsData()) ? OpeningPlace.here(leaks == Leaks.TRACE) : null;
  }

  /** Records what watches whether the file becomes unreachable. */
  void watchedBy(Cleaner.Cleanable cleanable) {
    watch = cleanable;
  }

  /** Returns whether data could be lost if it is not closed. */
  boolean holdsData() {
    return writable && lasting;
  }

  /** Returns whether the ranks of a job close the file together, which none of them may begin. */
  boolean isCollective() {
    return connector.capabilities().contains(Capability.COLLECTIVE);
  }

  /** Gives up a file that could not be opened, or cannot be closed. */
  void abandon() {
    if (begin()) {
      release.run();
    }
  }

  /** Closes the file, waits for it, and releases the connector even if closing fails. */
  void close() {
    if (begin()) {
      finish();
    }
  }

  private void finish() {
    try {
      Calls.await(closing());
    } finally {
      release.run();
    }
  }

  /** Closes the file without waiting; the connector is released when that has completed. */
  CompletableFuture<Void> closeAsync() {
    if (!begin()) {
      return CompletableFuture.completedFuture(null);
    }
    return closing().whenCompleteAsync((done, failure) -> release.run());
  }

  /** Sets what is done first when the file is closed; the file is closed also if it fails. */
  void beforeClosing(Runnable action) {
    beforeClosing = action;
  }

  private CompletableFuture<Void> closing() {
    RuntimeException failed = null;
    try {
      beforeClosing.run();
    } catch (RuntimeException failure) {
      failed = failure;
    }
    CompletableFuture<Void> closed =
        flushing(connector.submit(new FileOperation.Close(handle)).toCompletableFuture());
    RuntimeException first = failed;
    return first == null
        ? closed
        : closed.thenCompose(_ -> CompletableFuture.<Void>failedFuture(first));
  }

  /** Returns whether the caller is the one that closes the file. */
  private boolean begin() {
    if (!closed.compareAndSet(false, true)) {
      return false;
    }
    FileRegistry.OF_PROCESS.remove(this);
    if (watch != null) {
      watch.clean();
    }
    synchronized (this) {
      notifyAll();
    }
    return true;
  }

  // --- files that the program does not close ---

  /**
   * Closes the file in place of the program, and reports it. Says nothing of a file whose connector
   * the program has closed, which closed the file.
   *
   * @param what what is reported
   */
  void end(String what) {
    if (!isOpenBelow()) {
      FileRegistry.OF_PROCESS.remove(this);
    } else if (begin()) {
      try {
        finish();
        report(what);
      } catch (RuntimeException failure) {
        report("was not closed; closing it in its place failed: " + failure.getMessage());
      }
    }
  }

  private boolean isOpenBelow() {
    try {
      Calls.await(connector.submit(new FileOperation.Describe(handle)));
      return true;
    } catch (InvalidUseException gone) {
      return false;
    } catch (RuntimeException failure) {
      return true;
    }
  }

  /** Makes what was written durable; returns whether the file is still open. */
  boolean flush() {
    try {
      Calls.await(connector.submit(new FileOperation.Flush(handle)));
      return !isClosed();
    } catch (InvalidUseException gone) {
      return false;
    }
  }

  /** Records that the program uses the file, while the JVM ends. */
  void use() {
    lastUse = System.nanoTime();
  }

  /** Waits until the program has not used the file for a time, or has closed it. */
  void awaitUnused(long milliseconds) {
    long quiet = milliseconds * NANOS_PER_MILLI;
    use();
    synchronized (this) {
      for (long left = quiet; left > 0 && !isClosed(); ) {
        Uninterrupted.await(this, () -> !isClosed(), Math.max(1, left / NANOS_PER_MILLI));
        left = quiet - (System.nanoTime() - lastUse);
      }
    }
  }

  /** Prints a warning about the file, unless it is not to be reported. */
  void report(String what) {
    if (place != null) {
      System.err.println(
          "hyperslab: warning: " + shownName() + place.sentence() + " " + what + place.calls());
    }
  }
}
