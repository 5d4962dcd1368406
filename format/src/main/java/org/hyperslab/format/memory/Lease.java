package org.hyperslab.format.memory;

import java.lang.foreign.MemorySegment;

/**
 * Native memory borrowed from a {@link BufferPool} until this lease is closed. Afterwards the
 * memory may be lent again or freed: slices of it must not outlive the lease.
 *
 * <p>Thread rule: any thread may close it; use of the memory itself is not synchronized.
 */
public final class Lease implements AutoCloseable {

  private final BufferPool pool;
  private final long bytes;
  private final MemorySegment segment;
  private BufferPool.Block block;

  Lease(BufferPool pool, BufferPool.Block block, long bytes) {
    this.pool = pool;
    this.block = block;
    this.bytes = bytes;
    this.segment = block.memory().asSlice(0, bytes);
  }

  /**
   * Returns the memory: exactly the requested number of bytes, aligned to a page, with unspecified
   * content.
   *
   * @return the memory
   */
  public MemorySegment segment() {
    return segment;
  }

  /** Returns the memory to the pool. A second call has no effect. */
  @Override
  public void close() {
    BufferPool.Block returned;
    synchronized (this) {
      returned = block;
      block = null;
    }
    if (returned != null) {
      pool.recycle(returned, bytes);
    }
  }
}
