package org.hyperslab.mpiio.comm;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import org.hyperslab.format.memory.Lease;

/**
 * Memory of a rank into which ranks of the same process put bytes. The owner uses it from the
 * start, each other rank joins it once; when all have left, it is freed, for nobody can reach it
 * any more.
 *
 * <p>Thread rule: safe.
 */
final class PutTarget {

  /** Null if the rank has no memory. */
  private final Lease lease;

  /** The ranks that use the memory; it cannot be joined again when there are none. */
  private final AtomicInteger users = new AtomicInteger(1);

  PutTarget(Lease lease) {
    this.lease = lease;
  }

  /** Returns whether there is memory, if any bytes are wanted. */
  boolean has(long bytes) {
    return lease != null || bytes == 0;
  }

  /** Returns the memory, of length 0 if there is none, to a rank that uses it. */
  MemorySegment segment() {
    return lease == null ? MemorySegment.NULL : lease.segment();
  }

  /** Begins the use by a rank, which must leave later; false if all have left already. */
  boolean join() {
    return users.getAndUpdate(number -> number == 0 ? 0 : number + 1) > 0;
  }

  /** Called by a rank that does not access the memory any more. */
  void leave() {
    if (users.decrementAndGet() == 0 && lease != null) {
      lease.close();
    }
  }
}
