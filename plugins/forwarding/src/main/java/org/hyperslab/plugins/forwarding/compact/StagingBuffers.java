package org.hyperslab.plugins.forwarding.compact;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;

/**
 * Buffers of one size that are used again and again, for memory that was touched before is far
 * faster. What is larger is made for the occasion.
 *
 * <p>Thread rule: any thread.
 */
final class StagingBuffers {

  private final long bytes;
  private final int kept;
  private final ArrayDeque<MemorySegment> idle = new ArrayDeque<>();

  /**
   * A pool with no buffer yet.
   *
   * @param bytes the size of its buffers
   * @param kept how many idle ones it keeps at most
   */
  StagingBuffers(long bytes, int kept) {
    this.bytes = bytes;
    this.kept = kept;
  }

  /** A buffer of just that many bytes, a part of a larger one; give back what it is part of. */
  MemorySegment take(long wanted) {
    if (wanted > bytes) {
      return Arena.ofAuto().allocate(wanted, 64);
    }
    synchronized (this) {
      if (!idle.isEmpty()) {
        return idle.pop();
      }
    }
    return Arena.ofAuto().allocate(bytes, 64);
  }

  synchronized void give(MemorySegment buffer) {
    if (buffer.byteSize() == bytes && idle.size() < kept) {
      idle.push(buffer);
    }
  }
}
