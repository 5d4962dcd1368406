package org.hyperslab.plugins.compacting;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * What a compactor counts.
 *
 * <p>Thread rule: any thread.
 */
final class Tally {

  final LongAdder submitted = new LongAdder();
  final LongAdder replied = new LongAdder();
  final LongAdder batches = new LongAdder();
  final LongAdder issuedWrites = new LongAdder();
  final LongAdder issuedReads = new LongAdder();
  final LongAdder issuedBytes = new LongAdder();
  final LongAdder stolenBytes = new LongAdder();
  final LongAdder savedBytes = new LongAdder();
  private final Map<Treatment, LongAdder> treatments = new EnumMap<>(Treatment.class);

  Tally() {
    for (Treatment treatment : Treatment.values()) {
      treatments.put(treatment, new LongAdder());
    }
  }

  void count(Treatment treatment) {
    treatments.get(treatment).increment();
  }

  /** Takes note of a plan. */
  void count(Plan plan, long requestedWriteBytes) {
    batches.increment();
    for (Plan.Theft theft : plan.thefts()) {
      stolenBytes.add(theft.to().lengthBytes());
    }
    long written = 0;
    for (var wave : plan.waves()) {
      for (MergedWrite write : wave) {
        written += write.bytes();
      }
    }
    savedBytes.add(requestedWriteBytes - written);
  }

  CompactorCounts counts(long queuedRequests, long queuedBytes) {
    Map<Treatment, Long> each = new EnumMap<>(Treatment.class);
    treatments.forEach((treatment, number) -> {
      if (number.sum() > 0) {
        each.put(treatment, number.sum());
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
