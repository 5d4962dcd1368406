package org.hyperslab.plugins.forwarding.journal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.base.Scheduling;

/**
 * Carries out operations one after another without a thread that waits. A step that follows an
 * incomplete stage runs in a thread of the executor, never in the thread that completes the stage:
 * submitting an operation may wait for that very thread.
 *
 * <p>Thread rule: any thread.
 */
final class Steps {

  private final Executor executor;
  private final Scheduling scheduling;

  Steps(Executor executor, Scheduling scheduling) {
    this.executor = executor;
    this.scheduling = scheduling;
  }

  /** {@return what gives threads that may wait} */
  Scheduling scheduling() {
    return scheduling;
  }

  /** {@return the executor that runs steps} */
  Executor executor() {
    return executor;
  }

  /** {@return the stage of an operation, also if the connector throws} */
  static <R> CompletionStage<R> submit(Connector connector, Operation<R> operation) {
    try {
      return connector.submit(operation);
    } catch (RuntimeException | Error failed) {
      return CompletableFuture.failedFuture(failed);
    }
  }

  /** {@return the stage of a step after one that has succeeded; a failure skips the step} */
  <A, B> CompletionStage<B> then(CompletionStage<A> before, Function<A, CompletionStage<B>> step) {
    return always(
        before,
        (value, failure) ->
            failure == null ? step.apply(value) : CompletableFuture.failedFuture(failure));
  }

  /** {@return the stage of a step after one that has succeeded or failed} */
  <A, B> CompletionStage<B> always(
      CompletionStage<A> before, BiFunction<A, Throwable, CompletionStage<B>> step) {
    CompletableFuture<A> future = before.toCompletableFuture();
    return future.isDone()
        ? future.handle(step).thenCompose(Steps::itself)
        : future.handleAsync(step, executor).thenCompose(Steps::itself);
  }

  private static <B> CompletionStage<B> itself(CompletionStage<B> stage) {
    return stage;
  }

  /** {@return the value of a stage that has succeeded; null if it is incomplete or has failed} */
  static <R> R valueOf(CompletionStage<R> stage) {
    CompletableFuture<R> future = stage.toCompletableFuture();
    return future.state() == CompletableFuture.State.SUCCESS ? future.resultNow() : null;
  }

  /** {@return the failure of a stage that has failed; null if it is incomplete or has succeeded} */
  static Throwable failureOf(CompletionStage<?> stage) {
    CompletableFuture<?> future = stage.toCompletableFuture();
    try {
      return future.isCompletedExceptionally() ? future.exceptionNow() : null;
    } catch (IllegalStateException cancelled) {
      return new CompletionException("cancelled", cancelled);
    }
  }
}
