package org.hyperslab.format.store;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.memory.LruCache;

/**
 * A read-only resource on a web server, read by range requests (RFC 9110, section 14). Pages of
 * {@link #PAGE_BYTES} are cached, and the least recently used are evicted; adjacent missing pages
 * are fetched by one request; long reads bypass the cache. If the server names a version (ETag),
 * every response must be of the first version seen.
 *
 * <p>Thread rule: as {@link ByteStore}. An interrupt makes a read fail, and remains set.
 */
public final class HttpRangeStore extends ReadOnlyStore {

  /** Bytes in a cached page. */
  public static final int PAGE_BYTES = 1 << 16;

  private static final int ATTEMPTS = 3;
  private static final int BYPASS_PAGES = 64;
  private static final int REQUEST_BYTES = 1 << 26;
  private static final Pattern CONTENT_RANGE =
      Pattern.compile("bytes (\\d{1,18})-(\\d{1,18})/(\\d{1,18})");

  private final URI uri;
  private final HttpClient client;

  /** Weighed in pages; guarded by itself. */
  private final LruCache<Long, byte[]> pages;

  private final String version;
  private final long size;

  private HttpRangeStore(URI uri, HttpClient client, int cachePages) {
    this.uri = uri;
    this.client = client;
    this.pages = new LruCache<>(cachePages);
    try {
      Answer first = fetch(0, PAGE_BYTES, null, PAGE_BYTES);
      this.version = first.version;
      this.size = first.totalBytes;
      if (first.body.length == Math.min(size, PAGE_BYTES)) {
        keep(0, first.body);
      }
    } catch (StorageException | NotFoundException failure) {
      client.shutdownNow();
      throw failure;
    }
  }

  /**
   * Opens {@code uri} with a cache of 16 MiB.
   *
   * @param uri the resource
   * @return the store
   */
  public static HttpRangeStore open(URI uri) {
    return open(uri, 256);
  }

  /**
   * Opens {@code uri}.
   *
   * @param uri the resource
   * @param cachePages how many pages are kept, at least 1
   * @return the store
   * @throws NotFoundException if the server has no such resource
   * @throws StorageException if it cannot be reached or does not serve ranges
   */
  public static HttpRangeStore open(URI uri, int cachePages) {
    HttpClient client =
        HttpClient.newBuilder()
            .followRedirects(HttpClient.Redirect.NORMAL)
            .connectTimeout(Duration.ofSeconds(20))
            .build();
    return new HttpRangeStore(uri, client, Math.max(1, cachePages));
  }

  @Override
  public String name() {
    return uri.toString();
  }

  @Override
  public long size() {
    checkOpen("size");
    return size;
  }

  @Override
  public void read(long offset, MemorySegment target) {
    checkOpen("read");
    long length = target.byteSize();
    Ranges.checkRead(name(), offset, length, size);
    if (length > (long) BYPASS_PAGES * PAGE_BYTES) {
      readAround(offset, target);
      return;
    }
    for (long done = 0; done < length; ) {
      long page = (offset + done) / PAGE_BYTES;
      int within = (int) ((offset + done) % PAGE_BYTES);
      byte[] bytes = page(page, (offset + length - 1) / PAGE_BYTES);
      long part = Math.min(length - done, bytes.length - within);
      MemorySegment.copy(MemorySegment.ofArray(bytes), within, target, done, part);
      done += part;
    }
  }

  private void readAround(long offset, MemorySegment target) {
    for (long done = 0; done < target.byteSize(); ) {
      int part = (int) Math.min(REQUEST_BYTES, target.byteSize() - done);
      byte[] body = fetch(offset + done, part, version, part).body;
      MemorySegment.copy(MemorySegment.ofArray(body), 0, target, done, part);
      done += part;
    }
  }

  /** Page {@code index}; if it is missing, it is fetched with those missing after it up to last. */
  private byte[] page(long index, long last) {
    long end = index;
    synchronized (pages) {
      byte[] present = pages.get(index);
      if (present != null) {
        return present;
      }
      do {
        end++;
      } while (end <= last && end - index < pages.limit() && !pages.containsKey(end));
    }
    long from = index * PAGE_BYTES;
    int length = (int) (Math.min(end * PAGE_BYTES, size) - from);
    byte[] body = fetch(from, length, version, length).body;
    byte[] wanted = null;
    for (long page = end - 1; page >= index; page--) {
      int at = (int) ((page - index) * PAGE_BYTES);
      wanted = Arrays.copyOfRange(body, at, Math.min(at + PAGE_BYTES, body.length));
      keep(page, wanted);
    }
    return wanted;
  }

