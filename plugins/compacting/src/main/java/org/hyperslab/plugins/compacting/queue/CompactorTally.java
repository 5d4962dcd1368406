package org.hyperslab.plugins.compacting.queue;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.hyperslab.plugins.compacting.plan.Plan;
import org.hyperslab.plugins.compacting.plan.RawRequest;
import org.hyperslab.plugins.compacting.plan.WriteRequest;
import org.hyperslab.plugins.compacting.report.CompactorCounts;
import org.hyperslab.plugins.compacting.report.RequestOutcome;

/**
 * Counts the activity of a compactor.
 *
 * <p>Thread rule: any thread.
 */
final class CompactorTally {

  final LongAdder submitted = new LongAdder();
  final LongAdder replied = new LongAdder();
  final LongAdder batches = new LongAdder();
  final LongAdder issuedWrites = new LongAdder();
  final LongAdder issuedReads = new LongAdder();
  final LongAdder issuedBytes = new LongAdder();
  final LongAdder stolenBytes = new LongAdder();
  final LongAdder savedBytes = new LongAdder();
  private final Map<RequestOutcome, LongAdder> outcomes = new EnumMap<>(RequestOutcome.class);

  CompactorTally() {
    for (RequestOutcome outcome : RequestOutcome.values()) {
      outcomes.put(outcome, new LongAdder());
    }
  }

  /** Counts a request that has ended. */
  void countReply(RequestOutcome outcome) {
    replied.increment();
    outcomes.get(outcome).increment();
  }

  /** Counts a batch: its plan, and the requests that were planned. */
  void countBatch(Plan plan, List<RawRequest> planned) {
    batches.increment();
    stolenBytes.add(plan.copiedBytes());
    long requested = 0;
    for (RawRequest request : planned) {
      requested += request instanceof WriteRequest ? request.bytes() : 0;
    }
    savedBytes.add(requested - plan.writtenBytes());
  }

  CompactorCounts counts(long queuedRequests, long queuedBytes) {
    Map<RequestOutcome, Long> each = new EnumMap<>(RequestOutcome.class);
    outcomes.forEach((outcome, count) -> {
      if (count.sum() > 0) {
        each.put(outcome, count.sum());
      }
    });
    return new CompactorCounts(
        submitted.sum(),
        replied.sum(),
        queuedRequests,
        queuedBytes,
        batches.sum(),
        issuedWrites.sum(),
        issuedReads.sum(),
        issuedBytes.sum(),
        stolenBytes.sum(),
        savedBytes.sum(),
        each);
  }
}
