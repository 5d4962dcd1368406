package org.hyperslab.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Native memory that stands in for heap segments, which native code cannot reach. It is kept and
 * lent again: touching new memory costs more than copying.
 *
 * <p>Sizes are powers of two. At most {@value #KEPT_BYTES} bytes are kept when nobody uses them.
 *
 * <p>Thread rule: safe for use by all threads.
 */
final class Buffers {

  private static final long KEPT_BYTES = 128L << 20;
  private static final int LEAST_LOG = 8;

  private final List<ConcurrentLinkedQueue<MemorySegment>> free = new ArrayList<>();
  private final AtomicLong kept = new AtomicLong();

  Buffers() {
    for (int log = 0; log < 64; log++) {
      free.add(new ConcurrentLinkedQueue<>());
    }
  }

  /** A segment at least as long; its content is arbitrary. */
  MemorySegment take(long bytes) {
    int log = log(bytes);
    MemorySegment found = free.get(log).poll();
    if (found == null) {
      return Arena.ofAuto().allocate(1L << log, 64);
    }
    kept.addAndGet(-found.byteSize());
    return found;
  }

  /** Gives back what {@link #take} gave. */
  void give(MemorySegment segment) {
    long bytes = segment.byteSize();
    if (kept.addAndGet(bytes) <= KEPT_BYTES) {
      free.get(log(bytes)).add(segment);
    } else {
      kept.addAndGet(-bytes);
    }
  }

  private static int log(long bytes) {
    return Math.max(LEAST_LOG, 64 - Long.numberOfLeadingZeros(Math.max(1, bytes) - 1));
  }

  /**
   * A user's memory as native code sees it: the same memory if it is native, otherwise a stand-in.
   *
   * <p>Thread rule: confined to one thread at a time.
   */
  static final class Staged implements AutoCloseable {
    private final Buffers pool;
    private final MemorySegment user;
    private MemorySegment lent;

    private Staged(Buffers pool, MemorySegment user, boolean copyIn) {
      this.pool = pool;
      this.user = user;
      if (!user.isNative()) {
        lent = pool.take(user.byteSize());
        if (copyIn) {
          MemorySegment.copy(user, 0, lent, 0, user.byteSize());
        }
      }
    }

    /** What to hand to native code. */
    MemorySegment memory() {
      return lent == null ? user : lent;
    }

    /** Brings what native code wrote, from byte {@code from}, to the user. */
    void copyOut(long from, long bytes) {
      if (lent != null) {
        MemorySegment.copy(lent, from, user, from, Math.min(bytes, user.byteSize() - from));
      }
    }

    /** Brings all that native code may have written to the user. */
    void copyOut() {
      copyOut(0, user.byteSize());
    }

    @Override
    public void close() {
      if (lent != null) {
        pool.give(lent);
        lent = null;
      }
    }
  }

  /** Memory whose content native code reads, or changes in places. */
  Staged filled(MemorySegment user) {
    return new Staged(this, user, true);
  }

  /** Memory that native code only writes. */
  Staged empty(MemorySegment user) {
    return new Staged(this, user, false);
  }
}
