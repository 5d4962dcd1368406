package org.hyperslab.plugins.nativevol.transfer;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Buffers outside the Java heap that are handed out and taken back, because memory that was never
 * touched is many times slower than memory that was. Buffers that stay unused beyond the pool's
 * bound are given back to the operating system.
 *
 * <p>Thread rule: any thread.
 */
public final class BufferPool implements AutoCloseable {

  private static final long ALIGNMENT = 64;
  private static final long SMALLEST = 4096;

  private final long keptBytesLimit;
  private final ArrayDeque<Buffer> kept = new ArrayDeque<>();
  private final AtomicLong lent = new AtomicLong();
  private long keptBytes;
  private boolean closed;

  /** A pool that keeps at most so many bytes while they are unused. */
  public BufferPool(long keptBytesLimit) {
    this.keptBytesLimit = keptBytesLimit;
  }

  /** A buffer that is the user's until it is closed. */
  public static final class Buffer implements AutoCloseable {
    private final BufferPool pool;
    private final Arena arena;
    private final MemorySegment whole;
    private MemorySegment segment;

    private Buffer(BufferPool pool, long capacity) {
      this.pool = pool;
      this.arena = Arena.ofShared();
      this.whole = arena.allocate(capacity, ALIGNMENT);
    }

    /** The bytes: exactly as many as were asked for, of any content. */
    public MemorySegment segment() {
      return segment;
    }

    /** Gives the buffer back. */
    @Override
    public void close() {
      pool.giveBack(this);
    }
  }

  /** A buffer of so many bytes, of any content. */
  public Buffer take(long bytes) {
    long capacity = capacityFor(bytes);
    Buffer buffer = fromKept(capacity);
    if (buffer == null) {
      buffer = new Buffer(this, capacity);
    }
    buffer.segment = buffer.whole.asSlice(0, bytes);
    lent.incrementAndGet();
    return buffer;
  }

  /** How many buffers have been taken and not been given back. */
  public long lent() {
    return lent.get();
  }

  /** Sizes are rounded to quarter powers of two, so that nearly equal requests share buffers. */
  private static long capacityFor(long bytes) {
    if (bytes <= SMALLEST) {
      return SMALLEST;
    }
    long step = Math.max(SMALLEST, Long.highestOneBit(bytes - 1) >> 2);
    return Math.addExact(bytes - 1, step) / step * step;
  }

  private synchronized Buffer fromKept(long capacity) {
    for (var each = kept.descendingIterator(); each.hasNext(); ) {
      Buffer buffer = each.next();
      if (buffer.whole.byteSize() == capacity) {
        each.remove();
        keptBytes -= capacity;
        return buffer;
      }
    }
    return null;
  }

  private void giveBack(Buffer buffer) {
    lent.decrementAndGet();
    Buffer surplus = null;
    synchronized (this) {
      if (closed || buffer.whole.byteSize() > keptBytesLimit) {
        surplus = buffer;
      } else {
        kept.addLast(buffer);
        keptBytes += buffer.whole.byteSize();
      }
    }
    if (surplus != null) {
      surplus.arena.close();
    }
    shrink();
  }

  private void shrink() {
    while (true) {
      Buffer oldest;
      synchronized (this) {
        if (keptBytes <= keptBytesLimit) {
          return;
        }
        oldest = kept.removeFirst();
        keptBytes -= oldest.whole.byteSize();
      }
      oldest.arena.close();
    }
  }

  /** Frees what is not handed out; what comes back later is freed then. */
  @Override
  public void close() {
    ArrayDeque<Buffer> all;
    synchronized (this) {
      closed = true;
      all = new ArrayDeque<>(kept);
      kept.clear();
      keptBytes = 0;
    }
    all.forEach(buffer -> buffer.arena.close());
  }
}
