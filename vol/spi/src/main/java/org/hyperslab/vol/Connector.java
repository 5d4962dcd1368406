package org.hyperslab.vol;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * Carries out operations: natively, collectively, remotely, or by passing them to another
 * connector.
 *
 * <p>Ordering guarantee: operations that one thread submits on handles of one file take effect as
 * if they were executed in that order. Operations of different threads, or on different files, are
 * not ordered unless one's stage has completed before the other is submitted.
 *
 * <p>Failure never throws out of {@link #submit}: it completes the stage exceptionally with a
 * {@link org.hyperslab.error.HyperslabException}, as it is or in the {@link
 * java.util.concurrent.CompletionException} that derived stages put around it; {@link
 * Connectors#causeOf} unwraps it.
 *
 * <p>Thread rule: any thread may call any method.
 */
public interface Connector extends AutoCloseable {

  /** {@return the name by which configuration strings choose it, such as {@code native}} */
  String name();

  /** {@return what it can do} */
  Set<Capability> capabilities();

  /** {@return the connector to which it passes operations, if it does} */
  default Optional<Connector> below() {
    return Optional.empty();
  }

  /**
   * Submits one operation.
   *
   * @param <R> the type of the result
   * @param operation the operation
   * @return a stage that completes with the operation's result, perhaps before this returns
   */
  <R> CompletionStage<R> submit(Operation<R> operation);

  /** Completes the submitted operations, closes every open file, and releases all resources. */
  @Override
  void close();
}
