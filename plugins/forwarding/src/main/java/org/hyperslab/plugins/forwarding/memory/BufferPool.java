package org.hyperslab.plugins.forwarding.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Memory for payload, used again and again: the first touch of fresh memory costs ten times as much
 * as the copy into it.
 *
 * <p>How much is out at a time is bounded by those who take; what lies here is bounded by {@code
 * idleBytes}.
 *
 * <p>Thread rule: any thread.
 */
public final class BufferPool {

  private static final int SMALLEST_SHIFT = 12;

  private final Deque<MemorySegment>[] idle = deques();
  private final long idleLimit;
  private long idleBytes;

  /** An empty pool that keeps so many bytes while they are not in use. */
  public BufferPool(long idleLimit) {
    this.idleLimit = idleLimit;
  }

  @SuppressWarnings("unchecked") // an array of generic things
  private static Deque<MemorySegment>[] deques() {
    Deque<MemorySegment>[] all = (Deque<MemorySegment>[]) new Deque<?>[64];
    for (int i = 0; i < all.length; i++) {
      all[i] = new ArrayDeque<>();
    }
    return all;
  }

  /**
   * Memory in use.
   *
   * @param whole what goes back to the pool
   * @param bytes the part that was asked for, with any contents
   */
  public record Buffer(MemorySegment whole, MemorySegment bytes) {}

  /** Memory of so many bytes. */
  public Buffer take(long bytes) {
    int shift = Math.max(SMALLEST_SHIFT, 64 - Long.numberOfLeadingZeros(Math.max(1, bytes) - 1));
    MemorySegment whole;
    synchronized (this) {
      whole = idle[shift].poll();
      if (whole != null) {
        idleBytes -= whole.byteSize();
      }
    }
    if (whole == null) {
      whole = Arena.ofAuto().allocate(1L << shift, 64);
    }
    return new Buffer(whole, whole.asSlice(0, bytes));
  }

  /** Gives memory back; nobody uses it any more. */
  public synchronized void give(Buffer buffer) {
    long bytes = buffer.whole.byteSize();
    if (idleBytes + bytes <= idleLimit) {
      idleBytes += bytes;
      idle[63 - Long.numberOfLeadingZeros(bytes)].push(buffer.whole);
    }
  }
}
