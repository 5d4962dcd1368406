package org.hyperslab.plugins.nativevol.file;

import java.lang.foreign.MemorySegment;
import java.lang.ref.ReferenceQueue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.metadata.BlockDecoder;
import org.hyperslab.format.metadata.MetadataBlock;
import org.hyperslab.format.metadata.MetadataSpace;
import org.hyperslab.format.metadata.SpaceKind;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.plugins.nativevol.space.Allocator;
import org.hyperslab.plugins.nativevol.store.SplitView;

/**
 * Keeps the metadata of one open file in memory: decoded blocks by address, and which of them are
 * dirty.
 *
 * <p>Invariants. There is at most one living instance of a block per address: a block that was
 * evicted to save memory stays reachable here as long as anything else refers to it. A dirty block
 * is never evicted. A dirty block in space that a durable structure may refer to is written only by
 * the flush ({@link #dirtyDurable}); one in space allocated since the last flush may be written at
 * any time ({@link #writeFresh}), and is written once it has not been edited for a while ({@link
 * #relieve}). A program that creates many objects then never holds all of them in memory, where the
 * garbage collector would copy them.
 *
 * <p>Memory: blocks in use plus {@code limitBytes}, counted in encoded bytes.
 *
 * <p>Thread rule: as {@link MetadataSpace}.
 */
final class MetadataCache implements MetadataSpace {

  private static final int EVICTION_STEPS = 64;

  /** Encoded bytes of new blocks that are collected before the older ones of them are written. */
  private static final long RELIEF_BYTES = 64 << 10;

  private static final int RUN_BYTES = 1 << 20;

  /** The fewest discarded entries for which the dirty ones are gone through. */
  private static final int LEAST_GONE = 1 << 10;

  /** The largest size of a block in a file whose length does not bound it. */
  private static final long LARGEST_SPLIT_BLOCK_BYTES = 1L << 28;

  private final ByteStore store;
  private final FileGeometry geometry;
  private final long baseAddress;
  private final Allocator allocator;
  private final long limitBytes;
  private volatile boolean followed;
  private final BlockTable blocks = new BlockTable();
  private final ConcurrentLinkedQueue<CachedBlock> clock = new ConcurrentLinkedQueue<>();
  private final ReferenceQueue<MetadataBlock> collected = new ReferenceQueue<>();
  private final ReentrantLock eviction = new ReentrantLock();
  private final AtomicLong residentBytes = new AtomicLong();
  private final Map<Long, Runnable> tasks = new LinkedHashMap<>();
  private ArrayList<CachedBlock> dirty = new ArrayList<>();
  private long dirtyBytes;

  /** The number of entries that were discarded since the dirty ones were last gone through. */
  private int gone;

  private long edits;

  /** The dirty bytes that were left by the last relief, and the number of edits at that time. */
  private long relievedBytes;

  private long relievedEdits;

  /** The undecoded bytes around what was read; empty if the file may change. */
  private final Optional<MetadataPages> pages;

  /**
   * Creates the metadata cache of a file.
   *
   * @param followed whether readers of other processes follow the writes of this one
   * @param unchanging whether the file does not change while it is open
   */
  MetadataCache(
      ByteStore store,
      FileGeometry geometry,
      long baseAddress,
      Allocator allocator,
      long limitBytes,
      boolean followed,
      boolean unchanging) {
    this.store = store;
    this.geometry = geometry;
    this.baseAddress = baseAddress;
    this.allocator = allocator;
    this.limitBytes = limitBytes;
    this.followed = followed;
    this.pages = unchanging ? Optional.of(new MetadataPages(store)) : Optional.empty();
  }

  /** Lets readers of other processes follow the writes of this one from now on. */
  void follow() {
    followed = true;
  }

  @Override
  public FileGeometry geometry() {
    return geometry;
  }

  /** Returns the number of edits so far. It grows with every change of a block or of space. */
  long edits() {
    return edits;
  }

