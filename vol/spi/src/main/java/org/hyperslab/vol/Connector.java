package org.hyperslab.vol;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.store.ByteStore;

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

  /**
   * Makes a connector for which one name denotes a file whose bytes are in a store of the caller,
   * in memory or anywhere else. Other names denote the same files as for this connector: a file
   * that either has open, as through an external link, is shared by both. By default, that of the
   * connector below makes it.
   *
   * @param name of the file, such as {@code memory:1}
   * @param store its bytes, empty if it is to be created; closed with the file
   * @return the connector, to be closed before this one
   * @throws UnsupportedFeatureException if this connector and those below it keep files elsewhere
   */
  default Connector over(String name, ByteStore store) {
    return below()
        .orElseThrow(() ->
            new UnsupportedFeatureException(
                "connector: actual="
                    + name()
                    + ", which has its own storage, expected=a connector that can use a given"
                    + " store, such as native, at="
                    + name))
        .over(name, store);
  }

  /** Completes the submitted operations, closes every open file, and releases all resources. */
  @Override
  void close();
}
