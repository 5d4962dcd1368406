package org.hyperslab.plugins.mpiio.agree;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import org.hyperslab.vol.TrackedFuture;

/**
 * The future of a deferred operation. Waiting for it, or registering a callback, first makes the
 * ranks agree on all that is deferred. Dependent stages behave in the same way. Watching it with
 * {@link TrackedFuture#watch} does not.
 *
 * <p>Thread rule: any thread.
 *
 * @param <R> the result
 */
public final class PendingFuture<R> extends TrackedFuture<R> {

  private final Runnable settle;

  /**
   * Creates a future of a deferred operation.
   *
   * @param settle completes it; does nothing if it is complete
   */
  public PendingFuture(Runnable settle) {
    this.settle = settle;
  }

  private PendingFuture(PendingFuture<?> origin) {
    super(origin);
    this.settle = origin.settle;
  }

  /** {@return false: the layer above knows the file of the operation} */
  @Override
  public boolean isReportedByConnector() {
    return false;
  }

  private void settled() {
    if (!isDone()) {
      settle.run();
    }
  }

  /** Stages derived from this one are of this kind. */
  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new PendingFuture<>(this);
  }

  @Override
  public R join() {
    settled();
    return super.join();
  }

  @Override
  public R get() throws InterruptedException, ExecutionException {
    settled();
    return super.get();
  }

  @Override
  public R get(long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    settled();
    return super.get(timeout, unit);
  }

  @Override
  public <U> CompletableFuture<U> handle(BiFunction<? super R, Throwable, ? extends U> then) {
    settled();
    return super.handle(then);
  }

  @Override
  public <U> CompletableFuture<U> handleAsync(BiFunction<? super R, Throwable, ? extends U> then) {
    settled();
    return super.handleAsync(then);
  }

  @Override
  public <U> CompletableFuture<U> handleAsync(
      BiFunction<? super R, Throwable, ? extends U> then, Executor executor) {
    settled();
    return super.handleAsync(then, executor);
  }

  @Override
  public CompletableFuture<R> whenComplete(BiConsumer<? super R, ? super Throwable> then) {
    settled();
    return super.whenComplete(then);
  }

  @Override
  public CompletableFuture<R> whenCompleteAsync(BiConsumer<? super R, ? super Throwable> then) {
    settled();
    return super.whenCompleteAsync(then);
  }

  @Override
  public CompletableFuture<R> whenCompleteAsync(
      BiConsumer<? super R, ? super Throwable> then, Executor executor) {
    settled();
    return super.whenCompleteAsync(then, executor);
  }
}