  @Override
  public <B extends MetadataBlock> B load(
      long address, long sizeBytes, String structure, Class<B> type, BlockDecoder<B> decoder) {
    MetadataBlock known = find(address);
    if (known != null) {
      return cast(known, address, structure, type);
    }
    checkInside(address, sizeBytes, structure);
    byte[] bytes = read(baseAddress + address, (int) sizeBytes);
    // Structures take the position at which they are read as their address.
    B decoded = decoder.decode(new MetadataReader(geometry, structure, bytes, address));
    CachedBlock mine = new CachedBlock(address, sizeBytes, decoded);
    CachedBlock kept = blocks.putIfNone(mine);
    if (kept == mine) {
      keep(mine);
      return decoded;
    }
    MetadataBlock other = kept.get();
    return other == null
        ? load(address, sizeBytes, structure, type, decoder)
        : cast(other, address, structure, type);
  }

  /** Returns bytes of the store, which must have them. */
  private byte[] read(long offset, int sizeBytes) {
    if (pages.isPresent() && sizeBytes <= MetadataPages.PAGE_BYTES) {
      byte[] bytes = pages.get().read(offset, sizeBytes);
      if (bytes.length == sizeBytes) {
        return bytes;
      }
    }
    byte[] bytes = new byte[sizeBytes];
    store.read(offset, MemorySegment.ofArray(bytes)); // reports where the file ends too early
    return bytes;
  }

  @Override
  public <B extends MetadataBlock> Optional<B> cached(
      long address, String structure, Class<B> type) {
    MetadataBlock known = find(address);
    return known == null ? Optional.empty() : Optional.of(cast(known, address, structure, type));
  }

  private MetadataBlock find(long address) {
    CachedBlock entry = blocks.get(address);
    if (entry == null) {
      return null;
    }
    MetadataBlock held = entry.use();
    return held != null ? held : revived(entry);
  }

  /** Returns the block of an entry that was evicted; null if it was collected. */
  private MetadataBlock revived(CachedBlock entry) {
    MetadataBlock block = entry.get();
    if (block != null && entry.revive(block)) {
      keep(entry);
    }
    return block;
  }

  private <B extends MetadataBlock> B cast(
      MetadataBlock block, long address, String structure, Class<B> type) {
    if (!type.isInstance(block)) {
      throw new CorruptFileException(
          geometry.file(),
          structure,
          address,
          "two structures claim one address: actual="
              + block.getClass().getSimpleName()
              + ", expected="
              + type.getSimpleName());
    }
    return type.cast(block);
  }

  private void checkInside(long address, long sizeBytes, String structure) {
    long end = allocator.endOfFile();
    boolean anywhere =
        store instanceof SplitView
            && address != FileGeometry.UNDEFINED
            && sizeBytes >= 0
            && sizeBytes <= LARGEST_SPLIT_BLOCK_BYTES;
    if (anywhere) {
      return;
    }
    if (address < 0 || sizeBytes < 0 || sizeBytes > end || address > end - sizeBytes) {
      throw new CorruptFileException(
          geometry.file(),
          structure,
          Math.max(CorruptFileException.NO_OFFSET, address),
          "block of "
              + sizeBytes
              + " bytes at address "
              + address
              + ", expected=within the end of file "
              + end);
    }
    if (sizeBytes > Integer.MAX_VALUE - 16) {
      throw new CorruptFileException(
          geometry.file(), structure, address, "size actual=" + sizeBytes);
    }
  }

  @Override
  public byte[] peek(long address, int maximumBytes, String structure) {
    checkInside(address, 1, structure);
    if (pages.isPresent() && maximumBytes <= MetadataPages.PAGE_BYTES) {
      long inFile = allocator.endOfFile() - address;
      return pages.get().read(baseAddress + address, (int) Math.min(maximumBytes, inFile));
    }
    long count = maximumBytes;
    if (!(store instanceof SplitView)) {
      long end = Math.min(allocator.endOfFile(), store.size() - baseAddress);
      count = Math.max(0, Math.min(maximumBytes, end - address));
    }
    byte[] bytes = new byte[(int) count];
    store.read(baseAddress + address, MemorySegment.ofArray(bytes));
    return bytes;
  }

