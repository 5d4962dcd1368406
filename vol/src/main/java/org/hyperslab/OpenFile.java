package org.hyperslab;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.FileInfo;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.Operation;

/**
 * The state shared by all objects of one open file: the connector, the file's handle, and whether
 * it is closed.
 *
 * <p>Thread rule: any thread.
 */
final class OpenFile {

  private final Connector connector;
  private final Handle handle;
  private final String name;
  private final Runnable release;
  private final CompletableFuture<FileInfo> opened;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * Submits the opening operation.
   *
   * @param release releases the connector, once the file is closed or could not be opened
   */
  OpenFile(Connector connector, FileOperation<FileInfo> opening, String name, Runnable release) {
    this.connector = connector;
    this.handle = opening.subject();
    this.name = name;
    this.release = release;
    this.opened = connector.submit(opening).toCompletableFuture();
  }

  /** Waits until the file is open; releases the connector if it cannot be opened. */
  void awaitOpened() {
    try {
      Calls.await(opened);
    } catch (RuntimeException | Error e) {
      if (closed.compareAndSet(false, true)) {
        release.run();
      }
      throw e;
    }
  }

  Connector connector() {
    return connector;
  }

  Handle handle() {
    return handle;
  }

  String name() {
    return name;
  }

  boolean isClosed() {
    return closed.get();
  }

  CompletableFuture<FileInfo> opened() {
    return opened;
  }

  <R> CompletableFuture<R> submit(Operation<R> operation) {
    if (closed.get()) {
      return CompletableFuture.failedFuture(
          new InvalidUseException(
              "file: actual=closed, expected=open, at=" + name + "; use it before it is closed"));
    }
    return connector.submit(operation).toCompletableFuture();
  }

  <R> R call(Operation<R> operation) {
    return Calls.await(submit(operation));
  }

  /** Closes the file once, waits for it, and releases the connector even if closing fails. */
  void close() {
    if (closed.compareAndSet(false, true)) {
      try {
        Calls.await(connector.submit(new FileOperation.Close(handle)));
      } finally {
        release.run();
      }
    }
  }

  /** Closes the file once, without waiting; the connector is released when that has completed. */
  CompletableFuture<Void> closeAsync() {
    if (!closed.compareAndSet(false, true)) {
      return CompletableFuture.completedFuture(null);
    }
    return connector
        .submit(new FileOperation.Close(handle))
        .toCompletableFuture()
        .whenCompleteAsync((done, failure) -> release.run());
  }
}
