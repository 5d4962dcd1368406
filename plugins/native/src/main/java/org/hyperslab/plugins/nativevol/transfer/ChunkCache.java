package org.hyperslab.plugins.nativevol.transfer;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * Caches decoded chunks of one dataset with filters. It holds those that a transfer used in part,
 * since the next transfer is likely to use the rest, and those that were written in part and are
 * not encoded yet.
 *
 * <p>Its size follows the accesses: it keeps the chunks of recent transfers (sized for the largest
 * of them, which decays by an eighth with each transfer), at least {@value #SMALLEST_BYTES} bytes,
 * and never more than the budget of its file permits. Only {@link #surplusDirty} evicts chunks with
 * unwritten changes.
 *
 * <p>Thread rule: any thread; the content of a chunk is changed only under the file's write lock.
 */
final class ChunkCache {

  private static final long SMALLEST_BYTES = 4L << 20;

  private final int chunkBytes;
  private final CacheBudget budget;
  private final ArrayPool arrays;
  private final LinkedHashMap<Key, Entry> entries = new LinkedHashMap<>(64, 0.75f, true);
  private long usedByLatest;
  private long usedRecently;
  private long transfer;
  private int dirtyCount;

  /**
   * Creates an empty cache.
   *
   * @param budget bounds the bytes that it keeps, except for one chunk
   * @param arrays the pool for the arrays that hold chunks
   */
  ChunkCache(int chunkBytes, CacheBudget budget, ArrayPool arrays) {
    this.chunkBytes = chunkBytes;
    this.budget = budget;
    this.arrays = arrays;
  }

  /** A chunk's coordinates as a key. */
  private record Key(long[] scaled) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Key key && Arrays.equals(scaled, key.scaled);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(scaled);
    }
  }

  /** A chunk in memory. */
  static final class Entry {
    final long[] scaled;
    final byte[] bytes;
    private final MemorySegment segment;
    private int pins;
    private boolean loaded;
    private boolean dirty;
    private long transfer;

    private Entry(long[] scaled, byte[] bytes) {
      this.scaled = scaled;
      this.bytes = bytes;
      this.segment = MemorySegment.ofArray(bytes);
    }

    /** Returns the chunk's elements. */
    MemorySegment segment() {
      return segment;
    }

    /** Runs the loader to make the content, unless this has been done. */
    synchronized void load(Runnable loader) {
      if (!loaded) {
        loader.run();
        loaded = true;
      }
    }
  }

  /** Begins a transfer, whose chunks the cache is to keep. */
  synchronized void beginTransfer() {
    transfer++;
    usedRecently = Math.max(usedByLatest, usedRecently - usedRecently / 8);
    usedByLatest = 0;
  }

  /** Pins and returns the chunk if it is cached; returns null if not. */
  synchronized Entry pinIfPresent(long[] scaled) {
    Entry entry = entries.get(new Key(scaled));
    return entry == null ? null : pinned(entry);
  }

  /** Pins and returns the chunk; a chunk that was not cached has no content yet. */
  synchronized Entry pin(long[] scaled) {
    Entry entry = entries.get(new Key(scaled));
    if (entry == null) {
      entry = new Entry(scaled, arrays.take(chunkBytes));
      entries.put(new Key(scaled), entry);
      budget.take(chunkBytes);
      pinned(entry);
      dropSurplus();
      return entry;
    }
    return pinned(entry);
  }

  private Entry pinned(Entry entry) {
    if (entry.transfer != transfer) {
      entry.transfer = transfer;
      usedByLatest += chunkBytes;
    }
    entry.pins++;
    return entry;
  }

  /** Unpins a chunk. */
  synchronized void unpin(Entry entry) {
    entry.pins--;
    // A chunk that could not be loaded is treated as if it had never been cached.
    if (!entry.loaded && entry.pins == 0) {
      removed(entries.remove(new Key(entry.scaled)));
    }
  }

  /** Marks a pinned chunk as changed. */
  synchronized void markDirty(Entry entry) {
    if (!entry.dirty) {
      entry.dirty = true;
      dirtyCount++;
    }
  }

  /** Marks a chunk as clean after its changes have been written. */
  synchronized void markClean(Entry entry) {
    if (entry.dirty) {
      entry.dirty = false;
      dirtyCount--;
    }
  }

  /** Removes a chunk, including its changes, after it was written whole or deleted. */
  synchronized void discard(long[] scaled) {
    Entry entry = entries.remove(new Key(scaled));
    if (entry == null) {
      return;
    }
    removed(entry);
    markClean(entry);
    if (entry.pins == 0) {
      release(entry);
    }
  }

  /** Returns the chunks with changes, in order of coordinates. */
  synchronized List<Entry> dirty() {
    List<Entry> dirty = new ArrayList<>();
    for (Entry entry : entries.values()) {
      if (entry.dirty) {
        dirty.add(entry);
      }
    }
    dirty.sort((a, b) -> Arrays.compare(a.scaled, b.scaled));
    return dirty;
  }

  /** Returns the chunks with changes that exceed the bound, least recently used first. */
  synchronized List<Entry> surplusDirty() {
    List<Entry> surplus = new ArrayList<>();
    long over = (long) entries.size() * chunkBytes - limit();
    for (Iterator<Entry> each = entries.values().iterator(); over > 0 && each.hasNext(); ) {
      Entry entry = each.next();
      if (entry.dirty && entry.pins == 0) {
        surplus.add(entry);
      }
      over -= chunkBytes;
    }
    return surplus;
  }

  /** Evicts chunks without changes that exceed the bound. */
  synchronized void dropSurplus() {
    long over = (long) entries.size() * chunkBytes - limit();
    if (entries.size() == dirtyCount) {
      return;
    }
    for (Iterator<Entry> each = entries.values().iterator(); over > 0 && each.hasNext(); ) {
      Entry entry = each.next();
      if (!entry.dirty && entry.pins == 0 && entry.loaded) {
        each.remove();
        removed(entry);
        release(entry);
        over -= chunkBytes;
      }
    }
  }

  /** Removes all chunks, including their changes. */
  synchronized void clear() {
    budget.take(-(long) entries.size() * chunkBytes);
    for (Entry entry : entries.values()) {
      if (entry.pins == 0) {
        release(entry);
      }
    }
    entries.clear();
    dirtyCount = 0;
  }

  /** Returns the greatest number of bytes that it may hold, whatever was used recently. */
  synchronized long room() {
    return Math.max(chunkBytes, budget.allowance((long) entries.size() * chunkBytes));
  }

  private long limit() {
    long used = Math.max(usedByLatest, usedRecently);
    return Math.max(chunkBytes, Math.min(room(), Math.max(SMALLEST_BYTES, used)));
  }

  private void removed(Entry entry) {
    if (entry != null) {
      budget.take(-chunkBytes);
    }
  }

  private void release(Entry entry) {
    arrays.give(entry.bytes);
  }
}
