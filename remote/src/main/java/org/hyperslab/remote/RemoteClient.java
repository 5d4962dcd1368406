package org.hyperslab.remote;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.store.Ranges;
import org.hyperslab.format.store.RemoteStores;

/**
 * Sends requests to a web server or an S3 service. A request is repeated, after a pause, if the
 * connection breaks or the server is overloaded; the number of attempts and the whole time are
 * bounded. Redirections of requests that read are followed to other web servers, but not from https
 * to http, and without credentials once they leave the first server. Requests whose signature
 * covers the address follow none.
 *
 * <p>Thread rule: any thread. An interrupt makes a request fail, and the interrupt flag remains
 * set.
 */
final class RemoteClient implements AutoCloseable {

  /** The greatest length in bytes of an answer that is not a success, of which the rest is cut. */
  private static final int ERROR_BYTES = 1 << 14;

  private static final int MOST_REDIRECTIONS = 10;
  private static final Duration LONGEST_CONNECT = Duration.ofSeconds(20);
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final Set<Integer> REDIRECTIONS = Set.of(301, 302, 303, 307, 308);

  /** The answers after which the same request may succeed later. */
  private static final Set<Integer> PASSING = Set.of(408, 425, 429, 500, 502, 503, 504, 509);

  private static final Pattern CODE = Pattern.compile("<Code>([A-Za-z0-9.]{1,100})</Code>");

  private final RequestSigner signer;
  private final Patience patience;
  private final Surroundings surroundings;
  private final HttpClient client;

  /** Whether a server has ever answered; until then its address may be wrong. */
  private volatile boolean answered;

  private volatile boolean closed;

  RemoteClient(RequestSigner signer, Patience patience, Surroundings surroundings) {
    this.signer = signer;
    this.patience = patience;
    this.surroundings = surroundings;
    this.client =
        HttpClient.newBuilder()
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(LONGEST_CONNECT)
            .build();
  }