  /** Counts a block among those held in memory, and evicts others if there are too many. */
  private void keep(CachedBlock entry) {
    if (entry.enterClock()) {
      clock.add(entry);
    }
    count(entry);
  }

  private void count(CachedBlock entry) {
    if (residentBytes.addAndGet(entry.sizeBytes()) > limitBytes && eviction.tryLock()) {
      try {
        evictSome();
      } finally {
        eviction.unlock();
      }
    }
  }

  private void evictSome() {
    for (int i = 0; i < EVICTION_STEPS && residentBytes.get() > limitBytes; i++) {
      CachedBlock candidate = clock.poll();
      if (candidate == null) {
        break;
      }
      if (candidate.mayGo()) {
        residentBytes.addAndGet(-candidate.sizeBytes());
        candidate.weaken(collected);
      } else if (candidate.gone()) {
        residentBytes.addAndGet(-candidate.sizeBytes());
      } else {
        clock.add(candidate);
        continue;
      }
      candidate.leaveClock();
    }
    forgetCollected();
  }

  /** Removes the entries of evicted blocks that nothing refers to any more. */
  private void forgetCollected() {
    for (var reference = collected.poll(); reference != null; reference = collected.poll()) {
      long address = ((CachedBlock.Weak) reference).address();
      blocks.removeCollected(address);
    }
  }

