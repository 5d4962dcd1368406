package org.hyperslab.plugins.nativevol.transfer;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * Filtered chunks of one dataset, decoded: those that a transfer used in part, for the next
 * transfer is likely to use the rest, and those that were written in part and not yet encoded.
 *
 * <p>It is as large as the accesses need: it keeps what recent transfers used (the largest of them,
 * forgotten by an eighth with each transfer), at least {@value #SMALLEST_BYTES} bytes, and never
 * more than the budget of its file lets it. Chunks with unwritten changes are not dropped but by
 * {@link #surplusDirty}.
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
   * @param arrays where chunks are kept
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

    /** Has its content made by the loader, unless it has been. */
    synchronized void load(Runnable loader) {
      if (!loaded) {
        loader.run();
        loaded = true;
      }
    }
  }

  /** Begins a transfer: the chunks that it uses are the ones that are kept. */
  synchronized void beginTransfer() {
    transfer++;
    usedRecently = Math.max(usedByLatest, usedRecently - usedRecently / 8);
    usedByLatest = 0;
  }

  /** Returns the chunk if it is here, pinned; null if not. */
  synchronized Entry pinIfPresent(long[] scaled) {
    Entry entry = entries.get(new Key(scaled));
    return entry == null ? null : pinned(entry);
  }

  /** Returns the chunk, pinned; without content if it was not here. */
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

  /** Gives a pinned chunk back. */
  synchronized void unpin(Entry entry) {
    entry.pins--;
    // A chunk that could not be loaded is as if it had never been here.
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

  /** Notes that a chunk's changes have been written. */
  synchronized void markClean(Entry entry) {
    if (entry.dirty) {
      entry.dirty = false;
      dirtyCount--;
    }
  }

  /** Forgets a chunk, changes included: it was written as a whole or deleted. */
  synchronized void discard(long[] scaled) {
    Entry entry = entries.remove(new Key(scaled));
    if (entry == null) {
      return;
    }
    removed(entry);
    markClean(entry);
    if (entry.pins == 0) {
      giveBack(entry);
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

  /** Returns the chunks with changes that are too many, least recently used first. */
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

  /** Forgets chunks without changes that are too many. */
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
        giveBack(entry);
        over -= chunkBytes;
      }
    }
  }

  /** Forgets everything, changes included. */
  synchronized void clear() {
    budget.take(-(long) entries.size() * chunkBytes);
    for (Entry entry : entries.values()) {
      if (entry.pins == 0) {
        giveBack(entry);
      }
    }
    entries.clear();
    dirtyCount = 0;
  }

  private long limit() {
    long used = Math.max(usedByLatest, usedRecently);
    long allowed = budget.allowance((long) entries.size() * chunkBytes);
    return Math.max(chunkBytes, Math.min(allowed, Math.max(SMALLEST_BYTES, used)));
  }

  private void removed(Entry entry) {
    if (entry != null) {
      budget.take(-chunkBytes);
    }
  }

  private void giveBack(Entry entry) {
    arrays.give(entry.bytes);
  }
}
