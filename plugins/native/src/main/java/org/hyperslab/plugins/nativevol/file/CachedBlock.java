package org.hyperslab.plugins.nativevol.file;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import org.hyperslab.format.metadata.MetadataBlock;

/**
 * A place in the metadata cache: a decoded block, held strongly while it is wanted or dirty, weakly
 * after it was given up.
 *
 * <p>Thread rule: every method may be called by several threads; {@link #soil}, {@link #clean} and
 * {@link #remove} under the file's write lock only.
 */
final class CachedBlock {

  /** A block given up, and where it stood. */
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
  private MetadataBlock strong;
  private Weak weak;
  private boolean dirty;
  private boolean removed;
  private boolean used;

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

  /** Returns the block, or null if it was given up and collected. */
  synchronized MetadataBlock get() {
    used = true;
    return strong != null ? strong : weak == null ? null : weak.get();
  }

  /** Holds strongly again a block that had been given up; whether it had been. */
  synchronized boolean revive(MetadataBlock block) {
    if (strong != null || removed) {
      return false;
    }
    strong = block;
    weak = null;
    return true;
  }

  /** Returns whether it may be given up: clean, and not used since it was last asked. */
  synchronized boolean mayGo() {
    boolean go = !dirty && !used && !removed && strong != null;
    used = false;
    return go;
  }

  /** Returns whether it is in the cache no longer. */
  synchronized boolean gone() {
    return removed;
  }

  /** Gives the block up. */
  synchronized void weaken(ReferenceQueue<MetadataBlock> queue) {
    if (!dirty && strong != null) {
      weak = new Weak(strong, address, queue);
      strong = null;
    }
  }

  /** Makes it dirty; whether it was clean. */
  synchronized boolean soil() {
    boolean was = dirty;
    dirty = true;
    return !was;
  }

  /** Returns whether it waits to be written. */
  synchronized boolean dirty() {
    return dirty;
  }

  /** Notes that the block has been written. */
  synchronized void clean() {
    dirty = false;
  }

  /** It has left the cache; whether it was dirty. */
  synchronized boolean remove() {
    boolean was = dirty;
    dirty = false;
    removed = true;
    return was;
  }

  /** Marks it as gone; always true, so that it can be used as a filter. */
  synchronized boolean forget() {
    removed = true;
    return true;
  }
}
