package org.hyperslab.format.store;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.hyperslab.format.memory.LruCache;

/**
 * Caches the most recently read pages of a store, so that many small reads cost one request per
 * page. This helps if requests are expensive and metadata is stored together. It corresponds to the
 * page buffer of the HDF5 library (H5PB.c) for reads; writes are passed on.
 *
 * <p>A page is a range of {@code pageBytes} bytes that begins at a multiple of that. Reads of a
 * page or more bypass the buffer.
 *
 * <p>The store must not be changed in any other way. Thread rule: as {@link ByteStore}.
 */
public final class PageBufferStore extends StoreDecorator {

  private final int pageBytes;
  private final LruCache<Long, byte[]> pages;

  /**
   * A number that grows with every change of the store; guarded by {@link #pages}, as is {@link
   * #changing}.
   */
  private long changes;

  private int changing;

  /**
   * Creates a buffer in front of {@code store}.
   *
   * @param store the store
   * @param pageBytes the size of a page, at least 512
   * @param bufferBytes the greatest number of bytes of cached pages, at least one page
   * @throws IllegalArgumentException if a size is out of range
   */
  public PageBufferStore(ByteStore store, int pageBytes, long bufferBytes) {
    super(store);
    if (pageBytes < 512 || bufferBytes < pageBytes) {
      throw new IllegalArgumentException(
          "page buffer: actual="
              + bufferBytes
              + " bytes in pages of "
              + pageBytes
              + ", expected=pages of at least 512 bytes, and a buffer of at least one page");
    }
    this.pageBytes = pageBytes;
    this.pages = new LruCache<>(bufferBytes);
  }

  @Override
  public void read(long offset, MemorySegment target) {
    long length = target.byteSize();
    if (length == 0 || length >= pageBytes || offset < 0) {
      store.read(offset, target);
      return;
    }
    long end = offset + length;
    for (long at = offset; at < end; ) {
      long number = at / pageBytes;
      int from = (int) (at % pageBytes);
      int part = (int) Math.min(end - at, pageBytes - from);
      byte[] page = page(number, from + part);
      MemorySegment.copy(MemorySegment.ofArray(page), from, target, at - offset, part);
      at += part;
    }
  }

  @Override
  public void read(long offset, MemorySegment[] targets) {
    long at = offset;
    for (MemorySegment target : targets) {
      read(at, target);
      at += target.byteSize();
    }
  }

  /** Returns a page with at least {@code wanted} bytes. */
  private byte[] page(long number, int wanted) {
    long seen;
    synchronized (pages) {
      byte[] known = pages.get(number);
      if (known != null && known.length >= wanted) {
        return known;
      }
      seen = changes;
    }
    long start = number * pageBytes;
    long there = Math.clamp(store.size() - start, 0, pageBytes);
    byte[] page = new byte[(int) Math.max(there, wanted)];
    store.read(start, MemorySegment.ofArray(page));
    synchronized (pages) {
      if (changing == 0 && changes == seen) {
        pages.put(number, page, pageBytes);
      }
    }
    return page;
  }

  @Override
  public void write(long offset, MemorySegment source) {
    change(() -> store.write(offset, source), offset, source.byteSize());
  }

  @Override
  public void write(long offset, MemorySegment[] sources) {
    long bytes = Arrays.stream(sources).mapToLong(MemorySegment::byteSize).sum();
    change(() -> store.write(offset, sources), offset, bytes);
  }

  @Override
  public void truncate(long sizeBytes) {
    change(() -> store.truncate(sizeBytes), 0, Long.MAX_VALUE);
  }

  /** Changes a range and drops its pages, even if the change fails half-way. */
  private void change(Runnable action, long offset, long bytes) {
    synchronized (pages) {
      changing++;
    }
    try {
      action.run();
    } finally {
      synchronized (pages) {
        changing--;
        changes++;
        long first = offset / pageBytes;
        long last = bytes > Long.MAX_VALUE - offset ? Long.MAX_VALUE : (offset + bytes) / pageBytes;
        pages.removeIf((number, page) -> number >= first && number <= last);
      }
    }
  }
}
