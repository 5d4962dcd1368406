package org.hyperslab.remote;

import java.lang.foreign.MemorySegment;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.memory.LruCache;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.Ranges;
import org.hyperslab.format.store.ReadOnlyStore;

/**
 * A read-only resource on a web server or in an S3 bucket, read by range requests. Pages of {@link
 * #PAGE_BYTES} bytes are cached, and the least recently used ones are evicted. Adjacent missing
 * pages are fetched by one request. A sequential read fetches several pages at a time; ranges that
 * were {@linkplain #prefetch announced} are fetched at once, over several connections. Long reads
 * bypass the cache. Every response must be of the version that the first one was of; if the server
 * does not distinguish versions with certainty, parts of what was read are compared after each
 * read.
 *
 * <p>Thread rule: as {@link ByteStore}. An interrupt makes a read fail, and the interrupt flag
 * remains set.
 */
final class HttpRangeStore extends ReadOnlyStore {

  /** The size of a cached page in bytes. */
  static final int PAGE_BYTES = 1 << 16;

  /** The number of pages of the first request: enough for a file's head and its first objects. */
  private static final int FIRST_PAGES = 4;

  /** The greatest number of pages that one request fetches for a sequential reader. */
  private static final int MAX_AHEAD_PAGES = 16;

  /** The greatest number of unneeded pages between missing ones that one request fetches. */
  private static final int GAP_PAGES = 1;

  private static final int BYPASS_PAGES = 64;
  private static final int REQUEST_PAGES = 128;
  private static final int CONNECTIONS = 6;

  private final String name;
  private final RangeClient client;
  private final RangeClient.Opening opened;

  /** The bytes that reveal a replacement; null if the server does that with certainty. */
  private final VersionSamples samples;

  /** The error of every read after a replacement was found; null before. */
  private volatile StorageException replaced;

  /** The cached pages, weighed in pages; guarded by itself, as are the next two fields. */
  private final LruCache<Long, byte[]> pages;

  private long nextInOrder = -1;
  private int aheadPages = 1;

  private final long size;

