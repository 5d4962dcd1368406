package org.hyperslab.plugins.forwarding.server;

import java.lang.foreign.MemorySegment;
import org.hyperslab.format.memory.BufferPool;
import org.hyperslab.format.memory.Lease;

/**
 * Allocates memory for payloads as they arrive. Small payloads are placed next to each other in
 * blocks, so that consecutive payloads are adjacent and can be written together without a copy.
 * Large payloads, and all payloads while too many blocks are in use, get memory of their own.
 *
 * <p>Invariant: at most {@value #MAX_BLOCKS} blocks are in use, together at most half of the
 * caller's bound. A block is in use from the allocation of its first part until it is full and all
 * parts are released. Parts begin at multiples of {@value #ALIGNMENT} bytes.
 *
 * <p>Thread rule: guarded by the caller.
 */
final class PayloadSlab {

  private static final int MAX_BLOCKS = 4;
  private static final long MAX_BLOCK_BYTES = 2 << 20;

  /** A payload larger than this part of a block gets memory of its own. */
  private static final int MIN_PARTS = 16;

  private static final int ALIGNMENT = 64;

  private final BufferPool pool;
  private final long blockBytes;
  private Block filling;
  private int inUse;

  /** A lease that is divided into parts. */
  private static final class Block {
    private final Lease lease;
    private long filledBytes;
    private int parts;

    Block(Lease lease) {
      this.lease = lease;
    }
  }

  /** Memory for one payload. */
  public static final class Part {
    private final Block block;
    private final Lease own;
    private final MemorySegment bytes;

    private Part(Block block, Lease own, MemorySegment bytes) {
      this.block = block;
      this.own = own;
      this.bytes = bytes;
    }

    /** {@return the memory, with unspecified content} */
    public MemorySegment bytes() {
      return bytes;
    }
  }

  /**
   * Creates a slab without blocks.
   *
   * @param pool supplies the memory
   * @param maxBytes the largest number of bytes that the caller has in use at a time
   */
  public PayloadSlab(BufferPool pool, long maxBytes) {
    this.pool = pool;
    this.blockBytes = Math.min(MAX_BLOCK_BYTES, maxBytes / 2 / MAX_BLOCKS);
  }

  /**
   * Takes memory from a block, or from the pool if the part is too large for one.
   *
   * @param bytes the length in bytes, at least 1
   * @return the memory, to be released with {@link #release}
   */
  public Part take(long bytes) {
    Block block = bytes <= blockBytes / MIN_PARTS ? withRoom(bytes) : null;
    if (block == null) {
      Lease own = pool.take(bytes);
      return new Part(null, own, own.segment());
    }
    long at = block.filledBytes;
    block.filledBytes = at + bytes + (-bytes & (ALIGNMENT - 1));
    block.parts++;
    return new Part(block, null, block.lease.segment().asSlice(at, bytes));
  }

  /** {@return the block that is being filled, or a new one; null if there are too many blocks} */
  private Block withRoom(long bytes) {
    if (filling != null && filling.filledBytes + bytes > blockBytes) {
      Block full = filling;
      filling = null;
      closeIfUnused(full);
    }
    if (filling == null && inUse < MAX_BLOCKS) {
      filling = new Block(pool.take(blockBytes));
      inUse++;
    }
    return filling;
  }

  private void closeIfUnused(Block block) {
    if (block.parts == 0) {
      inUse--;
      block.lease.close();
    }
  }

  /**
   * Releases memory that is no longer used.
   *
   * @param part the memory, not released before
   */
  public void release(Part part) {
    Block block = part.block;
    if (block == null) {
      part.own.close();
      return;
    }
    block.parts--;
    if (block != filling) {
      closeIfUnused(block);
    } else if (block.parts == 0) {
      block.filledBytes = 0;
    }
  }

  /** Frees the memory kept for later parts. Memory in use is freed when it is released. */
  public void close() {
    Block last = filling;
    filling = null;
    if (last != null) {
      closeIfUnused(last);
    }
  }
}
