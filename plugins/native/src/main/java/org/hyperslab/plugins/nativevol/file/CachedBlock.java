package org.hyperslab.plugins.nativevol.file;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import org.hyperslab.format.metadata.MetadataBlock;

/**
 * An entry of the metadata cache: a decoded block, held by a strong reference while it is in use or
 * dirty, and by a weak reference after it was evicted.
 *
 * <p>Thread rule: any thread; {@link #soil}, {@link #clean} and {@link #remove} only under the
 * file's write lock.
 */
final class CachedBlock {

  /** A weak reference to an evicted block, and its entry. */
  static final class Weak extends WeakReference<MetadataBlock> {
    private final long address;

    Weak(MetadataBlock block, long address, ReferenceQueue<MetadataBlock> queue) {
      super(block, queue);
      this.address = address;
    }

    long address() {
      return address;
    }
  }

  private final long address;
  private final long sizeBytes;
  private volatile MetadataBlock strong;
  private Weak weak;
  private boolean dirty;
  private boolean removed;

  /** Whether the block was used since the last sweep: a hint, which a thread may miss. */
  private boolean used;

  private boolean inClock;
  private long soiledAt;

  CachedBlock(long address, long sizeBytes, MetadataBlock block) {
    this.address = address;
    this.sizeBytes = sizeBytes;
    this.strong = block;
  }

  /** Returns the block's address, in bytes from the base address. */
  long address() {
    return address;
  }

  /** Returns its encoded size. */
  long sizeBytes() {
    return sizeBytes;
  }

  /** Returns the block if a strong reference holds it, or null. Takes no lock. */
  MetadataBlock use() {
    if (!used) {
      used = true;
    }
    return strong;
  }

  /** Returns the block, or null if it was evicted and collected. */
  synchronized MetadataBlock get() {
    used = true;
    return strong != null ? strong : weak == null ? null : weak.get();
  }

  /** Holds an evicted block strongly again, and returns whether it had been evicted. */
  synchronized boolean revive(MetadataBlock block) {
    if (strong != null || removed) {
      return false;
    }
    strong = block;
    weak = null;
    return true;
  }

  /**
   * Returns whether the block may be evicted: it is clean, and was not used since the last call.
   */
  synchronized boolean mayGo() {
    boolean go = !dirty && !used && !removed && strong != null;
    used = false;
    return go;
  }

  /** Returns whether the entry has left the cache. */
  synchronized boolean gone() {
    return removed;
  }

  /** Returns whether a strong reference holds the block. */
  synchronized boolean held() {
    return strong != null;
  }

  /** Notes that the entry enters the clock, and returns whether it was not in it. */
  synchronized boolean enterClock() {
    boolean was = inClock;
    inClock = true;
    return !was;
  }

  /** Notes that the entry has left the clock. */
  synchronized void leaveClock() {
    inClock = false;
  }

  /** Returns whether the entry is in the clock. */
  synchronized boolean inClock() {
    return inClock;
  }

  /**
   * Evicts the block, so that only a weak reference to it stays, and returns whether it was held.
   */
  synchronized boolean weaken(ReferenceQueue<MetadataBlock> queue) {
    if (dirty || strong == null) {
      return false;
    }
    weak = new Weak(strong, address, queue);
    strong = null;
    return true;
  }

  /**
   * Marks the block as dirty, and returns whether it was clean.
   *
   * @param edits the number of edits of the file so far
   */
  synchronized boolean soil(long edits) {
    boolean was = dirty;
    dirty = true;
    soiledAt = edits;
    return !was;
  }

  /** Returns whether the block was not marked dirty after a number of edits. */
  synchronized boolean soiledBy(long edits) {
    return soiledAt <= edits;
  }

  /** Returns whether the block has changes that are not written. */
  synchronized boolean dirty() {
    return dirty;
  }

  /** Marks the block as clean after it has been written. */
  synchronized void clean() {
    dirty = false;
  }

  /** Marks the entry as removed from the cache, and returns whether it was dirty. */
  synchronized boolean remove() {
    boolean was = dirty;
    dirty = false;
    removed = true;
    return was;
  }

  /** Marks the entry as removed. Always returns true, so that it can serve as a filter. */
  synchronized boolean forget() {
    removed = true;
    return true;
  }
}
