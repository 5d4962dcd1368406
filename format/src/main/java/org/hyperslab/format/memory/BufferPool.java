package org.hyperslab.format.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Cleaner;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Lends native memory and takes it back for reuse: the first touch of a fresh page costs more than
 * copying into it. Memory that is not lent is kept up to a limit; the memory that has been unused
 * longest is freed first.
 *
 * <p>Capacities are rounded up to quarter powers of two, so that requests of nearly the same length
 * share memory; at most a quarter of a buffer (or, below 16 KiB, part of a page) is unused.
 *
 * <p>A lease that is never closed is never freed. The idle memory of a pool that is never closed is
 * freed when the pool is unreachable. Thread rule: safe for use by any thread; the lock is held for
 * list operations only, never while memory is allocated or freed.
 */
public final class BufferPool implements AutoCloseable {

  /** The alignment of every buffer and the smallest capacity, in bytes. */
  private static final long PAGE_BYTES = 4096;

  private static final long MAX_BYTES = 1L << 62;

  /**
   * The number of capacity classes: {@link #PAGE_BYTES}, and four for each power of two above it.
   */
  private static final int CLASSES = 4 * Long.SIZE;

  private static final AtomicLong LENT_BY_ALL = new AtomicLong();

  private static final BufferPool OF_PROCESS = new BufferPool(64L << 20);

  /**
   * A block of the pool's memory.
   *
   * @param memory the whole block, whose length is a capacity
   * @param arena frees it
   */
  record Block(MemorySegment memory, Arena arena) {
    long capacity() {
      return memory.byteSize();
    }

    void free() {
      arena.close();
    }
  }

  /** A block that is not lent, and the time at which it was returned. */
  private record Idle(Block block, long since) {}

  private final long idleLimitBytes;

  private final IdleBlocks idle = new IdleBlocks();
  private boolean reclaimed;
  private long lent;
  private long lentBytes;
  private long lentCapacity;
  private long peakBytes;
  private boolean closed;

  /**
   * Creates an empty pool.
   *
   * @param idleLimitBytes the greatest number of bytes kept while not lent; 0 keeps none
   * @throws IllegalArgumentException if the limit is negative
   */
  public BufferPool(long idleLimitBytes) {
    if (idleLimitBytes < 0) {
      throw new IllegalArgumentException(
          "limit of a buffer pool: actual=" + idleLimitBytes + ", expected=0 or more bytes");
    }
    this.idleLimitBytes = idleLimitBytes;
  }

  /**
   * {@return the pool that has no owner, which keeps at most 64 MiB} It serves what files and
   * connectors that are opened one after another would allocate anew, and is never closed.
   */
  public static BufferPool ofProcess() {
    return OF_PROCESS;
  }

  /**
   * Lends a buffer.
   *
   * @param bytes the length; may be 0
   * @return a lease of exactly {@code bytes} bytes of unspecified content, aligned to a page
   * @throws IllegalArgumentException if {@code bytes} is negative or above 2<sup>62</sup>
   * @throws IllegalStateException if the pool is closed
   * @throws OutOfMemoryError if there is no memory even after all idle buffers have been freed
   */
  public Lease take(long bytes) {
    if (bytes < 0 || bytes > MAX_BYTES) {
      throw new IllegalArgumentException(
          "length of a buffer: actual=" + bytes + " bytes, expected=0 to " + MAX_BYTES);
    }
    long capacity = capacityFor(bytes);
    Block block = takeIdle(capacity, bytes);
    if (block == null) {
      block = allocateLent(capacity, bytes);
    }
    return new Lease(this, block, bytes);
  }

  /** Rounds up to a quarter power of two, and to at least a page. */
  static long capacityFor(long bytes) {
    if (bytes <= PAGE_BYTES) {
      return PAGE_BYTES;
    }
    long step = Math.max(PAGE_BYTES, Long.highestOneBit(bytes - 1) >> 2);
    return (bytes - 1 + step) / step * step;
  }

  /** Returns the class of a capacity: its highest bit and the two bits below it. */
  private static int classOf(long capacity) {
    int log = Long.SIZE - 1 - Long.numberOfLeadingZeros(capacity);
    return 4 * log + (int) (capacity >> log - 2 & 3);
  }

  private synchronized Block takeIdle(long capacity, long bytes) {
    if (closed) {
      throw new IllegalStateException("buffer pool: actual=closed, expected=open");
    }
    countLent(capacity, bytes);
    return idle.take(capacity);
  }

  private void countLent(long capacity, long bytes) {
    LENT_BY_ALL.incrementAndGet();
    lent++;
    lentBytes += bytes;
    lentCapacity += capacity;
    peakBytes = Math.max(peakBytes, lentBytes);
  }

  private synchronized void countReturned(long capacity, long bytes) {
    LENT_BY_ALL.decrementAndGet();
    lent--;
    lentBytes -= bytes;
    lentCapacity -= capacity;
  }

