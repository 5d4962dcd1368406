package org.hyperslab.mpiio.schedule;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Buffers outside the heap that are lent and come back: the first touch of memory is slow, so what
 * has been touched is kept. Page aligned. When the pool would hold more than its limit, buffers
 * that are not lent are freed.
 *
 * <p>Thread rule: one thread at a time.
 */
public final class BufferPool implements AutoCloseable {

  private static final long ALIGNMENT_BYTES = 4096;

  /**
   * A buffer.
   *
   * @param memory at least as long as whatever is lent of it
   * @param arena whose it is
   */
  private record Owned(MemorySegment memory, Arena arena) {}

  private final long limitBytes;
  private final List<Owned> free = new ArrayList<>();
  private final List<Owned> lent = new ArrayList<>();
  private long lentBytes;
  private long peakBytes;
  private long ownedBytes;

  /** A pool that keeps at most {@code limitBytes} unless more is lent at one time. */
  public BufferPool(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  /** The most bytes that were lent at one time since {@link #resetPeak}. */
  public long peakBytes() {
    return peakBytes;
  }

  /** The bytes that the pool holds, lent or not. */
  public long ownedBytes() {
    return ownedBytes;
  }

  /** Starts the peak anew. */
  public void resetPeak() {
    peakBytes = lentBytes;
  }

  /** A buffer of exactly {@code bytes}, whose content is unspecified. */
  public MemorySegment take(long bytes) {
    Owned best =
        free.stream()
            .filter(owned -> owned.memory.byteSize() >= bytes)
            .min(Comparator.comparingLong(owned -> owned.memory.byteSize()))
            .orElse(null);
    if (best == null) {
      best = allocate(Math.max(1, bytes));
    } else {
      free.remove(best);
    }
    lent.add(best);
    lentBytes += bytes;
    peakBytes = Math.max(peakBytes, lentBytes);
    return best.memory.asSlice(0, bytes);
  }

  /** Takes a lent buffer back. */
  public void give(MemorySegment buffer) {
    for (int i = lent.size() - 1; i >= 0; i--) {
      if (lent.get(i).memory.address() == buffer.address()) {
        free.add(lent.remove(i));
        lentBytes -= buffer.byteSize();
        return;
      }
    }
  }

  private Owned allocate(long bytes) {
    while (ownedBytes + bytes > limitBytes && !free.isEmpty()) {
      release(free.removeLast());
    }
    ownedBytes += bytes;
    Arena arena = Arena.ofShared();
    return new Owned(arena.allocate(bytes, ALIGNMENT_BYTES), arena);
  }

  private void release(Owned owned) {
    ownedBytes -= owned.memory.byteSize();
    owned.arena.close();
  }

  /** Frees all buffers. */
  @Override
  public void close() {
    free.forEach(this::release);
    lent.forEach(this::release);
    free.clear();
    lent.clear();
  }
}
