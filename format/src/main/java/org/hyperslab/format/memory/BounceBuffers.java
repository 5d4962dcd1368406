package org.hyperslab.format.memory;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Direct buffers of one length through which data on the Java heap is transferred. A bounded number
 * is kept for reuse; the others are left to the garbage collector.
 *
 * <p>This is not a {@link BufferPool} because a small read costs about as much as a lease: taking a
 * buffer here needs no lock, no allocation and no check of an arena.
 *
 * <p>Thread rule: safe for use by any thread, without locks.
 */
public final class BounceBuffers {

  /**
   * The bytes of each of several requests: large enough to make the cost of a system call small,
   * small enough for a core's cache.
   */
  private static final int PART_BYTES = 1 << 18;

  /** The size of a buffer in bytes: two parts, so that no request is short. */
  public static final int BUFFER_BYTES = 2 * PART_BYTES;

  /** The number of buffers kept: one for each thread that a machine is likely to run at a time. */
  private static final int SLOTS =
      Math.clamp(2L * Runtime.getRuntime().availableProcessors(), 16, 64);

  private final AtomicReferenceArray<ByteBuffer> slots = new AtomicReferenceArray<>(SLOTS);

  /** Creates an empty set; buffers are allocated when they are first taken. */
  public BounceBuffers() {}

  /**
   * {@return the number of bytes of the next request: all that remain if they fit a buffer,
   * otherwise half a buffer} One request is best where several processes write to a file, because
   * each waits for the others' requests.
   *
   * @param remaining the bytes still to be transferred
   */
  public static int nextBytes(long remaining) {
    return (int) (remaining <= BUFFER_BYTES ? remaining : PART_BYTES);
  }

  /**
   * Takes a buffer, which belongs to the caller until {@link #give}.
   *
   * @return a cleared direct buffer of {@link #BUFFER_BYTES}, of unspecified content
   */
  public ByteBuffer take() {
    for (int i = 0; i < SLOTS; i++) {
      ByteBuffer buffer = slots.getPlain(i) == null ? null : slots.getAndSet(i, null);
      if (buffer != null) {
        return buffer.clear();
      }
    }
    return ByteBuffer.allocateDirect(BUFFER_BYTES);
  }

  /**
   * Returns a buffer. The caller must not use it afterwards.
   *
   * @param buffer a buffer from {@link #take}
   */
  public void give(ByteBuffer buffer) {
    for (int i = 0; i < SLOTS; i++) {
      if (slots.getPlain(i) == null && slots.compareAndSet(i, null, buffer)) {
        return;
      }
    }
  }
}
