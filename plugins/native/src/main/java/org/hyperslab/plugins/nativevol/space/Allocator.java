package org.hyperslab.plugins.nativevol.space;

import java.util.OptionalLong;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.metadata.SpaceKind;

/**
 * Allocates file space.
 *
 * <p>Metadata and raw data are kept apart. An allocation is served from the free section that fits
 * best, then from a block that was set aside for its kind and is given out piece by piece, then
 * from the end of the file. Space allocated since the last flush (<i>fresh</i>) is reused as soon
 * as it is freed; space that a flushed structure may still refer to is reused only after the next
 * flush has made the release durable, see {@link #flushed}. Together, both rules allow a new block
 * to be written at any time: no durable structure refers to its place.
 *
 * <p>Only metadata may, within a budget, use space whose release awaits a flush before the file
 * grows. Such space does not become fresh, so the block stays in memory and passes through the
 * journal, like a block that is edited in place.
 *
 * <p>Addresses are bytes from the file's base address.
 *
 * <p>Thread rule: guarded by the file's write lock; its read lock is enough for {@link #endOfFile},
 * {@link #flushedEnd} and {@link #freeBytes}.
 */
public final class Allocator {

  private static final long FIRST_BLOCK_BYTES = 2048;
  private static final long LARGEST_BLOCK_BYTES = 256 << 10;

  /** The least number of blocks of a size that a file would hold, so that little is set aside. */
  private static final int BLOCKS_IN_FILE = 8;

  /**
   * The least number of blocks of a size that would hold what was given out of their kind: the rest
   * of the last block stays unused if elements follow it.
   */
  private static final int BLOCKS_OF_USE = 2;

  /** Up to this end of a file, a block at the end is cut where the other kind needs space. */
  private static final long SMALL_FILE_BYTES = 32 << 10;

  /**
   * The largest allocation for which such a block is cut. Beside a larger one, the block is small,
   * and metadata stays together before it.
   */
  private static final long LARGEST_CUTTING_BYTES = 32 << 10;

  private final String file;
  private final long limit;
  private SpacePolicy policy;
  private final Pool metadata = new Pool();
  private final Pool raw = new Pool();
  private final RangeSet fresh = new RangeSet();

  /** Space that was gained at the end of the file since the last flush and was never freed. */
  private final RangeSet untouched = new RangeSet();

  /** The address from which on the store holds nothing and no space was ever allocated. */
  private long blankFrom = Long.MAX_VALUE;

  private long blankAfterFlush = Long.MAX_VALUE;
  private long journalledBytes;
  private long mostJournalledBytes;
  private volatile long endOfFile;

  /** The end of the file when it was opened or flushed last. */
  private long flushedEnd;

  /** The free sections of a kind, and the block from which small pieces are allocated. */
  private static final class Pool {
    private final FreeSpace free = new FreeSpace();
    private final FreeSpace pending = new FreeSpace();
    private long blockStart;
    private long blockEnd;
    private long nextBlockBytes = FIRST_BLOCK_BYTES;

    /** The bytes that were given out at the end of the file or from blocks. */
    private long givenBytes;
  }

  /**
   * Creates an allocator of a file that ends at {@code endOfFile}.
   *
   * @param file the file's name, for errors
   * @param sizeOfOffsets the size of an address in bytes, which bounds the file's size
   * @param endOfFile the end of the file, bytes from its base address
   * @param policy how space is given out
   */
  public Allocator(String file, int sizeOfOffsets, long endOfFile, SpacePolicy policy) {
    this.file = file;
    this.limit = sizeOfOffsets >= 8 ? Long.MAX_VALUE / 2 : (1L << (8 * sizeOfOffsets)) - 1;
    this.endOfFile = endOfFile;
    this.flushedEnd = endOfFile;
    this.policy = policy;
  }

  /**
   * Sets the page size.
   *
   * @param pageBytes the page size in bytes
   */
  public void setPageBytes(long pageBytes) {
    policy = policy.withPageBytes(pageBytes);
  }

  /**
   * Sets the greatest number of bytes of metadata that may be placed, between two flushes, in space
   * whose release awaits the second one.
   *
   * @param bytes the number of bytes
   */
  public void setMostJournalledBytes(long bytes) {
    mostJournalledBytes = bytes;
  }

