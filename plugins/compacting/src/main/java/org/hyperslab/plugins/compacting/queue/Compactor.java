package org.hyperslab.plugins.compacting.queue;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;
import org.hyperslab.plugins.compacting.options.CompactorOptions;
import org.hyperslab.plugins.compacting.options.FullPolicy;
import org.hyperslab.plugins.compacting.options.GatherPolicy;
import org.hyperslab.plugins.compacting.plan.BatchPlanner;
import org.hyperslab.plugins.compacting.plan.DataKey;
import org.hyperslab.plugins.compacting.plan.MergeOptions;
import org.hyperslab.plugins.compacting.plan.RawRequest;
import org.hyperslab.plugins.compacting.plan.WriteRequest;
import org.hyperslab.plugins.compacting.report.CompactorCounts;
import org.hyperslab.plugins.compacting.report.RequestOutcome;
import org.hyperslab.plugins.compacting.report.Trace;
import org.hyperslab.vol.Connectors;

/**
 * Queues the requests of many clients for each dataset and carries them out in batches.
 *
 * <p>Requests have the same effect on overlapping elements, and see the same values, as if they
 * were carried out one by one in the order in which {@link #submit} was called. A read may be
 * answered from a write that has not reached the storage yet and may still fail there.
 *
 * <p>Every request gets exactly one reply. If a merged request fails, its requests are repeated one
 * by one, so that each reply reports only the request's own failure.
 *
 * <p>Thread rule: any thread may submit; among threads, the order is that in which requests enter
 * the queue. Replies complete in threads of the executor or in the submitting thread; dependent
 * actions must not block.
 */
public final class Compactor implements AutoCloseable {

  /** The least number of bytes queued before a small request with which it may bypass them. */
  public static final long LARGE_BYTES = 8 << 20;

  private final CompactorOptions options;
  private final Admission admission;
  private final CompactorTally tally = new CompactorTally();
  private final Replies replies;
  private final RequestThreads threads;
  private final LaneRegistry lanes;

  /**
   * Creates a compactor with an empty queue.
   *
   * @param layer carries out merged requests
   * @param options the options
   * @param executor runs planning, copies and calls of the layer; it is not closed with the
   *     compactor. If the layer completes requests before its methods return, the number of threads
   *     limits the number of requests under way
   * @param scheduler the clock that ends the collecting of requests
   */
  public Compactor(
      StorageLayer layer, CompactorOptions options, Executor executor, DelayScheduler scheduler) {
    this(layer, options, executor, scheduler, LARGE_BYTES);
  }

  /** Creates a compactor with another value for {@link #LARGE_BYTES}. */
  Compactor(
      StorageLayer layer,
      CompactorOptions options,
      Executor executor,
      DelayScheduler scheduler,
      long largeBytes) {
    this(layer, options, executor, scheduler, largeBytes, new BatchPlanner(limits(options)));
  }

  /** Returns the limits for merging requests that options say. */
  static MergeOptions limits(CompactorOptions options) {
    return new MergeOptions(options.enabled(), options.mergeBelowBytes(), options.maxMergedBytes());
  }

  /** Creates a compactor with another planner. */
  Compactor(
      StorageLayer layer,
      CompactorOptions options,
      Executor executor,
      DelayScheduler scheduler,
      long largeBytes,
      BatchPlanner planner) {
    this.options = options;
    this.admission = new Admission(options.maxQueuedBytes(), options.maxQueuedRequests());
    this.replies = new Replies(admission, tally);
    this.threads = new RequestThreads(executor);
    this.lanes =
        new LaneRegistry(
            new LaneContext(
                options,
                planner,
                admission,
                tally,
                new StorageCalls(layer, tally),
                threads,
                replies,
                scheduler,
                largeBytes));
  }

  /**
   * Queues a request for raw data.
   *
   * @param request the request
   * @return a future that completes with the reply when the request has been carried out, or with
   *     the request's own failure. The buffer of a write may then be reused; that of a read is
   *     filled. Completing or cancelling the future has no effect on the request. It fails with
   *     {@link InvalidUseException} if the compactor is closed, and with {@link StorageException}
   *     if the queue is full and the policy is {@link FullPolicy#REJECT}
   */
  public CompletableFuture<Reply> submit(RawRequest request) {
    return submit(request, false);
  }

