package org.hyperslab.plugins.forwarding.compact;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.hyperslab.error.UnsupportedFeatureException;

/**
 * Queues the requests of many clients per dataset, and carries them out batch by batch.
 *
 * <p>The promise on order: what requests do to overlapping elements, and what they see of them, is
 * as if all were carried out one by one in the order in which {@link #submit} was called. A read
 * may be answered from a write that has not reached the storage yet, and fails there later.
 *
 * <p>Every request gets exactly one reply. A merged request that fails is repeated request by
 * request, so that each reply tells of the request's own failure only.
 *
 * <p>Thread rule: any thread may submit; the order among threads is that in which they get in.
 */
public final class Compactor implements AutoCloseable {

  /**
   * A compactor with nothing queued.
   *
   * @param layer what carries out merged requests
   * @param options how it works
   * @param executor runs planning, copies and calls to the layer; not closed with it. A pool's size
   *     limits how many requests are under way in a layer that completes before it returns
   * @param trigger the clock for gathering
   */
  public Compactor(
      StorageLayer layer, CompactorOptions options, Executor executor, Trigger trigger) {}

  /**
   * Queues a request.
   *
   * @return completes with the reply when the request has been carried out, or fails with the
   *     request's own failure. A write's buffer is free then; a read's is filled.
   */
  public CompletableFuture<Reply> submit(Request request) {
    return CompletableFuture.failedFuture(new UnsupportedFeatureException("written soon"));
  }

  /** How long requests on a dataset gather from now on, instead of what the options say. */
  public void gather(DataKey key, Gather gather) {}

  /** Starts all that is gathering. */
  public void release() {}

  /** Hears of every request that has ended, for logs and tests; called before its reply. */
  public void onTrace(Consumer<Trace> listener) {}

  /** How it does now. */
  public CompactorCounts counts() {
    return null;
  }

  /** Refuses new requests and waits until all have their replies. */
  @Override
  public void close() {}
}
