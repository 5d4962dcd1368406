package org.hyperslab.plugins.forwarding.journal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A started operation.
 *
 * @param result completes with the operation's result or failure
 * @param over completes when operations that must come later may start; never fails. It may
 *     complete before the result, for example if a connector keeps the order of what follows
 * @param <R> the type of the result
 */
public record Underway<R>(CompletionStage<R> result, CompletionStage<?> over) {

  private static final CompletionStage<?> AT_ONCE = CompletableFuture.completedStage(null);

  /**
   * Returns an operation that holds up nothing: the connector keeps its order, or it has none.
   *
   * @param result the stage of its result
   * @param <R> the result
   * @return the operation
   */
  public static <R> Underway<R> passing(CompletionStage<R> result) {
    return new Underway<>(result, AT_ONCE);
  }

  /**
   * Returns an operation that holds up later ones until its result is known.
   *
   * @param result the stage of its result
   * @param <R> the result
   * @return the operation
   */
  public static <R> Underway<R> holding(CompletionStage<R> result) {
    return new Underway<>(result, result.handle((done, failure) -> null));
  }

  /** {@return this operation with another result} */
  <S> Underway<S> with(CompletionStage<S> other) {
    return new Underway<>(other, over);
  }

  /**
   * Returns an operation that has failed.
   *
   * @param failure its failure
   * @param <R> the result
   * @return the operation
   */
  public static <R> Underway<R> failed(Throwable failure) {
    return passing(CompletableFuture.failedFuture(failure));
  }

  /** {@return an operation that is itself started later, as one} */
  static <R> Underway<R> later(CompletionStage<Underway<R>> started) {
    return new Underway<>(
        started.thenCompose(Underway::result),
        started.exceptionally(Underway::failed).thenCompose(underway -> underway.over));
  }
}