  /**
   * An HTTP request before it is signed.
   *
   * @param method the HTTP method
   * @param uri the address
   * @param headers the headers, without those that authenticate the sender
   * @param body the body; empty for none
   * @param accepts the status of the answers whose body is wanted
   * @param mostBytes the greatest length in bytes of such a body
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  record Request(
      String method,
      URI uri,
      Map<String, String> headers,
      byte[] body,
      int accepts,
      int mostBytes) {

    /** Returns a request that reads. */
    static Request reading(
        String method, URI uri, Map<String, String> headers, int accepts, int mostBytes) {
      return new Request(method, uri, headers, new byte[0], accepts, mostBytes);
    }
  }

  /**
   * The answer of a server.
   *
   * @param status the HTTP status
   * @param headers its headers
   * @param body its body, if it was wanted; of an error, the beginning
   * @param uri the address that answered, after redirections
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  record Reply(int status, HttpHeaders headers, byte[] body, URI uri) {

    Optional<String> header(String name) {
      return headers.firstValue(name);
    }

    /** Returns the status and, if the service gives one, its name for the error. */
    String statusText() {
      Matcher code = CODE.matcher(text());
      return "HTTP status " + status + (code.find() ? " " + code.group(1) : "");
    }

    String text() {
      return new String(body, StandardCharsets.UTF_8);
    }
  }

  RequestSigner signer() {
    return signer;
  }

  /**
   * Returns when a request that starts now must have succeeded, in the nanoseconds of the clock.
   */
  long deadline() {
    return surroundings.nanos() + patience.totalMillis() * NANOS_PER_MILLI;
  }

  /**
   * Sends a request, and repeats it if it is worth it.
   *
   * @param operation what is requested, such as {@code read}, for messages
   * @param place what messages name
   * @param deadline see {@link #deadline}
   * @return the answer of the last attempt, of any status that does not pass
   * @throws StorageException if the server cannot be reached or remains overloaded
   */
  Reply send(Request request, String operation, String place, long deadline) {
    for (int attempt = 1; ; attempt++) {
      try {
        IOException failure;
        Optional<String> after = Optional.empty();
        try {
          Reply reply = follow(request, deadline);
          answered = true;
          if (!PASSING.contains(reply.status)) {
            return reply;
          }
          String requests = attempt == 1 ? " to 1 request" : " to " + attempt + " requests";
          failure = new IOException(reply.statusText() + requests);
          after = reply.header(RetryAfter.NAME);
        } catch (IOException broken) {
          if (closed) {
            throw Ranges.closed(place, operation);
          }
          failure = broken;
        }
        boolean futile = !answered && RemoteFailure.isAddressOrServer(failure);
        if (futile || attempt >= patience.attempts()) {
          throw RemoteFailure.of(operation, request.uri, place, failure);
        }
        pause(request, new Failed(operation, place, attempt, failure, after), deadline);
      } catch (InterruptedException interrupt) {
        Thread.currentThread().interrupt();
        throw RemoteFailure.of(operation, request.uri, place, interrupt);
      }
    }
  }

  /** An attempt that failed; {@code after} is what the server says of when to ask again. */
  private record Failed(
      String operation, String place, int attempt, IOException failure, Optional<String> after) {}

  /** Waits before the next attempt; fails if that would be too late. */
  private void pause(Request request, Failed failed, long deadline) throws InterruptedException {
    long own = Patience.pauseMillis(failed.attempt, surroundings.random());
    OptionalLong asked =
        failed
            .after
            .map(text -> RetryAfter.millis(text, surroundings.now()))
            .orElse(OptionalLong.empty());
    long pause = asked.isPresent() ? asked.getAsLong() + own : own;
    if (pause >= remainingMillis(deadline)) {
      String why =
          asked.isPresent()
              ? "; the server asks to wait for "
                  + (asked.getAsLong() + 999) / 1000
                  + " s, longer than remote.totalMillis permits"
              : "; remote.totalMillis is over";
      String text = RemoteFailure.reason(failed.failure) + why;
      throw RemoteFailure.of(
          failed.operation, request.uri, failed.place, new IOException(text, failed.failure));
    }
    surroundings.pause(pause);
  }

  private long remainingMillis(long deadline) {
    return (deadline - surroundings.nanos()) / NANOS_PER_MILLI;
  }

  /** Sends a request once, and where the answers redirect it to. */
  private Reply follow(Request request, long deadline) throws IOException, InterruptedException {
    URI at = request.uri;
    boolean trusted = true;
    for (int i = 0; i <= MOST_REDIRECTIONS; i++) {
      Reply reply = sendOnce(request, at, trusted, deadline);
      Optional<URI> next = redirection(request, reply);
      if (next.isEmpty()) {
        return reply;
      }
      trusted = trusted && WebAddress.keepsCredentials(at, next.get());
      at = next.get();
    }
    throw new StorageException(
        "redirections: actual=more than "
            + MOST_REDIRECTIONS
            + ", expected=an answer, at="
            + RemoteStores.shown(request.uri.toString()));
  }

  /** Returns the address to which an answer leads; empty if it leads nowhere or may not. */
  private Optional<URI> redirection(Request request, Reply reply) {
    boolean reads = request.method.equals("GET") || request.method.equals("HEAD");
    if (!reads || !REDIRECTIONS.contains(reply.status) || signer.coversAddress()) {
      return Optional.empty();
    }
    return reply.header("Location").flatMap(text -> target(reply.uri, text));
  }

  private static Optional<URI> target(URI from, String location) {
    try {
      URI to = WebAddress.withoutUser(from.resolve(location));
      boolean web = "http".equalsIgnoreCase(to.getScheme()) || WebAddress.isSecure(to);
      boolean exposed = WebAddress.isSecure(from) && !WebAddress.isSecure(to);
      return Optional.of(to).filter(uri -> web && !exposed && uri.getHost() != null);
    } catch (IllegalArgumentException notAUri) {
      return Optional.empty();
    }
  }

  /** Sends one request to one address and waits for the whole answer. */
  private Reply sendOnce(Request request, URI at, boolean trusted, long deadline)
      throws IOException, InterruptedException {
    long most = Math.min(patience.requestMillis(), remainingMillis(deadline));
    if (most <= 0) {
      throw new HttpTimeoutException("no answer in " + patience.totalMillis() + " ms");
    }
    AtomicLong progress = new AtomicLong();
    CompletableFuture<HttpResponse<byte[]>> answer =
        client.sendAsync(
            built(request, at, trusted),
            head -> {
              boolean wanted = head.statusCode() == request.accepts;
              boolean error = head.statusCode() >= 400;
              int bytes = wanted ? request.mostBytes : error ? ERROR_BYTES : 0;
              return new RangeBody(bytes, !wanted, progress);
            });
    // While a body is sent, no byte of an answer can arrive.
    long idle = request.body.length > 0 ? most : patience.idleMillis();
    HttpResponse<byte[]> response = awaited(answer, progress, idle, most);
    return new Reply(response.statusCode(), response.headers(), response.body(), at);
  }

  private HttpRequest built(Request request, URI at, boolean trusted) {
    RequestSigner used = trusted ? signer : RequestSigner.NONE;
    String hash = request.body.length == 0 ? S3Signer.EMPTY_HASH : S3Signer.sha256(request.body);
    HttpRequest.Builder builder = HttpRequest.newBuilder(at);
    used.signed(request.method, at, request.headers, hash).forEach(builder::header);
    // Ranges of a coded body are not ranges of the file. Not signed: servers between may change it.
    builder.header("Accept-Encoding", "identity");
    builder.method(
        request.method,
        request.body.length == 0
            ? HttpRequest.BodyPublishers.noBody()
            : HttpRequest.BodyPublishers.ofByteArray(request.body));
    return builder.build();
  }

  /**
   * Waits for an answer, for as long as bytes arrive and time is left.
   *
   * @throws HttpTimeoutException if nothing arrives for too long, or the whole takes too long
   */
  private static HttpResponse<byte[]> awaited(
      CompletableFuture<HttpResponse<byte[]>> answer, AtomicLong progress, long idle, long most)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    long seen = 0;
    while (true) {
      long left = most - (System.nanoTime() - start) / NANOS_PER_MILLI;
      try {
        return answer.get(Math.max(0, Math.min(idle, left)), TimeUnit.MILLISECONDS);
      } catch (TimeoutException late) {
        boolean isOver = left <= idle;
        if (isOver || progress.get() == seen) {
          answer.cancel(true);
          throw new HttpTimeoutException(
              isOver
                  ? "no whole answer in " + most + " ms, only " + progress.get() + " bytes"
                  : "the server sent nothing for " + idle + " ms after " + seen + " bytes");
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

  @Override
  public void close() {
    closed = true;
    client.shutdownNow();
  }
}
