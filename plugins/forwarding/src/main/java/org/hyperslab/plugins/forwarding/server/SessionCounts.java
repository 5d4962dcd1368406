package org.hyperslab.plugins.forwarding.server;

import java.util.concurrent.atomic.LongAdder;

/** What a session has done. Thread rule: any thread. */
final class SessionCounts {
  final LongAdder requests = new LongAdder();
  final LongAdder replies = new LongAdder();
  final LongAdder failures = new LongAdder();
  final LongAdder bytesIn = new LongAdder();
  final LongAdder bytesOut = new LongAdder();
}
