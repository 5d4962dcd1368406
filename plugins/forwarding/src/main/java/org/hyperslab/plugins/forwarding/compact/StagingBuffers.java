package org.hyperslab.plugins.forwarding.compact;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/**
 * Buffers that are used again and again, for memory that was touched before is far faster. Their
 * sizes are powers of two, so that a small request does not have a large one made. What is larger
 * than the largest is made for the occasion.
 *
 * <p>Thread rule: any thread.
 */
final class StagingBuffers {

  private static final long SMALLEST = 64 << 10;

  private final long largest;
  private final int kept;
  private final Map<Long, ArrayDeque<MemorySegment>> idle = new HashMap<>();

  /**
   * A pool with no buffer yet.
   *
   * @param largest the size of the largest that it keeps, rounded up to a power of two
   * @param kept how many idle ones of a size it keeps at most
   */
  StagingBuffers(long largest, int kept) {
    this.largest = powerOfTwo(largest);
    this.kept = kept;
  }

  private static long powerOfTwo(long bytes) {
    long size = SMALLEST;
    while (size < bytes) {
      size *= 2;
    }
    return size;
  }

  /** A buffer of at least that many bytes. */
  MemorySegment take(long wanted) {
    if (wanted > largest) {
      return Arena.ofAuto().allocate(wanted, 64);
    }
    long size = powerOfTwo(wanted);
    synchronized (this) {
      ArrayDeque<MemorySegment> fitting = idle.get(size);
      if (fitting != null && !fitting.isEmpty()) {
        return fitting.pop();
      }
    }
    return Arena.ofAuto().allocate(size, 64);
  }

  /** Gives back what was taken. */
  synchronized void give(MemorySegment buffer) {
    if (buffer.byteSize() <= largest) {
      ArrayDeque<MemorySegment> fitting =
          idle.computeIfAbsent(buffer.byteSize(), absent -> new ArrayDeque<>());
      if (fitting.size() < kept) {
        fitting.push(buffer);
      }
    }
  }
}
