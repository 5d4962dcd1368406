package org.hyperslab;

import java.lang.ref.Reference;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.FileInfo;
import org.hyperslab.model.StepOptions;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.ObjectOperation;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.TrackedFuture;
import org.jspecify.annotations.Nullable;

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
  private volatile @Nullable StepWriter steps;
  private final ObjectHandles handles = new ObjectHandles(this::release);

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

  /**
   * Starts the steps of the file, whose table exists.
   *
   * @throws InvalidUseException if they are started
   */
  synchronized void startSteps(List<String> datasets, StepOptions options) {
    if (steps != null) {
      throw new InvalidUseException(
          "startSteps: actual=started before, expected=not started, at=" + name());
    }
    StepWriter started = new StepWriter(connector(), handle(), name(), datasets, options);
    closer.beforeClosing(started::close);
    steps = started;
  }

  /** Returns what writes the file in steps; null if steps are not started. */
  @Nullable StepWriter steps() {
    return steps;
  }

  Connector connector() {
    return closer.connector();
  }

  /** Returns whether all ranks of a parallel job make the calls on metadata together. */
  boolean isCollective() {
    return closer.isCollective();
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
    return submit(operation, this);
  }

  /**
   * Submits an operation.
   *
   * @param user the object that the operation uses, which stays reachable as long as the connector
   *     has the operation
   */
  <R> CompletableFuture<R> submit(Operation<R> operation, Object user) {
    if (closer.isClosed()) {
      return CompletableFuture.failedFuture(
          new InvalidUseException(
              "file: actual=closed, expected=open, at=" + name() + "; use it before it is closed"));
    }
    FileRegistry.OF_PROCESS.use(closer);
    StepWriter writer = steps;
    if (writer != null) {
      try {
        writer.before(operation);
      } catch (RuntimeException failure) {
        return CompletableFuture.failedFuture(failure);
      }
    }
    CompletableFuture<R> result = closer.connector().submit(operation).toCompletableFuture();
    if (!closer.isCollective() && !result.isDone()) {
      // Files of ranks are not closed for the program, and watching a deferred operation would make
      // the ranks agree on it.
      TrackedFuture.watch(result, (_, _) -> Reference.reachabilityFence(user));
    }
    Reference.reachabilityFence(user);
    return operation.flushes() ? closer.flushing(result) : result;
  }

  /**
   * Returns the future that a program gets for an edit which it does not wait for. If that fails
   * and nobody looks at the future, the next flush or close of the file fails with it.
   */
  <R> CompletableFuture<R> edit(CompletableFuture<R> call) {
    return closer.edit(call);
  }

  /**
   * Starts an edit, and returns the future that a program gets for it. What the call throws, it
   * throws before anything is submitted: with several ranks, no other rank knows that failure.
   *
   * @param call starts the edit
   * @param named derives a future whose failure names what is edited
   */
  <R> CompletableFuture<R> edit(
      Supplier<CompletableFuture<R>> call, UnaryOperator<CompletableFuture<R>> named) {
    CompletableFuture<R> started;
    try {
      started = call.get();
    } catch (RuntimeException failure) {
      return closer.refused(named.apply(CompletableFuture.failedFuture(failure)));
    }
    return closer.edit(named.apply(started));
  }

  /**
   * Records that an object has a handle, which is released if the program loses the object.
   *
   * @param opened completes when the object is open
   * @return what is to be removed when the object is closed; null if ranks release handles together
   */
  ObjectHandles.@Nullable Held holds(Object object, Handle handle, CompletableFuture<?> opened) {
    return closer.isCollective() ? null : handles.add(object, handle, opened);
  }

  /** Releases the handle of an object; does nothing if the file is closed. */
  CompletableFuture<Void> release(Handle handle, ObjectHandles.@Nullable Held held) {
    if (held != null) {
      handles.remove(held);
    }
    return isClosed()
        ? CompletableFuture.completedFuture(null)
        : connector().submit(new ObjectOperation.Close(handle)).toCompletableFuture();
  }

  /** Releases the handle of an object that the program has lost. */
  private void release(ObjectHandles.Held lost) {
    if (isClosed()) {
      return;
    }
    CompletionStage<Void> released = connector().submit(new ObjectOperation.Close(lost.handle()));
    if (lost.isUnopened()) {
      released.exceptionally(_ -> null); // the failure is that of the opening
    } else {
      TrackedFuture.watch(released, (_, failure) -> report(failure, lost));
    }
  }

  private void report(Throwable failure, ObjectHandles.Held lost) {
    if (failure != null && !isClosed() && !lost.isUnopened()) {
      closer.report("has an object that was not closed, and could not be closed: " + failure);
    }
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