  /** Allocates a block that has already been counted as lent. */
  private Block allocateLent(long capacity, long bytes) {
    boolean done = false;
    try {
      Block block;
      try {
        block = allocate(capacity);
      } catch (OutOfMemoryError first) {
        freeDownTo(0);
        block = allocate(capacity);
      }
      done = true;
      return block;
    } finally {
      if (!done) {
        countReturned(capacity, bytes);
      }
    }
  }

  private static Block allocate(long capacity) {
    Arena arena = Arena.ofShared();
    try {
      return new Block(arena.allocate(capacity, PAGE_BYTES), arena);
    } catch (OutOfMemoryError | RuntimeException failure) {
      arena.close();
      throw failure;
    }
  }

  /** Takes back the block of a lease of {@code bytes}; called once for each lease. */
  void recycle(Block block, long bytes) {
    boolean surplus;
    synchronized (this) {
      countReturned(block.capacity(), bytes);
      surplus = closed || block.capacity() > idleLimitBytes;
      if (!surplus) {
        idle.add(block);
        if (!reclaimed) {
          reclaimed = true;
          Reclaimer.CLEANER.register(this, idle);
        }
      }
    }
    if (surplus) {
      block.free();
    }
    freeDownTo(idleLimitBytes);
  }

  /** Frees idle blocks, the longest unused first, until at most {@code limitBytes} are idle. */
  private void freeDownTo(long limitBytes) {
    for (Block oldest = removeOldest(limitBytes);
        oldest != null;
        oldest = removeOldest(limitBytes)) {
      oldest.free();
    }
  }

  private synchronized Block removeOldest(long limitBytes) {
    return idle.removeOldest(limitBytes);
  }

  /** {@return the greatest number of bytes kept while not lent} */
  public long idleLimitBytes() {
    return idleLimitBytes;
  }

  /** {@return the number of leases of all pools of this JVM that have not been closed} */
  public static long lentByAll() {
    return LENT_BY_ALL.get();
  }

  /** {@return the number of leases that have not been closed} */
  public synchronized long lent() {
    return lent;
  }

  /** {@return the number of bytes requested by the leases that have not been closed} */
  public synchronized long lentBytes() {
    return lentBytes;
  }

  /** {@return the greatest {@link #lentBytes} since the pool was created or {@link #resetPeak}} */
  public synchronized long peakBytes() {
    return peakBytes;
  }

  /** Restarts the measurement of {@link #peakBytes} at the number of bytes lent at present. */
  public synchronized void resetPeak() {
    peakBytes = lentBytes;
  }

  /** {@return the number of bytes of memory that the pool holds, lent and idle} */
  public synchronized long ownedBytes() {
    return lentCapacity + idle.bytes();
  }

  /**
   * Frees the memory that is not lent. Memory that is lent is freed when its lease is closed. A
   * second call has no effect.
   */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    freeDownTo(0);
  }

  /** The blocks that are not lent. They do not refer to their pool, so that they can outlive it. */
  private static final class IdleBlocks implements Runnable {

    /** The blocks by capacity class, the most recently used last; null if a class has had none. */
    private final List<ArrayDeque<Idle>> classes = new ArrayList<>();

    private long returns;
    private long bytes;

    IdleBlocks() {
      for (int i = 0; i < CLASSES; i++) {
        classes.add(null);
      }
    }

    synchronized long bytes() {
      return bytes;
    }

    synchronized void add(Block block) {
      int index = classOf(block.capacity());
      if (classes.get(index) == null) {
        classes.set(index, new ArrayDeque<>());
      }
      classes.get(index).addLast(new Idle(block, returns++));
      bytes += block.capacity();
    }

    /** Removes a block of a capacity; null if there is none. */
    synchronized Block take(long capacity) {
      ArrayDeque<Idle> same = classes.get(classOf(capacity));
      Idle found = same == null ? null : same.pollLast();
      if (found == null) {
        return null;
      }
      bytes -= capacity;
      return found.block;
    }

    /** Removes the block that has been unused longest; null if at most that many bytes are idle. */
    synchronized Block removeOldest(long limitBytes) {
      if (bytes <= limitBytes) {
        return null;
      }
      ArrayDeque<Idle> from = null;
      for (ArrayDeque<Idle> blocks : classes) {
        if (blocks != null
            && !blocks.isEmpty()
            && (from == null || blocks.peekFirst().since < from.peekFirst().since)) {
          from = blocks;
        }
      }
      Block oldest = from.removeFirst().block;
      bytes -= oldest.capacity();
      return oldest;
    }

    /** Frees all blocks, when the pool is unreachable. */
    @Override
    public void run() {
      for (Block block = removeOldest(0); block != null; block = removeOldest(0)) {
        block.free();
      }
    }
  }

  /** Starts its thread when a pool has idle memory for the first time. */
  private static final class Reclaimer {
    static final Cleaner CLEANER = Cleaner.create();
  }
}