  /**
   * Sets the length of the store, beyond which space that is gained at the end of the file reads as
   * zeros. Until then none is known to.
   *
   * @param bytes the number of bytes from the file's base address
   */
  public void storeHolds(long bytes) {
    blankFrom = Math.max(endOfFile, bytes);
  }

  /**
   * Records that a flush begins, which may write a journal after the end of the file. If it fails,
   * the journal stays there.
   */
  public void flushing() {
    untouched.clear();
    blankAfterFlush = blankFrom;
    blankFrom = Long.MAX_VALUE;
  }

  /**
   * {@return how many bytes of a range that was just allocated, from its first on, may hold other
   * bytes than zeros; nobody has written to the rest}
   *
   * @param address the start of the space, bytes from the file's base address
   * @param size the number of bytes
   */
  public long usedBytes(long address, long size) {
    long[] end = {address};
    untouched.split(address, address + size, (from, to) -> {}, (from, to) -> end[0] = to);
    return end[0] - address;
  }

  private void extendTo(long newEnd) {
    if (newEnd > blankFrom) {
      untouched.add(Math.max(endOfFile, blankFrom), newEnd);
      blankFrom = newEnd;
    }
    endOfFile = newEnd;
  }

  /** {@return the first address that was never allocated} */
  public long endOfFile() {
    return endOfFile;
  }

  /**
   * {@return the end of the file when it was opened or flushed last: the store holds everything
   * before it, unless another program has cut it}
   */
  public long flushedEnd() {
    return flushedEnd;
  }

  /** {@return the number of bytes that are known to be free} */
  public long freeBytes() {
    return freeBytes(metadata) + freeBytes(raw);
  }

  private static long freeBytes(Pool pool) {
    return pool.free.totalBytes() + pool.pending.totalBytes() + pool.blockEnd - pool.blockStart;
  }

  /**
   * Allocates {@code size} bytes, at least 1, and returns their address.
   *
   * @param kind the kind of space
   * @param size the number of bytes
   * @return the address, bytes from the file's base address
   */
  public long allocate(SpaceKind kind, long size) {
    if (size < 1) {
      throw new IllegalArgumentException("allocation of " + size + " bytes");
    }
    Pool pool = pool(kind);
    PlacementRule placement = policy.placement(kind, size);
    OptionalLong reused =
        pool.free.totalBytes() < size ? OptionalLong.empty() : pool.free.take(size, placement);
    if (reused.isEmpty() && mustGrow(pool, size, placement)) {
      OptionalLong waiting = takeWaiting(pool, size, placement);
      waiting = waiting.isPresent() ? waiting : lengthenWaiting(pool, size);
      if (waiting.isPresent()) {
        return waiting.getAsLong();
      }
    }
    long address = reused.isPresent() ? reused.getAsLong() : carve(pool, size, placement);
    fresh.add(address, address + size);
    return address;
  }

  private boolean mustGrow(Pool pool, long size, PlacementRule placement) {
    return size >= policy.largeBytes()
        || placement.place(pool.blockStart, size) > pool.blockEnd - size;
  }

  /** Takes space that the next flush frees, for blocks that are not written before that flush. */
  private OptionalLong takeWaiting(Pool pool, long size, PlacementRule placement) {
    if (pool == raw || pool.pending.totalBytes() < size) {
      return OptionalLong.empty();
    }
    if (journalledBytes + size > mostJournalledBytes) {
      return OptionalLong.empty();
    }
    OptionalLong taken = pool.pending.take(size, placement);
    journalledBytes += taken.isPresent() ? size : 0;
    return taken;
  }

  /**
   * Takes space at the end of the file that the next flush frees, and extends the file by the
   * missing bytes. A block that grows a little in every opening thereby stays the last one.
   */
  private OptionalLong lengthenWaiting(Pool pool, long size) {
    OptionalLong start = pool.pending.startOfSectionEndingAt(endOfFile);
    if (pool == raw
        || start.isEmpty()
        || policy.paged()
        || journalledBytes + size > mostJournalledBytes) {
      return OptionalLong.empty();
    }
    checkLimit(start.getAsLong(), size);
    pool.pending.takeOut(start.getAsLong(), endOfFile);
    extendTo(start.getAsLong() + size);
    journalledBytes += size;
    return start;
  }