  @Override
  public void insert(long address, MetadataBlock block) {
    edits++;
    CachedBlock entry = new CachedBlock(address, block.encodedSize(), block);
    removed(blocks.put(entry));
    soil(entry);
    count(entry); // it enters the clock when it is written, and can be evicted
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // one instance per address is the invariant
  public void markDirty(long address, MetadataBlock block) {
    edits++;
    CachedBlock entry = blocks.get(address);
    MetadataBlock known = entry == null ? null : entry.get();
    if (known == block) {
      boolean evicted = entry.revive(block);
      soil(entry); // before it is kept, which may evict every block that is not dirty
      if (evicted) {
        keep(entry);
      }
    } else if (known == null) {
      insert(address, block);
    } else {
      throw new IllegalStateException(
          "an edited block is not the one cached at " + address + ": " + block + ", " + known);
    }
  }

  private void soil(CachedBlock entry) {
    edits++;
    if (entry.soil(edits)) {
      dirty.add(entry);
      dirtyBytes += entry.sizeBytes();
    }
  }

  @Override
  public void discard(long address) {
    edits++;
    removed(blocks.remove(address));
  }

  private void removed(CachedBlock old) {
    if (old == null) {
      return;
    }
    if (old.remove()) {
      dirtyBytes -= old.sizeBytes();
      if (++gone > Math.max(LEAST_GONE, dirty.size() / 2)) {
        dirty.removeIf(entry -> !entry.dirty());
        gone = 0;
      }
    }
    if (!old.inClock() && old.held()) {
      residentBytes.addAndGet(-old.sizeBytes());
    }
  }

  @Override
  public long allocate(SpaceKind kind, long sizeBytes) {
    edits++;
    return allocator.allocate(kind, sizeBytes);
  }

  @Override
  public void free(SpaceKind kind, long address, long sizeBytes) {
    edits++;
    allocator.free(kind, address, sizeBytes);
  }

  @Override
  public void beforeFlush(long key, Runnable task) {
    tasks.put(key, task);
  }

  @Override
  public boolean movesEdited() {
    return followed;
  }

  @Override
  public boolean isNew(long address, long sizeBytes) {
    return allocator.isFresh(address, sizeBytes);
  }

  @Override
  public boolean isEdited(long address, long sizeBytes) {
    CachedBlock entry = blocks.get(address);
    return (entry != null && entry.dirty()) || isNew(address, sizeBytes);
  }

  /**
   * Runs the tasks that wait for a flush, in which structures encode state that they keep only in
   * memory.
   */
  void runTasks() {
    while (!tasks.isEmpty()) {
      List<Runnable> now = List.copyOf(tasks.values());
      tasks.clear();
      now.forEach(Runnable::run);
    }
  }

  /**
   * Writes new blocks early, after every {@link #RELIEF_BYTES} of them: those that were not edited
   * since the last time, or all if the dirty ones take much memory. They are evicted at once: what
   * was just created is rarely needed again soon. After the outermost edit no operation is under
   * way; what nothing keeps between operations is then forgotten, so that the garbage collector
   * finds neither the blocks nor references to them.
   *
   * @param nested whether the edit that has ended is part of another, whose blocks are still
   *     edited; then nothing is written unless the dirty blocks take much memory
   */
  void relieve(boolean nested) {
    if (nested && dirtyBytes <= limitBytes) {
      return;
    }
    if (dirtyBytes - relievedBytes <= Math.min(RELIEF_BYTES, limitBytes)) {
      relievedBytes = Math.min(relievedBytes, dirtyBytes);
      return;
    }
    long before = dirtyBytes > limitBytes ? Long.MAX_VALUE : relievedEdits;
    for (CachedBlock entry : writeFresh(before)) {
      if (entry.inClock()) {
        continue;
      }
      if (!nested && !entry.get().isKept()) {
        removed(blocks.remove(entry.address()));
      } else if (entry.weaken(collected)) {
        residentBytes.addAndGet(-entry.sizeBytes());
      }
    }
    forgetCollected();
    relievedBytes = dirtyBytes;
    relievedEdits = edits;
  }

  /** Returns whether no block waits to be written. */
  boolean clean() {
    return dirtyBytes == 0;
  }

  /** Writes every dirty block in space allocated since the last flush. */
  void writeFresh() {
    for (CachedBlock entry : writeFresh(Long.MAX_VALUE)) {
      if (entry.enterClock()) {
        clock.add(entry);
      }
    }
  }

  /**
   * Writes the dirty blocks in space allocated since the last flush that were not edited since.
   *
   * @param latest the number of edits after which a block must not have been edited
   * @return the blocks that were written, which are not yet in the clock if they are new
   */
  private List<CachedBlock> writeFresh(long latest) {
    ArrayList<CachedBlock> left = new ArrayList<>();
    List<CachedBlock> now = new ArrayList<>();
    for (CachedBlock entry : dirty) {
      if (entry.dirty()) {
        boolean fresh =
            entry.soiledBy(latest) && allocator.isFresh(entry.address(), entry.sizeBytes());
        (fresh ? now : left).add(entry);
      }
    }
    now.sort(Comparator.comparingLong(CachedBlock::address));
    BlockRunWriter writer = new BlockRunWriter(store, geometry, baseAddress, dirtyBytes, RUN_BYTES);
    for (CachedBlock entry : now) {
      writer.add(entry.address(), entry.sizeBytes(), entry.get());
    }
    writer.finish();
    for (CachedBlock entry : now) {
      cleaned(entry);
    }
    dirty = left;
    return now;
  }

  /**
   * Returns the dirty blocks in space that a durable structure may refer to, by ascending address.
   */
  List<CachedBlock> dirtyDurable() {
    List<CachedBlock> found = new ArrayList<>();
    for (CachedBlock entry : dirty) {
      if (entry.dirty()) {
        found.add(entry);
      }
    }
    found.sort(Comparator.comparingLong(CachedBlock::address));
    return found;
  }

  /** Records that these blocks have been written to the file. */
  void written(List<CachedBlock> entries) {
    for (CachedBlock entry : entries) {
      cleaned(entry);
      if (entry.enterClock()) {
        clock.add(entry);
      }
    }
    dirty = new ArrayList<>();
    relievedBytes = 0;
  }

  private void cleaned(CachedBlock entry) {
    entry.clean();
    dirtyBytes -= entry.sizeBytes();
  }

  /** Discards every clean block, so that the next access reads the file again. */
  void forgetClean() {
    pages.ifPresent(MetadataPages::forget);
    blocks.removeIf(entry -> !entry.dirty() && entry.forget());
  }
}
