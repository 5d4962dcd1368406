package org.hyperslab.format.store;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A few direct buffers that are lent for one transfer and come back: memory whose pages have been
 * touched is worth keeping. Bounded: what does not fit is left to the garbage collector.
 *
 * <p>Thread rule: safe, without locks.
 */
final class BouncePool {

  /** Large enough to make a system call's cost small, small enough to stay in a core's cache. */
  static final int BUFFER_BYTES = 1 << 18;

  /** A buffer for each thread that a machine is likely to have at it. */
  private static final int SLOTS =
      Math.clamp(2L * Runtime.getRuntime().availableProcessors(), 16, 64);

  private final AtomicReferenceArray<ByteBuffer> slots = new AtomicReferenceArray<>(SLOTS);

  /** A cleared buffer of {@link #BUFFER_BYTES}. */
  ByteBuffer take() {
    for (int i = 0; i < SLOTS; i++) {
      ByteBuffer buffer = slots.getPlain(i) == null ? null : slots.getAndSet(i, null);
      if (buffer != null) {
        return buffer.clear();
      }
    }
    return ByteBuffer.allocateDirect(BUFFER_BYTES);
  }

  /** Takes a lent buffer back. */
  void give(ByteBuffer buffer) {
    for (int i = 0; i < SLOTS; i++) {
      if (slots.getPlain(i) == null && slots.compareAndSet(i, null, buffer)) {
        return;
      }
    }
  }
}
