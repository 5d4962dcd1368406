package org.hyperslab;

import java.lang.ref.Reference;
import java.util.concurrent.CompletableFuture;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.FileInfo;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.TrackedFuture;

/**
 * The state shared by all objects of one open file: the connector, the file's handle, and whether
 * it is closed. When none of these objects is reachable any more, and no operation is under way,
 * {@link FileRegistry} closes the file.
 *
 * <p>Thread rule: any thread.
 */
final class OpenFile {

  private final FileCloser closer;
  private final CompletableFuture<FileInfo> opened;

  /** Submits the opening operation of the file that {@code closer} closes. */
  OpenFile(FileCloser closer, FileOperation<FileInfo> opening) {
    this.closer = closer;
    this.opened = closer.connector().submit(opening).toCompletableFuture();
  }

  /** Waits until the file is open; releases the connector if it cannot be opened. */
  void awaitOpened() {
    try {
      closer.opened(Calls.await(opened).writable());
      FileRegistry.OF_PROCESS.add(this, closer);
    } catch (RuntimeException | Error e) {
      closer.abandon();
      throw e;
    }
  }

  Connector connector() {
    return closer.connector();
  }

  Handle handle() {
    return closer.handle();
  }

  /** Returns the name for people to read, without secrets. */
  String name() {
    return closer.shownName();
  }

  boolean isClosed() {
    return closer.isClosed();
  }

  CompletableFuture<FileInfo> opened() {
    return opened;
  }

  <R> CompletableFuture<R> submit(Operation<R> operation) {
    if (closer.isClosed()) {
      return CompletableFuture.failedFuture(
          new InvalidUseException(
              "file: actual=closed, expected=open, at=" + name() + "; use it before it is closed"));
    }
    FileRegistry.OF_PROCESS.use(closer);
    CompletableFuture<R> result = closer.connector().submit(operation).toCompletableFuture();
    if (!closer.isCollective() && !result.isDone()) {
      // The file stays reachable as long as the connector has the operation. Files of ranks are not
      // closed for the program, and watching a deferred operation would make the ranks agree on it.
      TrackedFuture.watch(result, (_, _) -> Reference.reachabilityFence(this));
    }
    Reference.reachabilityFence(this);
    return result;
  }

  <R> R call(Operation<R> operation) {
    return Calls.await(submit(operation));
  }

  /** Closes the file once, waits for it, and releases the connector even if closing fails. */
  void close() {
    closer.close();
  }

  /** Closes the file once, without waiting; the connector is released when that has completed. */
  CompletableFuture<Void> closeAsync() {
    return closer.closeAsync();
  }
}
