package org.hyperslab.mpiio.comm;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import org.hyperslab.format.memory.Lease;

/**
 * Memory of a rank into which ranks of the same process put bytes. Each rank joins it once; when
 * all that have joined it have left, it is freed, for nobody can reach it any more.
 *
 * <p>Thread rule: safe.
 */
final class PutTarget {

  /** Null if the rank has no memory. */
  private final Lease lease;

  private final AtomicInteger users = new AtomicInteger();

  PutTarget(Lease lease) {
    this.lease = lease;
  }

  /** Returns whether there is memory, if any bytes are wanted. */
  boolean has(long bytes) {
    return lease != null || bytes == 0;
  }

  /** Returns the memory, of length 0 if there is none, to a rank that must leave later. */
  MemorySegment join() {
    users.incrementAndGet();
    return lease == null ? MemorySegment.NULL : lease.segment();
  }

  /** Called by a rank that does not access the memory any more. */
  void leave() {
    if (users.decrementAndGet() == 0 && lease != null) {
      lease.close();
    }
  }
}