  private void keep(long page, byte[] bytes) {
    synchronized (pages) {
      pages.put(page, bytes, 1);
    }
  }

  /** The response of a server: bytes, the length of the whole resource, and its version or null. */
  private static final class Answer {
    final byte[] body;
    final long totalBytes;
    final String version;

    Answer(byte[] body, long totalBytes, String version) {
      this.body = body;
      this.totalBytes = totalBytes;
      this.version = version;
    }
  }

  /** Fetches a range, and retries if the connection breaks or the server is overloaded. */
  private Answer fetch(long offset, int length, String expectedVersion, int maximumBytes) {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(uri)
            .timeout(Duration.ofSeconds(60))
            .header("Range", "bytes=" + offset + "-" + (offset + length - 1));
    if (expectedVersion != null && !expectedVersion.startsWith("W/")) {
      builder.header("If-Match", expectedVersion);
    }
    HttpRequest request = builder.build();
    IOException last = null;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      try {
        HttpResponse<InputStream> response =
            client.send(request, HttpResponse.BodyHandlers.ofInputStream());
        try (InputStream body = response.body()) {
          if (response.statusCode() >= 500) {
            last = new IOException("HTTP status " + response.statusCode());
            continue;
          }
          return answer(response, body.readNBytes(maximumBytes), offset, expectedVersion);
        }
      } catch (IOException failure) {
        checkOpen("read");
        last = failure;
      } catch (InterruptedException interrupt) {
        Thread.currentThread().interrupt();
        throw Ranges.failed(name(), "read", offset, length, interrupt);
      }
    }
    throw Ranges.failed(name(), "read", offset, length, last);
  }

  private Answer answer(
      HttpResponse<InputStream> response, byte[] body, long offset, String expectedVersion) {
    String seen = response.headers().firstValue("ETag").orElse(null);
    int status = response.statusCode();
    if (status == 206) {
      return part(response, body, offset, expectedVersion);
    }
    if (status == 416 && offset == 0) {
      return new Answer(new byte[0], 0, seen);
    }
    if (status == 404 || status == 410) {
      throw new NotFoundException(
          "resource not found: actual=HTTP status " + status + ", at=" + uri);
    }
    String actual =
        switch (status) {
          case 200 -> "the server does not serve ranges; download the file";
          case 412 -> "the resource has changed since it was opened";
          case 416 -> "the resource has become shorter (HTTP status 416)";
          default -> "HTTP status " + status;
        };
    throw refused(actual, offset);
  }

  private Answer part(
      HttpResponse<InputStream> response, byte[] body, long offset, String expectedVersion) {
    String seen = response.headers().firstValue("ETag").orElse(null);
    Matcher range =
        CONTENT_RANGE.matcher(response.headers().firstValue("Content-Range").orElse(""));
    if (!range.matches() || Long.parseLong(range.group(1)) != offset) {
      throw refused("an answer of another range: " + response.headers().map(), offset);
    }
    checkVersion(expectedVersion, seen, offset);
    long sent = Long.parseLong(range.group(2)) - offset + 1;
    if (body.length < sent) {
      throw refused("a body cut off after " + body.length + " of " + sent + " bytes", offset);
    }
    return new Answer(body, Long.parseLong(range.group(3)), seen);
  }

  private void checkVersion(String expected, String seen, long offset) {
    if (expected != null && !expected.equals(seen)) {
      throw refused("the resource has changed since it was opened (ETag " + seen + ")", offset);
    }
  }

  private StorageException refused(String actual, long offset) {
    return new StorageException(
        "range read failed: actual="
            + actual
            + ", expected=HTTP status 206, at="
            + uri
            + "@"
            + offset);
  }

  @Override
  public void close() {
    shut();
    client.shutdownNow();
  }

  @Override
  public String toString() {
    return "HttpRangeStore[" + uri + "]";
  }
}
