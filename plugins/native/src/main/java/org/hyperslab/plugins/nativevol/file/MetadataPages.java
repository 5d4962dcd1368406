package org.hyperslab.plugins.nativevol.file;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.hyperslab.format.store.ByteStore;

/**
 * Reads metadata of a file that nobody changes, a page at a time: structures are small and often
 * next to each other, and a system call takes longer than a copy of a page. At most 64 pages of 16
 * KiB are kept, each where no later page took its place.
 *
 * <p>Thread rule: safe.
 */
final class MetadataPages {

  static final int PAGE_BYTES = 1 << 14;

  private static final int PAGES = 64;

  /** A page, which is shorter than the others at the end of the file. */
  private record Page(long number, byte[] bytes) {}

  private final ByteStore store;
  private final AtomicReferenceArray<Page> pages = new AtomicReferenceArray<>(PAGES);

  MetadataPages(ByteStore store) {
    this.store = store;
  }

  /**
   * Returns bytes of the file.
   *
   * @param offset the position of the first byte, from the beginning of the store
   * @param mostBytes the number of bytes, at most {@link #PAGE_BYTES}
   * @return the bytes; fewer if the file ends before
   */
  byte[] read(long offset, int mostBytes) {
    Page page = page(offset / PAGE_BYTES);
    int from = (int) Math.min(offset % PAGE_BYTES, page.bytes.length);
    int here = Math.min(mostBytes, page.bytes.length - from);
    byte[] found = Arrays.copyOfRange(page.bytes, from, from + here);
    if (here == mostBytes || page.bytes.length < PAGE_BYTES) {
      return found;
    }
    byte[] next = page(page.number + 1).bytes;
    byte[] both = Arrays.copyOf(found, here + Math.min(mostBytes - here, next.length));
    System.arraycopy(next, 0, both, here, both.length - here);
    return both;
  }

  /** Forgets all pages, so that the next access reads the file again. */
  void forget() {
    for (int i = 0; i < PAGES; i++) {
      pages.set(i, null);
    }
  }

  private Page page(long number) {
    int place = (int) (number % PAGES);
    Page known = pages.get(place);
    if (known != null && known.number == number) {
      return known;
    }
    long start = number * PAGE_BYTES;
    long bytes = Math.clamp(store.size() - start, 0, PAGE_BYTES);
    byte[] content = new byte[(int) bytes];
    if (bytes > 0) {
      store.read(start, MemorySegment.ofArray(content));
    }
    Page page = new Page(number, content);
    pages.set(place, page);
    return page;
  }
}
