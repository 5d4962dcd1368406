package org.hyperslab.mpi;

import java.lang.foreign.MemorySegment;
import org.hyperslab.format.memory.BufferPool;
import org.hyperslab.format.memory.Lease;

/**
 * Native memory into which heap segments are copied, because native code cannot reach these.
 *
 * <p>Thread rule: safe for use by all threads.
 */
final class HeapStaging {

  private static final long IDLE_BYTES = 128L << 20;

  private final BufferPool pool = new BufferPool(IDLE_BYTES);

  /** Lends native memory of at least the given number of bytes. */
  Lease take(long bytes) {
    return pool.take(bytes);
  }

  /**
   * A user's memory as native code sees it: the same memory if it is native, otherwise a native
   * copy.
   *
   * <p>Thread rule: confined to one thread at a time.
   */
  static final class Staged implements AutoCloseable {
    private final MemorySegment user;
    private Lease lent;

    private Staged(BufferPool pool, MemorySegment user, boolean copyIn) {
      this.user = user;
      if (!user.isNative()) {
        lent = pool.take(user.byteSize());
        if (copyIn) {
          MemorySegment.copy(user, 0, lent.segment(), 0, user.byteSize());
        }
      }
    }

    /** Returns the segment to pass to native code. */
    MemorySegment memory() {
      return lent == null ? user : lent.segment();
    }

    /** Copies the bytes that native code wrote, from byte {@code from} on, to the user's memory. */
    void copyOut(long from, long bytes) {
      if (lent != null) {
        MemorySegment.copy(
            lent.segment(), from, user, from, Math.min(bytes, user.byteSize() - from));
      }
    }

    /** Copies all bytes that native code may have written to the user's memory. */
    void copyOut() {
      copyOut(0, user.byteSize());
    }

    @Override
    public void close() {
      if (lent != null) {
        lent.close();
        lent = null;
      }
    }
  }

  /**
   * Returns staged memory with the user's content, for native code that reads it or changes parts
   * of it.
   */
  Staged filled(MemorySegment user) {
    return new Staged(pool, user, true);
  }

  /** Returns staged memory without content, for native code that only writes. */
  Staged empty(MemorySegment user) {
    return new Staged(pool, user, false);
  }
}
