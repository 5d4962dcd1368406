package org.hyperslab;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.vol.Connectors;

/**
 * Waits for stages. If a stage has failed, throws a failure of its class and message with a stack
 * trace that has the waiting caller ({@link Traces}); the failure itself may be known to other
 * callers and is not changed.
 */
final class Calls {

  private Calls() {}

  /** Waits for a stage and returns its result. */
  static <R> R await(CompletionStage<R> stage) {
    CompletableFuture<R> future = stage.toCompletableFuture();
    try {
      return future.join();
    } catch (CompletionException e) {
      throw here(Connectors.causeOf(e));
    }
  }

  private static RuntimeException here(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    if (failure instanceof HyperslabException typed) {
      return Traces.here(typed);
    }
    return failure instanceof RuntimeException unchecked
        ? unchecked
        : new CompletionException(failure);
  }
}
