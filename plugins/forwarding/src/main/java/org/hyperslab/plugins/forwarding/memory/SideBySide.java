package org.hyperslab.plugins.forwarding.memory;

import java.lang.foreign.MemorySegment;

/**
 * Memory for payloads as they arrive: small ones stand one behind the other in blocks, so that what
 * was sent in a row lies in a row and can be written as one without a copy. Large ones, and all
 * while too many blocks are out, have memory of their own.
 *
 * <p>Invariant: at most {@value #MOST_BLOCKS} blocks are out, of together at most half of what the
 * user may have in use; a block is out from its first part until nobody has any part of it and no
 * more is taken from it. Parts begin at multiples of {@value #ALIGNMENT} bytes.
 *
 * <p>Thread rule: guarded by its user.
 */
public final class SideBySide {

  private static final int MOST_BLOCKS = 4;
  private static final long MOST_BLOCK_BYTES = 2 << 20;

  /** What is longer than a part of a block has memory of its own. */
  private static final int LEAST_PARTS = 16;

  private static final int ALIGNMENT = 64;

  private final BufferPool pool;
  private final long blockBytes;
  private Block filling;
  private int out;

  /** Parts of one buffer of the pool. */
  private static final class Block {
    private final BufferPool.Buffer buffer;
    private long filledBytes;
    private int parts;
    private boolean lost;

    Block(BufferPool.Buffer buffer) {
      this.buffer = buffer;
    }
  }

  /** Memory in use, until it is given back. */
  public static final class Part {
    private final Block block;
    private final BufferPool.Buffer buffer;

    private Part(Block block, BufferPool.Buffer buffer) {
      this.block = block;
      this.buffer = buffer;
    }

    /** Where it is, with any contents. */
    public MemorySegment bytes() {
      return buffer.bytes();
    }
  }

  /**
   * Nothing in use.
   *
   * @param pool where the memory comes from and goes to
   * @param mostBytes how much its user has in use at a time
   */
  public SideBySide(BufferPool pool, long mostBytes) {
    this.pool = pool;
    this.blockBytes = Math.min(MOST_BLOCK_BYTES, mostBytes / 2 / MOST_BLOCKS);
  }

  /** Memory of so many bytes, at least 1. */
  public Part take(long bytes) {
    Block block = bytes <= blockBytes / LEAST_PARTS ? withRoom(bytes) : null;
    if (block == null) {
      return new Part(null, pool.take(bytes));
    }
    long at = block.filledBytes;
    block.filledBytes = at + bytes + (-bytes & (ALIGNMENT - 1));
    block.parts++;
    BufferPool.Buffer part =
        new BufferPool.Buffer(block.buffer.whole(), block.buffer.bytes().asSlice(at, bytes));
    return new Part(block, part);
  }

  /** The block that is being filled, or a new one; null if it is full and no other may be out. */
  private Block withRoom(long bytes) {
    if (filling != null && filling.filledBytes + bytes > blockBytes) {
      Block full = filling;
      filling = null;
      giveIfUnused(full);
    }
    if (filling == null && out < MOST_BLOCKS) {
      filling = new Block(pool.take(blockBytes));
      out++;
    }
    return filling;
  }

  private void giveIfUnused(Block block) {
    if (block.parts == 0 && !block.lost) {
      out--;
      pool.give(block.buffer);
    }
  }

  /** Takes memory back; nobody uses it any more. */
  public void give(Part part) {
    Block block = part.block;
    if (block == null) {
      pool.give(part.buffer);
      return;
    }
    block.parts--;
    if (block != filling) {
      giveIfUnused(block);
    } else if (block.parts == 0) {
      block.filledBytes = 0;
    }
  }

  /** Forgets memory that somebody may use for ever: neither it nor its block is used again. */
  public void lose(Part part) {
    Block block = part.block;
    if (block == null || block.lost) {
      return;
    }
    block.lost = true;
    out--;
    filling = filling == block ? null : filling;
  }

  /** Gives back what is kept for parts to come; what is in use comes back as it is given. */
  public void close() {
    Block last = filling;
    filling = null;
    if (last != null) {
      giveIfUnused(last);
    }
  }
}
