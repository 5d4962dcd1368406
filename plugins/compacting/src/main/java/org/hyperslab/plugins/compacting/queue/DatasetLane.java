package org.hyperslab.plugins.compacting.queue;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.hyperslab.error.InternalErrorException;
import org.hyperslab.plugins.compacting.options.GatherPolicy;
import org.hyperslab.plugins.compacting.plan.Plan;
import org.hyperslab.plugins.compacting.plan.RawRequest;
import org.hyperslab.plugins.compacting.report.RequestOutcome;
import org.hyperslab.plugins.compacting.report.Trace;

/**
 * Carries out the requests on one dataset. At most one batch or ordered operation of its queue is
 * under way at a time, apart from the requests that bypass the queue.
 *
 * <p>Thread rule: any thread. If several threads call {@link #proceed}, one of them does the work,
 * and none waits for another.
 */
final class DatasetLane {

  private final LaneContext context;
  private final LaneQueue queue;
  private final Bypass bypass;

  /** Calls of {@link #proceed} that have not been served yet. */
  private final AtomicInteger calls = new AtomicInteger();

  /** The batch under way; belongs to the thread that serves the calls. */
  private BatchRun run;

  DatasetLane(LaneContext context) {
    this.context = context;
    this.queue = new LaneQueue(context, this::start);
    this.bypass = new Bypass(context, queue, this::proceed);
  }

  /** Starts the lane in a thread of the executor. */
  void start() {
    context.threads().execute(this::proceed);
  }

  /**
   * Adds a request, and carries it out at once if it need not wait.
   *
   * @param request the request
   * @param here whether this thread may carry out a batch
   * @return false if the lane is closed
   */
  boolean enter(PendingRequest request, boolean here) {
    LaneQueue.Admitted admitted = queue.enter(request);
    switch (admitted.entrance()) {
      case QUEUED -> {
        // served when its turn comes
      }
      case START -> {
        if (here) {
          proceedOnce();
        } else {
          start();
        }
      }
      case STEALS -> bypass.steal((PendingTransfer) request, admitted.overlap());
      case READS_AHEAD -> bypass.readAhead((PendingTransfer) request, admitted.overlap());
      case PASSES -> context.threads().execute(() -> bypass.pass(request));
      case CLOSED -> {
        return false;
      }
    }
    return true;
  }

  /**
   * Adds an ordered request that concerns several lanes.
   *
   * @param request the request, whose barrier expects this lane
   * @param starting receives the lane if it must be started
   */
  void enterBarrier(PendingOperation request, List<DatasetLane> starting) {
    switch (queue.enter(request).entrance()) {
      case START -> starting.add(this);
      case CLOSED -> request.barrier.forget();
      case QUEUED, PASSES, STEALS, READS_AHEAD -> {
        // the lane is running
      }
    }
  }

  /** Ends the collecting of requests. */
  void force() {
    queue.force();
  }

  /** Changes how long later requests are collected. */
  void gather(GatherPolicy gather) {
    queue.gather(gather);
  }

  /** Closes the lane if it is idle; returns whether it is closed. */
  boolean close() {
    return queue.close();
  }

  /** Carries out everything that can be done. */
  private void proceed() {
    if (calls.getAndIncrement() == 0) { // otherwise the thread that serves the calls does it
      serve(Integer.MAX_VALUE);
    }
  }

  /**
   * Carries out everything that can be done, but begins at most one batch; other threads do the
   * rest.
   */
  private void proceedOnce() {
    if (calls.getAndIncrement() == 0) {
      serve(1);
    }
  }

  /** Serves calls; after the given number of batches another thread continues. */
  private void serve(int maxBatches) {
    int left = maxBatches;
    int seen = 1;
    do {
      left = advance(left);
      if (left < 0) {
        context.threads().execute(() -> serve(Integer.MAX_VALUE));
        return;
      }
      seen = calls.addAndGet(-seen);
    } while (seen != 0);
  }

  /**
   * Begins at most the given number of batches. Returns the number left, or -1 if more are ready.
   */
  private int advance(int maxBatches) {
    for (int left = maxBatches; true; left--) {
      if (run != null) {
        if (!run.advance()) {
          return left;
        }
        run = null;
      }
      switch (queue.next(left > 0)) {
        case LaneQueue.Next.Nothing() -> {
          return left;
        }
        case LaneQueue.Next.TooMany() -> {
          return -1;
        }
        case LaneQueue.Next.AtBarrier(Barrier barrier) -> barrier.arrive(this::passedBarrier);
        case LaneQueue.Next.Batch(List<PendingTransfer> requests) -> run = plan(requests);
      }
    }
  }

  private void passedBarrier() {
    queue.passedBarrier();
    proceed();
  }

  /**
   * Plans a batch, and returns the requests that the plan does not include to the queue. If
   * planning fails, the first request fails and the others return to the queue; then there is no
   * run.
   */
  private BatchRun plan(List<PendingTransfer> batch) {
    IdentityHashMap<RawRequest, PendingTransfer> pending = new IdentityHashMap<>(batch.size());
    List<RawRequest> requests = new ArrayList<>(batch.size());
    for (PendingTransfer transfer : batch) {
      if (pending.putIfAbsent(transfer.request, transfer) != null) {
        break; // an equal request goes into another batch, to tell the replies apart
      }
      requests.add(transfer.request);
    }
    Plan plan;
    try {
      plan = context.planner().plan(requests);
    } catch (RuntimeException defect) {
      fail(batch, InternalErrorException.unexpected("plan of merged requests", defect));
      return null;
    }
    int planned = plan.traces().size();
    context.tally().countBatch(plan, requests.subList(0, planned));
    for (int i = 0; i < planned; i++) {
      batch.get(i).trace = plan.traces().get(i);
    }
    queue.putBack(batch, planned);
    return new BatchRun(context, queue, plan, pending, this::proceed);
  }

  private void fail(List<PendingTransfer> batch, InternalErrorException failure) {
    PendingTransfer first = batch.getFirst();
    first.trace = new Trace(first.request.origin(), RequestOutcome.UNLIKE, List.of());
    queue.putBack(batch, 1);
    Runnable reply = () -> context.replies().finish(first, first.trace, null, failure);
    if (queue.end(first, reply)) {
      reply.run();
    }
  }
}