  /**
   * {@return whether raw data of a size may be placed at any address, without alignment or pages}
   *
   * @param size the number of bytes
   */
  public boolean packsRaw(long size) {
    return !policy.paged() && policy.placement(SpaceKind.RAW_DATA, size) == PlacementRule.ANYWHERE;
  }

  private long carve(Pool pool, long size, PlacementRule placement) {
    pool.givenBytes += size;
    if (size >= policy.largeBytes()) {
      return atEnd(pool, policy.roundUp(size), size, placement);
    }
    long start = placement.place(pool.blockStart, size);
    if (start > pool.blockEnd - size) {
      if (2 * size > blockBytes(pool) && !policy.paged()) {
        // Most of a block for several of these would be wasted if there were only one.
        pool.nextBlockBytes = Math.min(LARGEST_BLOCK_BYTES, 2 * pool.nextBlockBytes);
        return pool.blockEnd == endOfFile && pool.blockStart < pool.blockEnd
            ? overEnd(pool, start, size)
            : atEnd(pool, size, size, placement);
      }
      refill(pool, size);
      start = placement.place(pool.blockStart, size);
    }
    release(pool, pool.blockStart, start);
    pool.blockStart = start + size;
    return start;
  }

  /** Allocates the rest of a block at the end of the file, and what is missing after it. */
  private long overEnd(Pool pool, long start, long size) {
    checkLimit(start, size);
    release(pool, pool.blockStart, start);
    extendTo(start + size);
    pool.blockStart = endOfFile;
    pool.blockEnd = endOfFile;
    return start;
  }

  /** Allocates at the end of the file; alignment gaps and bytes added by rounding stay free. */
  private long atEnd(Pool pool, long rounded, long size, PlacementRule placement) {
    if (size <= LARGEST_CUTTING_BYTES) {
      cutBlock(pool == raw ? metadata : raw);
    }
    long start = placement.place(endOfFile, size);
    checkLimit(start, rounded);
    long oldEnd = endOfFile;
    extendTo(start + rounded);
    release(pool, oldEnd, start);
    release(pool, start + size, start + rounded);
    return start;
  }

  private SpaceKind kind(Pool pool) {
    return pool == raw ? SpaceKind.RAW_DATA : SpaceKind.OBJECT_HEADER;
  }

  /** Returns how long a new block is to be. */
  private long blockBytes(Pool pool) {
    long share = Math.min(endOfFile / BLOCKS_IN_FILE, pool.givenBytes / BLOCKS_OF_USE);
    return Math.min(pool.nextBlockBytes, Math.max(FIRST_BLOCK_BYTES, share));
  }

  /** Sets aside a new block, or extends the old one if it is at the end of the file. */
  private void refill(Pool pool, long size) {
    if (cutBlock(pool == raw ? metadata : raw)) {
      pool.nextBlockBytes = FIRST_BLOCK_BYTES;
    }
    long wished = Math.max(blockBytes(pool), 2 * size);
    long bytes = policy.blockBytes(kind(pool), wished, size);
    pool.nextBlockBytes = Math.min(LARGEST_BLOCK_BYTES, 2 * pool.nextBlockBytes);
    if (pool.blockEnd == endOfFile && pool.blockEnd > pool.blockStart && !policy.paged()) {
      checkLimit(endOfFile, bytes);
      pool.blockEnd += bytes;
      extendTo(pool.blockEnd);
      return;
    }
    release(pool, pool.blockStart, pool.blockEnd);
    long start = policy.blockPlacement().place(endOfFile, bytes);
    checkLimit(start, bytes);
    long oldEnd = endOfFile;
    release(pool, oldEnd, start);
    extendTo(start + bytes);
    pool.blockStart = start;
    pool.blockEnd = endOfFile;
  }

  /**
   * Ends the file where a block at its end is not used yet, so that a small file has no gaps. In
   * larger ones blocks keep each kind together.
   */
  private boolean cutBlock(Pool pool) {
    boolean last = pool.blockEnd == endOfFile && pool.blockStart < pool.blockEnd;
    boolean kept = policy.paged() || (pool == metadata && policy.metadataBlockBytes() > 0);
    if (!last || kept || endOfFile > SMALL_FILE_BYTES || pool.blockStart < flushedEnd) {
      return false;
    }
    endOfFile = pool.blockStart;
    pool.blockEnd = pool.blockStart;
    return true;
  }

