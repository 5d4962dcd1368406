package org.hyperslab.plugins.compacting.queue;

import java.util.List;
import java.util.concurrent.CompletionStage;
import org.hyperslab.plugins.compacting.plan.MergedRead;
import org.hyperslab.plugins.compacting.plan.MergedWrite;
import org.hyperslab.plugins.compacting.plan.PendingOverlap;
import org.hyperslab.plugins.compacting.plan.Plan;
import org.hyperslab.plugins.compacting.plan.ReadRequest;
import org.hyperslab.plugins.compacting.plan.WriteRequest;
import org.hyperslab.plugins.compacting.report.RequestOutcome;
import org.hyperslab.plugins.compacting.report.Trace;
import org.hyperslab.vol.Connectors;

/**
 * Carries out the requests of a lane that need not wait in its queue.
 *
 * <p>Thread rule: any thread.
 */
final class Bypass {

  private final LaneContext context;
  private final LaneQueue queue;
  private final Runnable resume;
  private final BypassReads reads;

  /**
   * Creates the bypass of a lane.
   *
   * @param context the shared parts of all lanes
   * @param queue the requests of the lane
   * @param resume called when the last of the bypassing requests has ended
   */
  Bypass(LaneContext context, LaneQueue queue, Runnable resume) {
    this.context = context;
    this.queue = queue;
    this.resume = resume;
    this.reads =
        new BypassReads(context, (read, failure) -> hasPassed(read, read.trace, null, failure));
  }

  /**
   * Answers a read by copying in this thread, because the executor may be busy with earlier
   * requests.
   */
  void steal(PendingTransfer read, PendingOverlap<PendingTransfer> overlap) {
    Trace trace =
        new Trace(
            read.origin(),
            RequestOutcome.STOLEN,
            overlap.writes().stream()
                .limit(Trace.MAX_PARTNERS)
                .map(PendingTransfer::origin)
                .toList());
    context.replies().finish(read, trace, null, copy(overlap));
  }

  /** Copies the elements that earlier writes hold of a read, and has the rest read. */
  void readAhead(PendingTransfer read, PendingOverlap<PendingTransfer> overlap) {
    RuntimeException failure = copy(overlap);
    if (failure != null) {
      hasPassed(read, trace(read, RequestOutcome.PARTLY_STOLEN), null, failure);
    } else {
      reads.add(read, overlap);
    }
  }

  /** Copies from pinned writes and unpins them; returns the failure, or null. */
  private RuntimeException copy(PendingOverlap<PendingTransfer> overlap) {
    RuntimeException failure = null;
    try {
      for (Plan.Copy copy : overlap.copies()) {
        copy.run();
        context.tally().stolenBytes.add(copy.to().lengthBytes());
      }
    } catch (RuntimeException inaccessible) {
      failure = inaccessible;
    }
    queue.unpin(overlap.writes()).forEach(Runnable::run);
    return failure;
  }

  private static Trace trace(PendingRequest request, RequestOutcome outcome) {
    return new Trace(request.origin(), outcome, List.of());
  }

  /** Carries out a request that conflicts with no earlier request. */
  void pass(PendingRequest pending) {
    switch (pending) {
      case PendingTransfer transfer -> {
        CompletionStage<?> stage =
            switch (transfer.request) {
              case WriteRequest write -> context.storage().write(MergedWrite.of(write));
              case ReadRequest read -> context.storage().read(MergedRead.of(read));
            };
        Trace trace = trace(pending, RequestOutcome.PASSED_BY);
        stage.whenComplete(
            (done, failure) -> hasPassed(pending, trace, null, Connectors.causeOf(failure)));
      }
      case PendingOperation operation -> {
        Trace trace = trace(pending, RequestOutcome.ORDERED);
        StorageCalls.act(operation.request)
            .whenComplete(
                (value, failure) -> hasPassed(pending, trace, value, Connectors.causeOf(failure)));
      }
    }
  }

  private void hasPassed(PendingRequest request, Trace trace, Object result, Throwable failure) {
    Runnable reply = () -> context.replies().finish(request, trace, result, failure);
    if (queue.end(request, reply)) {
      Replies.inOrder(failure != null, reply, () -> leave(request));
    } else {
      leave(request);
    }
  }

  private void leave(PendingRequest request) {
    if (queue.hasPassed(request)) {
      resume.run();
    }
  }
}