  /**
   * Opens a resource.
   *
   * @param uri the resource
   * @param name what it is called in messages
   * @param requests sends the requests; closed with the store
   * @param cachePages the number of pages to cache, at least 1
   * @param surroundings are warned if replacements may go unnoticed
   * @throws NotFoundException if the server has no such resource
   * @throws StorageException if it cannot be reached or does not serve ranges
   */
  HttpRangeStore(
      URI uri, String name, RemoteClient requests, int cachePages, Surroundings surroundings) {
    this.name = name;
    this.client = new RangeClient(uri, name, requests);
    this.pages = new LruCache<>(Math.max(1, cachePages));
    try {
      this.opened = client.open(FIRST_PAGES * PAGE_BYTES);
    } catch (StorageException | NotFoundException failure) {
      client.close();
      throw failure;
    }
    this.size = opened.totalBytes();
    this.samples = opened.version().isCertain() || size == 0 ? null : new VersionSamples();
    confirmed(0, opened.body());
    if (samples != null && !opened.version().isKnown()) {
      surroundings.warn(
          "hyperslab: warning: the server gives neither ETag nor Last-Modified: if the file is"
              + " replaced while it is open, this is noticed by its length and by samples, but not"
              + " with certainty, at "
              + name);
    }
    keep(0, opened.body());
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public long size() {
    checkOpen("size");
    return size;
  }

  @Override
  public boolean prefetches() {
    return true;
  }

  @Override
  public void read(long offset, MemorySegment target) {
    checkReadable();
    long length = target.byteSize();
    Ranges.checkRead(name(), offset, length, size);
    if (length > (long) BYPASS_PAGES * PAGE_BYTES) {
      readAround(offset, target);
      return;
    }
    long deadline = client.deadline();
    for (long done = 0; done < length; ) {
      long page = (offset + done) / PAGE_BYTES;
      int within = (int) ((offset + done) % PAGE_BYTES);
      byte[] bytes = page(page, (offset + length - 1) / PAGE_BYTES, deadline);
      long part = Math.min(length - done, bytes.length - within);
      MemorySegment.copy(MemorySegment.ofArray(bytes), within, target, done, part);
      done += part;
    }
  }

  /** The bytes that one request fetches. */
  private record Range(long offset, int length) {}

  /** Fills a long target by requests of a few megabytes, several at a time. */
  private void readAround(long offset, MemorySegment target) {
    List<Range> ranges = new ArrayList<>();
    long most = (long) REQUEST_PAGES * PAGE_BYTES;
    for (long done = 0; done < target.byteSize(); done += most) {
      ranges.add(new Range(offset + done, (int) Math.min(most, target.byteSize() - done)));
    }
    fetchAll(
        ranges,
        (range, body) ->
            MemorySegment.copy(
                MemorySegment.ofArray(body), 0, target, range.offset - offset, range.length));
  }

  /**
   * Returns page {@code index}; if it is missing, it is fetched together with the missing pages
   * after it, up to {@code last}.
   */
  private byte[] page(long index, long last, long deadline) {
    long end = index;
    synchronized (pages) {
      byte[] present = pages.get(index);
      if (present != null) {
        return present;
      }
      aheadPages = index == nextInOrder ? Math.min(2 * aheadPages, MAX_AHEAD_PAGES) : 1;
      long wanted = Math.min(Math.max(last, index + aheadPages - 1), (size - 1) / PAGE_BYTES);
      do {
        end++;
      } while (end <= wanted && end - index < pages.limit() && !pages.containsKey(end));
      nextInOrder = end;
    }
    Range range = pages(index, end);
    byte[] body = client.fetch(range.offset, range.length, opened, deadline);
    requireUnchanged();
    confirmed(range.offset, body);
    return keep(index, body);
  }

  /** Returns the range of pages {@code from} to {@code end}, exclusive. */
  private Range pages(long from, long end) {
    long first = from * PAGE_BYTES;
    return new Range(first, (int) (Math.min(end * PAGE_BYTES, size) - first));
  }

  /** Caches the pages in a body that starts at the beginning of a page; returns the first one. */
  private byte[] keep(long index, byte[] body) {
    byte[] first = body;
    synchronized (pages) {
      for (int at = 0; at < body.length; at += PAGE_BYTES) {
        byte[] page =
            body.length <= PAGE_BYTES
                ? body
                : Arrays.copyOfRange(body, at, Math.min(at + PAGE_BYTES, body.length));
        pages.put(index + at / PAGE_BYTES, page, 1);
        first = at == 0 ? page : first;
      }
    }
    return first;
  }

  /**
   * {@inheritDoc} Ranges beyond half of the cache, and ranges that would bypass it, are not
   * fetched.
   */
  @Override
  public void prefetch(long[] offsets, long[] lengths) {
    checkReadable();
    List<Range> ranges = new ArrayList<>();
    long from = -1;
    long end = -1;
    for (long page : missing(offsets, lengths)) {
      if (from >= 0 && (page - end > GAP_PAGES || page - from >= REQUEST_PAGES)) {
        ranges.add(pages(from, end));
        from = -1;
      }
      from = from < 0 ? page : from;
      end = page + 1;
    }
    if (from >= 0) {
      ranges.add(pages(from, end));
    }
    fetchAll(ranges, (range, body) -> keep(range.offset / PAGE_BYTES, body));
  }

  /** Returns the pages of ranges that are not cached, in ascending order. */
  private TreeSet<Long> missing(long[] offsets, long[] lengths) {
    TreeSet<Long> missing = new TreeSet<>();
    synchronized (pages) {
      for (int i = 0; i < offsets.length; i++) {
        boolean inside = offsets[i] >= 0 && lengths[i] > 0 && offsets[i] <= size - lengths[i];
        if (!inside || lengths[i] > (long) BYPASS_PAGES * PAGE_BYTES) {
          continue;
        }
        long last = (offsets[i] + lengths[i] - 1) / PAGE_BYTES;
        for (long page = offsets[i] / PAGE_BYTES; page <= last; page++) {
          if (!pages.containsKey(page) && missing.size() < pages.limit() / 2) {
            missing.add(page);
          }
        }
      }
    }
    return missing;
  }

  /**
   * Fetches ranges, over as many connections as are permitted, and passes the bytes of each to this
   * thread, in order.
   *
   * @throws RuntimeException the first failure; other unfinished requests are abandoned
   */
  private void fetchAll(List<Range> ranges, BiConsumer<Range, byte[]> use) {
    if (ranges.size() == 1) {
      byte[] body = fetch(ranges.getFirst());
      requireUnchanged();
      confirmed(ranges.getFirst().offset, body);
      use.accept(ranges.getFirst(), body);
      return;
    }
    VersionSamples fresh = new VersionSamples();
    ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    try {
      ArrayDeque<Future<byte[]>> running = new ArrayDeque<>();
      int asked = 0;
      for (Range range : ranges) {
        for (; asked < ranges.size() && running.size() < CONNECTIONS; asked++) {
          Range next = ranges.get(asked);
          running.add(threads.submit(() -> fetch(next)));
        }
        byte[] body = result(running.remove(), range);
        if (samples != null) {
          fresh.add(range.offset, body);
        }
        use.accept(range, body);
      }
      requireUnchanged();
      if (samples != null) {
        samples.addAll(fresh);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private byte[] fetch(Range range) {
    return client.fetch(range.offset, range.length, opened, client.deadline());
  }

  /** Compares samples of what was read before, after new bytes have arrived. */
  private void requireUnchanged() {
    if (samples == null) {
      return;
    }
    for (VersionSamples.Sample sample : samples.next()) {
      byte[] now = client.fetch(sample.offset(), sample.bytes().length, opened, client.deadline());
      if (!Arrays.equals(now, sample.bytes())) {
        replaced = client.changed("other bytes than before", sample.offset());
        throw replaced;
      }
    }
  }

  /** Remembers parts of bytes that are of the version which was opened, as far as is known. */
  private void confirmed(long offset, byte[] body) {
    if (samples != null) {
      samples.add(offset, body);
    }
  }

  /** Requires that the store is open and no replacement has been found. */
  private void checkReadable() {
    checkOpen("read");
    StorageException found = replaced;
    if (found != null) {
      throw new StorageException(found.getMessage(), found);
    }
  }

  private byte[] result(Future<byte[]> request, Range range) {
    try {
      return request.get();
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw Ranges.failed(name(), "read", range.offset, range.length, interrupt);
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw Ranges.failed(name(), "read", range.offset, range.length, failed.getCause());
    }
  }

  @Override
  public void close() {
    shut();
    client.close();
  }

  @Override
  public String toString() {
    return "HttpRangeStore[" + name + "]";
  }
}