  /**
   * Ends the file where blocks at its end are not used yet, so that a flush does not make it longer
   * than what it holds. The next allocation of their kind extends them again.
   */
  public void cutUnused() {
    if (policy.paged()) {
      return;
    }
    for (Pool pool : new Pool[] {metadata, raw, metadata}) {
      if (pool.blockEnd == endOfFile && pool.blockStart >= flushedEnd) {
        endOfFile = pool.blockStart;
        pool.blockEnd = pool.blockStart;
      }
    }
  }

  private void checkLimit(long start, long size) {
    if (size > limit - start) {
      throw new StorageException(
          "file is full: actual=end "
              + start
              + " plus "
              + size
              + " bytes, expected=at most "
              + limit
              + " bytes that its addresses can express, at="
              + file
              + "; create the file with larger offsets");
    }
  }

  private static void release(Pool pool, long start, long endExclusive) {
    if (endExclusive > start) {
      pool.free.add(start, endExclusive);
    }
  }

  /**
   * Frees a section of the file's space.
   *
   * @param kind the kind of space
   * @param address the start of the space, bytes from the file's base address
   * @param size the number of bytes
   */
  public void free(SpaceKind kind, long address, long size) {
    if (size == 0) {
      return;
    }
    if (address < 0 || size < 0 || address > endOfFile - size) {
      throw new CorruptFileException(
          file, "file space", address, "freed " + size + " bytes, expected=within " + endOfFile);
    }
    long end = address + size;
    if (isFree(metadata, address, end) || isFree(raw, address, end)) {
      throw new CorruptFileException(
          file, "file space", address, size + " bytes are freed twice: two structures claim them");
    }
    Pool pool = pool(kind);
    fresh.split(address, end, pool.free::add, pool.pending::add);
    fresh.remove(address, end);
    untouched.remove(address, end);
  }

  private static boolean isFree(Pool pool, long start, long end) {
    return pool.free.intersects(start, end)
        || pool.pending.intersects(start, end)
        || (start < pool.blockEnd && end > pool.blockStart && pool.blockStart < pool.blockEnd);
  }

  /**
   * Adds a range that is free in the file as it was opened.
   *
   * @param kind the kind of space
   * @param address the start of the space, bytes from the file's base address
   * @param size the number of bytes
   */
  public void addFree(SpaceKind kind, long address, long size) {
    long end = Math.addExact(address, size);
    boolean plausible = address >= 0 && size > 0 && end <= endOfFile;
    if (plausible && !isFree(metadata, address, end) && !isFree(raw, address, end)) {
      pool(kind).free.add(address, end);
    }
  }

  /**
   * {@return whether all of a range was allocated since the last flush}
   *
   * @param address the start of the space, bytes from the file's base address
   * @param size the number of bytes
   */
  public boolean isFresh(long address, long size) {
    return fresh.covers(address, address + size);
  }

  /**
   * Calls an action for each range below an address that is free, or will be after the flush.
   * Blocks set aside are left out.
   *
   * @param kind the kind of space
   * @param below the address at which the sections end
   * @param action receives the sections, by address
   */
  public void forEachFree(SpaceKind kind, long below, RangeSet.Part action) {
    Pool pool = pool(kind);
    FreeSpace all = new FreeSpace();
    pool.free.forEach(all::add);
    pool.pending.forEach(all::add);
    all.forEach((start, end) -> {
      if (start < below) {
        action.accept(start, Math.min(end, below));
      }
    });
  }

  /**
   * Allocates space after everything that is in use, or that the file as it is on disk may still
   * use.
   *
   * @param size the number of bytes
   * @return the address, bytes from the file's base address
   */
  public long append(long size) {
    checkLimit(endOfFile, size);
    long start = endOfFile;
    long end = start + size;
    extendTo(end);
    fresh.add(start, end);
    return start;
  }