  /**
   * Queues a write, like {@link #submit(RawRequest)}, from a thread that would otherwise only wait
   * for it. If no earlier request must be waited for, this thread carries out the write before the
   * method returns, without a thread of the executor. Requests that arrive meanwhile are left to
   * the executor.
   *
   * @param request the write
   * @return a future that completes like that of {@link #submit(RawRequest)}
   */
  public CompletableFuture<Reply> submitAndRun(WriteRequest request) {
    return submit(request, true);
  }

  private static CompletableFuture<Reply> refusal() {
    return CompletableFuture.failedFuture(
        new InvalidUseException("compactor: actual=closed, expected=open"));
  }

  private CompletableFuture<Reply> submit(RawRequest request, boolean here) {
    if (!replies.expectOne()) {
      return refusal();
    }
    long size = request.bytes();
    boolean counted = admission.tryEnter(size);
    if (!counted) {
      switch (options.whenFull()) {
        case BLOCK -> {
          admission.enter(size, this::release);
          counted = true;
        }
        case REJECT -> {
          return reject(request);
        }
        case PASS_THROUGH -> {
          // waits below, after it has taken its place in the order
        }
      }
    }
    PendingTransfer pending = new PendingTransfer(request, counted ? size : -1);
    DatasetLane lane = lanes.enter(request.key(), pending, here);
    if (!counted) {
      lane.force();
      pending.reply.exceptionally(failure -> null).join();
    }
    return pending.reply;
  }

  private CompletableFuture<Reply> reject(RawRequest request) {
    PendingTransfer pending = new PendingTransfer(request, -1);
    replies.finish(
        pending,
        new Trace(request.origin(), RequestOutcome.REJECTED, List.of()),
        null,
        new StorageException(
            "queue of the compactor: actual=full with "
                + admission.requests()
                + " requests of "
                + admission.bytes()
                + " bytes, expected=room for "
                + request.bytes()
                + " bytes; submit it again later"));
    return pending.reply;
  }

  /**
   * Queues an ordered request.
   *
   * @param request the request
   * @return a future that completes with the reply when the request has been carried out, or with
   *     its failure; with {@link InvalidUseException} if the compactor is closed
   */
  public CompletableFuture<Reply> submit(OrderedRequest request) {
    if (!replies.expectOne()) {
      return refusal();
    }
    PendingOperation pending = new PendingOperation(request);
    Runnable action = () -> threads.execute(() -> act(pending));
    switch (request.scope()) {
      case OrderScope.Part part -> enterOne(part.key(), pending, action);
      case OrderScope.Dataset dataset -> enterOne(dataset.key(), pending, action);
      case OrderScope.File _, OrderScope.Everything _ -> lanes.enterAll(pending, action);
    }
    return pending.reply;
  }

  private void enterOne(DataKey key, PendingOperation pending, Runnable action) {
    pending.barrier.expect();
    pending.barrier.allExpected(action);
    lanes.enter(key, pending, false);
  }

  private void act(PendingOperation pending) {
    StorageCalls.act(pending.request)
        .whenComplete((value, failure) -> {
          lanes.ended(pending);
          Trace trace = new Trace(pending.origin(), RequestOutcome.ORDERED, List.of());
          Replies.inOrder(
              failure != null,
              () -> replies.finish(pending, trace, value, Connectors.causeOf(failure)),
              pending.barrier::completed);
        });
  }

  /**
   * Changes how long later requests on a dataset are collected.
   *
   * @param key the dataset
   * @param gather the new setting
   */
  public void gather(DataKey key, GatherPolicy gather) {
    lanes.lane(key).gather(gather);
  }

  /** Starts all requests that are being collected. */
  public void release() {
    lanes.force();
  }

  /**
   * Frees memory kept for the datasets of a file that have no queued requests.
   *
   * @param file the number of the file in the datasets' keys
   */
  public void forget(long file) {
    lanes.forget(file);
  }

  /**
   * Sets a listener that receives a trace of every completed request, before its reply.
   *
   * @param listener called by any thread
   */
  public void onTrace(Consumer<Trace> listener) {
    replies.onTrace(listener);
  }

  /** {@return the counters; not a consistent snapshot while requests are under way} */
  public CompactorCounts counts() {
    return tally.counts(admission.requests(), admission.bytes());
  }

  /** Refuses new requests and waits until all accepted requests have been answered. */
  @Override
  public void close() {
    replies.close();
    admission.close();
    release();
    replies.awaitAll();
  }
}
