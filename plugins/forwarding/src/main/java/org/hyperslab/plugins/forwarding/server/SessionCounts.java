package org.hyperslab.plugins.forwarding.server;

import java.util.concurrent.atomic.LongAdder;
import org.hyperslab.plugins.compacting.report.RequestOutcome;

/**
 * The counters of a session.
 *
 * <p>Thread rule: any thread.
 */
final class SessionCounts {
  final LongAdder requests = new LongAdder();
  final LongAdder replies = new LongAdder();
  final LongAdder failures = new LongAdder();
  final LongAdder bytesIn = new LongAdder();
  final LongAdder bytesOut = new LongAdder();

  /** Requests that were merged or folded with others. */
  final LongAdder merged = new LongAdder();

  /** Reads that were answered from queued writes. */
  final LongAdder stolen = new LongAdder();

  /** Counts a request by its outcome in the compactor. */
  void count(RequestOutcome outcome) {
    switch (outcome) {
      case MERGED, MORPHED, COVERED -> merged.increment();
      case STOLEN, PARTLY_STOLEN -> stolen.increment();
      case ALONE,
          LARGE,
          AFTER_OTHER_CLIENT,
          UNLIKE,
          EMPTY,
          RETRIED_ALONE,
          PASSED_BY,
          ORDERED,
          OFF,
          REJECTED -> {
        // carried out as it came
      }
    }
  }
}
