package org.hyperslab.format.store;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;

/**
 * Requests ranges of one resource from a web server (RFC 9110, section 14), and accepts only
 * answers with the requested range, length and version. A request is repeated if the connection
 * breaks or the server is overloaded.
 *
 * <p>Thread rule: any thread. An interrupt makes a request fail, and the interrupt flag remains
 * set.
 */
final class RangeClient implements AutoCloseable {

  private static final int ATTEMPTS = 3;
  private static final Duration LONGEST_CONNECT = Duration.ofSeconds(20);
  private static final Pattern CONTENT_RANGE =
      Pattern.compile("bytes (\\d{1,18})-(\\d{1,18})/(\\d{1,18})");

  private final URI uri;
  private final RequestSigner signer;
  private final HttpClient client;
  private final long idleMillis;
  private volatile boolean closed;

  /**
   * Creates a client of one resource. Signed requests do not follow redirects: credentials are sent
   * to the configured server only, and the signature covers the address. Unsigned requests follow
   * them to other web servers, but not from https to http.
   *
   * @param idleMillis the longest time in milliseconds in which a server may send nothing
   */
  RangeClient(URI uri, RequestSigner signer, long idleMillis) {
    this.uri = uri;
    this.signer = signer;
    this.idleMillis = idleMillis;
    boolean signs = signer != RequestSigner.NONE;
    this.client =
        HttpClient.newBuilder()
            .followRedirects(signs ? HttpClient.Redirect.NEVER : HttpClient.Redirect.NORMAL)
            .connectTimeout(LONGEST_CONNECT)
            .build();
  }

  /**
   * The answer of a server.
   *
   * @param body the bytes of the range; must not be modified
   * @param totalBytes the length of the whole resource
   * @param version the version of the resource (ETag); null if the server provides none
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  record Answer(byte[] body, long totalBytes, String version) {}

  /**
   * Fetches the bytes from an offset on; fewer than requested only at the end of the resource.
   *
   * @param version the version that the answer must have; null for any version
   * @throws NotFoundException if the server has no such resource
   * @throws StorageException if the server cannot be reached, answers something else, or refuses
   */
  Answer fetch(long offset, int length, String version) {
    HttpRequest request = request(offset, length, version);
    IOException last = null;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      try {
        HttpResponse<byte[]> response = send(request, length);
        if (response.statusCode() >= 500) {
          last =
              new IOException(
                  "HTTP status " + response.statusCode() + " to " + ATTEMPTS + " requests");
          continue;
        }
        return answer(response, offset, length, version);
      } catch (IOException failure) {
        if (closed) {
          throw Ranges.closed(uri.toString(), "read");
        }
        last = failure;
      } catch (InterruptedException interrupt) {
        Thread.currentThread().interrupt();
        throw failed(offset, interrupt);
      }
    }
    throw failed(offset, last);
  }

  private StorageException failed(long offset, Throwable cause) {
    return RemoteFailure.of("read", uri, uri + "@" + offset, cause);
  }

  /**
   * Sends a request and waits for the whole answer, for as long as bytes arrive.
   *
   * @throws HttpTimeoutException if nothing arrives for too long
   */
  private HttpResponse<byte[]> send(HttpRequest request, int length)
      throws IOException, InterruptedException {
    AtomicLong progress = new AtomicLong();
    CompletableFuture<HttpResponse<byte[]>> answer =
        client.sendAsync(
            request, head -> new RangeBody(head.statusCode() == 206 ? length : 0, progress));
    long seen = 0;
    while (true) {
      try {
        return answer.get(idleMillis, TimeUnit.MILLISECONDS);
      } catch (TimeoutException late) {
        if (progress.get() == seen) {
          answer.cancel(true);
          throw new HttpTimeoutException(
              "the server sent nothing for " + idleMillis + " ms after " + seen + " bytes");
        }
        seen = progress.get();
      } catch (ExecutionException failed) {
        throw failed.getCause() instanceof IOException known
            ? known
            : new IOException(failed.getCause());
      } catch (InterruptedException interrupt) {
        answer.cancel(true);
        throw interrupt;
      }
    }
  }

  private HttpRequest request(long offset, int length, String version) {
    Map<String, String> headers = new HashMap<>();
    headers.put("Range", "bytes=" + offset + "-" + (offset + length - 1));
    if (version != null && !version.startsWith("W/")) {
      headers.put("If-Match", version);
    }
    HttpRequest.Builder builder = HttpRequest.newBuilder(uri);
    signer.signed("GET", uri, headers, S3Signer.EMPTY_HASH).forEach(builder::header);
    return builder.build();
  }

  private Answer answer(HttpResponse<byte[]> response, long offset, int length, String version) {
    int status = response.statusCode();
    if (status == 206) {
      return part(response, offset, length, version);
    }
    if (status == 416 && offset == 0) {
      return new Answer(new byte[0], 0, response.headers().firstValue("ETag").orElse(null));
    }
    if (status == 404 || status == 410) {
      throw new NotFoundException(
          "resource not found: actual=HTTP status "
              + status
              + ", expected=a resource with this address, at="
              + uri);
    }
    String actual =
        switch (status) {
          case 200 -> "the server does not serve ranges; download the file";
          case 301, 302, 307, 308 ->
              "HTTP status "
                  + status
                  + response
                      .headers()
                      .firstValue("x-amz-bucket-region")
                      .map(region -> "; the bucket is in " + region + ", set s3.region")
                      .orElse("");
          case 401, 403 -> "HTTP status " + status + "; the credentials may not read this";
          case 412 -> "the resource has changed since it was opened";
          case 416 -> "the resource has become shorter (HTTP status 416)";
          default -> "HTTP status " + status;
        };
    throw refused(actual, offset);
  }

  private Answer part(HttpResponse<byte[]> response, long offset, int length, String version) {
    String seen = response.headers().firstValue("ETag").orElse(null);
    Matcher range =
        CONTENT_RANGE.matcher(response.headers().firstValue("Content-Range").orElse(""));
    if (!range.matches() || Long.parseLong(range.group(1)) != offset) {
      throw refused("a response for another range: " + response.headers().map(), offset);
    }
    if (version != null && !version.equals(seen)) {
      throw refused("the resource has changed since it was opened (ETag " + seen + ")", offset);
    }
    long total = Long.parseLong(range.group(3));
    long expected = Math.min(length, total - offset);
    if (expected <= 0 || Long.parseLong(range.group(2)) != offset + expected - 1) {
      throw refused("a response for another range: " + range.group(), offset);
    }
    byte[] bytes = response.body();
    if (bytes.length != expected) {
      throw refused("a body of " + bytes.length + " bytes for " + expected, offset);
    }
    return new Answer(bytes, total, seen);
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
    closed = true;
    client.shutdownNow();
  }
}