  /** Drops free space at the end that nothing durable refers to. */
  public void cutFreeEnd() {
    closeBlock(metadata);
    closeBlock(raw);
    OptionalLong start = OptionalLong.of(endOfFile);
    while (start.isPresent()) {
      trimmed(start.getAsLong());
      OptionalLong free = metadata.free.startOfSectionEndingAt(endOfFile);
      start = free.isPresent() ? free : raw.free.startOfSectionEndingAt(endOfFile);
    }
  }

  /**
   * {@return the end that the file may have once the release of all freed space is durable} Blocks
   * set aside are dropped.
   */
  public long endOfFileWhenTrimmed() {
    closeBlock(metadata);
    closeBlock(raw);
    long end = endOfFile;
    for (OptionalLong start = trailing(end); start.isPresent(); start = trailing(end)) {
      end = start.getAsLong();
    }
    return Math.min(endOfFile, policy.roundUpEnd(end));
  }

  /**
   * Plans moves of raw data that make the file shorter; blocks set aside are dropped.
   *
   * @param extents the raw data that may be moved
   * @return the moves; none if they gain nothing
   */
  public TailMove planTailMove(TailExtents extents) {
    closeBlock(metadata);
    closeBlock(raw);
    FreeSpace all = new FreeSpace();
    for (Pool pool : new Pool[] {metadata, raw}) {
      pool.free.forEach(all::add);
      pool.pending.forEach(all::add);
    }
    return TailMove.plan(all, endOfFile, extents, policy);
  }

  /**
   * Takes free space of either kind for raw data; nothing durable refers to it.
   *
   * @param start the start of the space, bytes from the file's base address
   * @param size the number of bytes
   * @throws IllegalStateException if not all of it is free
   */
  public void claim(long start, long size) {
    long before = metadata.free.totalBytes() + raw.free.totalBytes();
    metadata.free.takeOut(start, start + size);
    raw.free.takeOut(start, start + size);
    if (before - metadata.free.totalBytes() - raw.free.totalBytes() != size) {
      throw new IllegalStateException(size + " bytes at " + start + " are not free");
    }
    fresh.add(start, start + size);
  }

  /** {@return whether freed space waits for the next flush} */
  public boolean hasWaiting() {
    return metadata.pending.totalBytes() + raw.pending.totalBytes() > 0;
  }

  private static void closeBlock(Pool pool) {
    release(pool, pool.blockStart, pool.blockEnd);
    pool.blockStart = 0;
    pool.blockEnd = 0;
    pool.nextBlockBytes = FIRST_BLOCK_BYTES;
  }

  private OptionalLong trailing(long end) {
    OptionalLong start = metadata.free.startOfSectionEndingAt(end);
    start = start.isPresent() ? start : metadata.pending.startOfSectionEndingAt(end);
    start = start.isPresent() ? start : raw.free.startOfSectionEndingAt(end);
    return start.isPresent() ? start : raw.pending.startOfSectionEndingAt(end);
  }

  /**
   * Records that a flush is durable: freed space may be reused, unless a reader may still need it,
   * and no space is fresh.
   *
   * @param followed whether readers of other processes follow the file, so that freed space stays
   *     unused
   */
  public void flushed(boolean followed) {
    if (!followed) {
      metadata.pending.drainTo(metadata.free);
      raw.pending.drainTo(raw.free);
    }
    fresh.clear();
    flushedEnd = endOfFile;
    blankFrom = blankAfterFlush;
    journalledBytes = 0;
  }

  /**
   * Records that the file, which another process writes, is longer.
   *
   * @param newEndOfFile the end of the file, bytes from its base address
   */
  public void grown(long newEndOfFile) {
    endOfFile = Math.max(endOfFile, newEndOfFile);
    flushedEnd = endOfFile;
  }

  /** Records that the file was cut at the address that {@link #endOfFileWhenTrimmed} returned. */
  void trimmed(long newEndOfFile) {
    for (Pool pool : new Pool[] {metadata, raw}) {
      pool.free.splitAt(newEndOfFile);
      pool.free.cut(newEndOfFile);
    }
    endOfFile = newEndOfFile;
    flushedEnd = Math.min(flushedEnd, newEndOfFile);
  }

  private Pool pool(SpaceKind kind) {
    return kind == SpaceKind.RAW_DATA ? raw : metadata;
  }
}
