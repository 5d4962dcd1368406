package org.hyperslab.vol;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A future that remembers whether its outcome has been observed, so that a failure no one observed
 * can be reported elsewhere, as by a flush. Futures derived from it share that state.
 *
 * <p>Thread rule: any thread.
 *
 * @param <R> the result
 */
public class TrackedFuture<R> extends CompletableFuture<R> {

  private final AtomicBoolean observed;

  /**
   * The call that this future is a part of; observing its outcome also observes a failure of this
   * one.
   */
  private volatile @Nullable TrackedFuture<?> whole;

  /** Creates a future that has not been observed. */
  public TrackedFuture() {
    this(new AtomicBoolean());
  }

  private TrackedFuture(AtomicBoolean observed) {
    this.observed = observed;
  }

  /**
   * Creates a future that is derived from another one: who observes one observes both.
   *
   * @param origin the other future
   */
  protected TrackedFuture(TrackedFuture<?> origin) {
    this(origin.observed);
  }

  /**
   * Returns whether the connector reports the failure itself, at a flush or close, if nobody has
   * observed it. Otherwise the layer above does.
   *
   * @return true, unless a subclass says otherwise
   */
  public boolean isReportedByConnector() {
    return true;
  }

  /** {@return whether the outcome has been observed, or will be} */
  public boolean isObserved() {
    TrackedFuture<?> all = whole;
    return observed.get() || (all != null && all.isObserved());
  }

  /** Makes this a part of another call, whose outcome includes the outcome of this one. */
  void partOf(TrackedFuture<?> all) {
    whole = all;
  }

  /**
   * Completes with the outcome of another stage.
   *
   * @param result the result; null if it failed
   * @param failure the failure; null if there is none
   */
  public void follow(@Nullable R result, @Nullable Throwable failure) {
    if (failure != null) {
      completeExceptionally(failure);
    } else {
      complete(result);
    }
  }

  /**
   * Runs an action when a stage completes, without counting as an observation of its outcome.
   *
   * @param <R> the type of the result
   * @param stage the stage to watch
   * @param action receives the result or the failure
   * @return a stage that completes after the action as the given one does
   */
  public static <R> CompletionStage<R> watch(
      CompletionStage<R> stage, BiConsumer<? super R, ? super Throwable> action) {
    return stage instanceof TrackedFuture<R> tracked
        ? tracked.watched(action)
        : stage.whenComplete(action);
  }

  private CompletableFuture<R> watched(BiConsumer<? super R, ? super Throwable> action) {
    return super.whenComplete(action);
  }

  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new TrackedFuture<>(observed);
  }

  @Override
  public R join() {
    observed.set(true);
    return super.join();
  }

  @Override
  public R get() throws InterruptedException, ExecutionException {
    observed.set(true);
    return super.get();
  }

  @Override
  public R get(long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    R result = super.get(timeout, unit);
    observed.set(true);
    return result;
  }

  @Override
  public R getNow(R absent) {
    if (isDone()) {
      observed.set(true);
    }
    return super.getNow(absent);
  }

  @Override
  public Throwable exceptionNow() {
    observed.set(true);
    return super.exceptionNow();
  }

  @Override
  public <U> CompletableFuture<U> handle(BiFunction<? super R, Throwable, ? extends U> then) {
    observed.set(true);
    return super.handle(then);
  }

  @Override
  public <U> CompletableFuture<U> handleAsync(BiFunction<? super R, Throwable, ? extends U> then) {
    observed.set(true);
    return super.handleAsync(then);
  }

  @Override
  public <U> CompletableFuture<U> handleAsync(
      BiFunction<? super R, Throwable, ? extends U> then, Executor executor) {
    observed.set(true);
    return super.handleAsync(then, executor);
  }

  @Override
  public CompletableFuture<R> whenComplete(BiConsumer<? super R, ? super Throwable> then) {
    observed.set(true);
    return super.whenComplete(then);
  }

  @Override
  public CompletableFuture<R> whenCompleteAsync(BiConsumer<? super R, ? super Throwable> then) {
    observed.set(true);
    return super.whenCompleteAsync(then);
  }

  @Override
  public CompletableFuture<R> whenCompleteAsync(
      BiConsumer<? super R, ? super Throwable> then, Executor executor) {
    observed.set(true);
    return super.whenCompleteAsync(then, executor);
  }

  @Override
  public CompletableFuture<R> exceptionally(Function<Throwable, ? extends R> then) {
    observed.set(true);
    return super.exceptionally(then);
  }
}
