package org.hyperslab.remote;

import java.net.URI;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;

/**
 * Requests ranges of one resource from a web server (RFC 9110, section 14), and accepts only
 * answers with the requested range, length and version.
 *
 * <p>Thread rule: as {@link RemoteClient}.
 */
final class RangeClient implements AutoCloseable {

  private static final Pattern CONTENT_RANGE =
      Pattern.compile("(?i:bytes) (\\d{1,18})-(\\d{1,18})/(\\d{1,18}|\\*)");
  private static final Pattern UNSATISFIED = Pattern.compile("(?i:bytes) \\*/(\\d{1,18})");

  /** The parameters by which S3, Google's storage and Azure's have addresses signed. */
  private static final Pattern SIGNATURE =
      Pattern.compile("(?:^|&)(?:X-(?:Amz|Goog)-Signature|Signature|sig)=");

  private static final Set<String> CODINGS =
      Set.of("gzip", "x-gzip", "deflate", "compress", "x-compress", "br", "zstd");

  private final URI uri;
  private final String place;
  private final RemoteClient client;

  /**
   * Creates a client of one resource.
   *
   * @param place what messages name
   * @param client sends the requests; closed with this one
   */
  RangeClient(URI uri, String place, RemoteClient client) {
    this.uri = uri;
    this.place = place;
    this.client = client;
  }

  /**
   * The answer to the first request.
   *
   * @param body the bytes of the range; must not be modified
   * @param totalBytes the length of the whole resource
   * @param version its version
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  record Opening(byte[] body, long totalBytes, ResourceVersion version) {}

  /** Returns when a read that starts now must have succeeded. */
  long deadline() {
    return client.deadline();
  }

  /**
   * Fetches the first bytes; fewer than requested only if the resource is shorter.
   *
   * @throws NotFoundException if the server has no such resource
   * @throws StorageException if the server cannot be reached, answers something else, or refuses
   */
  Opening open(int length) {
    RemoteClient.Reply reply = send(0, length, Map.of());
    ResourceVersion version = ResourceVersion.of(reply.headers());
    if (reply.status() == 416) {
      return empty(reply, version);
    }
    require(reply, 0);
    requireUncoded(reply);
    long total = total(reply).orElseGet(() -> askTotal(version));
    return new Opening(part(reply, 0, length, total), total, version);
  }

  /**
   * Fetches bytes of a resource that has been opened.
   *
   * @param length the number of bytes, all of which are before the end of the resource
   * @param opened the answer to the first request
   * @throws StorageException as {@link #open}, also if the resource is another one now
   */
  byte[] fetch(long offset, int length, Opening opened, long deadline) {
    ResourceVersion version = opened.version();
    Map<String, String> headers =
        version.hasStrongTag() ? Map.of("If-Match", version.tag().orElseThrow()) : Map.of();
    RemoteClient.Reply reply = send(offset, length, headers, deadline);
    require(reply, offset);
    version
        .difference(reply.headers())
        .ifPresent(seen -> {
          throw changed(seen, offset);
        });
    OptionalLong total = total(reply);
    if (total.isPresent() && total.getAsLong() != opened.totalBytes()) {
      throw changed("length " + total.getAsLong() + " after " + opened.totalBytes(), offset);
    }
    return part(reply, offset, length, opened.totalBytes());
  }

  /** Returns the error of a resource that is another one now. */
  StorageException changed(String how, long offset) {
    return refused("the resource has changed since it was opened (" + how + ")", offset);
  }

  private RemoteClient.Reply send(long offset, int length, Map<String, String> headers) {
    return send(offset, length, headers, client.deadline());
  }

  private RemoteClient.Reply send(
      long offset, int length, Map<String, String> headers, long deadline) {
    Map<String, String> all = new HashMap<>(headers);
    all.put("Range", "bytes=" + offset + "-" + (offset + length - 1));
    RemoteClient.Request request = RemoteClient.Request.reading("GET", uri, all, 206, length);
    return client.send(request, "read", place + "@" + offset, deadline);
  }

  /** Handles the refusal of the first bytes, which an empty resource cannot have. */
  private Opening empty(RemoteClient.Reply reply, ResourceVersion version) {
    Matcher whole = UNSATISFIED.matcher(reply.header("Content-Range").orElse(""));
    OptionalLong total =
        whole.matches() ? OptionalLong.of(Long.parseLong(whole.group(1))) : headLength(version);
    if (total.isPresent() && total.getAsLong() == 0) {
      return new Opening(new byte[0], 0, version);
    }
    throw refused(
        "HTTP status 416 for the first bytes of a resource of "
            + (total.isPresent() ? total.getAsLong() + " bytes" : "unknown length")
            + "; the server does not serve ranges of it; download the file",
        0);
  }

  /** Asks for the length of a resource whose ranges do not state it. */
  private long askTotal(ResourceVersion version) {
    OptionalLong length = headLength(version);
    if (length.isPresent()) {
      return length.getAsLong();
    }
    RemoteClient.Request request =
        RemoteClient.Request.reading("GET", uri, Map.of("Range", "bytes=-1"), 206, 1);
    RemoteClient.Reply last = client.send(request, "read", place, client.deadline());
    Matcher range = CONTENT_RANGE.matcher(last.header("Content-Range").orElse(""));
    if (last.status() == 206
        && range.matches()
        && range.group(1).equals(range.group(2))
        && version.difference(last.headers()).isEmpty()) {
      return Long.parseLong(range.group(2)) + 1;
    }
    throw refused("a server that does not tell the length of the file; download it", 0);
  }

  private OptionalLong headLength(ResourceVersion version) {
    RemoteClient.Request request = RemoteClient.Request.reading("HEAD", uri, Map.of(), 200, 0);
    RemoteClient.Reply head = client.send(request, "read", place, client.deadline());
    Optional<String> length = head.header("Content-Length");
    boolean tells =
        head.status() == 200
            && length.isPresent()
            && length.get().matches("\\d{1,18}")
            && coding(head).isEmpty()
            && version.difference(head.headers()).isEmpty();
    return tells ? OptionalLong.of(Long.parseLong(length.orElseThrow())) : OptionalLong.empty();
  }

  /** Returns the coding of a body that is not the file's bytes. */
  private static Optional<String> coding(RemoteClient.Reply reply) {
    return reply
        .header("Content-Encoding")
        .map(text -> text.strip().toLowerCase(Locale.ROOT))
        .filter(CODINGS::contains);
  }

  private void requireUncoded(RemoteClient.Reply reply) {
    coding(reply)
        .ifPresent(name -> {
          throw coded(name);
        });
  }

  private StorageException coded(String name) {
    return refused(
        "a compressed body (Content-Encoding: "
            + name
            + ") though none was asked for; download and decompress the file, or have the server"
            + " serve it as it is",
        0);
  }

  private void require(RemoteClient.Reply reply, long offset) {
    int status = reply.status();
    if (status == 206) {
      return;
    }
    if (status == 404 || status == 410) {
      throw new NotFoundException(
          "resource not found: actual="
              + reply.statusText()
              + ", expected=a resource with this address, at="
              + place);
    }
    throw refused(
        switch (status) {
          case 200 -> whole(reply);
          case 301, 302, 303, 307, 308 -> redirection(reply);
          case 401, 403, 407 -> denied(reply);
          case 412 -> "the resource has changed since it was opened";
          case 416 -> "the resource has become shorter (HTTP status 416)";
          default -> reply.statusText();
        },
        offset);
  }

  private static String whole(RemoteClient.Reply reply) {
    String coding = coding(reply).map(name -> ", compressed (" + name + ")").orElse("");
    return "the server does not serve ranges but the whole file" + coding + "; download the file";
  }

  private static String redirection(RemoteClient.Reply reply) {
    return reply.statusText()
        + reply
            .header("x-amz-bucket-region")
            .filter(region -> region.matches("[a-z0-9-]{1,32}"))
            .map(region -> "; the bucket is in " + region + ", set s3.region")
            .orElse(", which leads to an address that is not followed");
  }

  private String denied(RemoteClient.Reply reply) {
    boolean anonymous = client.signer() == RequestSigner.NONE;
    boolean web = reply.header("WWW-Authenticate").isPresent();
    String query = uri.getRawQuery();
    if (anonymous && query != null && SIGNATURE.matcher(query).find()) {
      return reply.statusText() + "; the signature in the address is wrong or has expired";
    }
    return reply.statusText()
        + (!anonymous
            ? "; the credentials may not read this"
            : web
                ? "; the server wants to know the user: set http.user and http.password, or"
                    + " http.bearer"
                : "; the resource is not public, and no credentials were given");
  }

  /** Returns the length of the resource that a range states; empty if it states none. */
  private static OptionalLong total(RemoteClient.Reply reply) {
    Matcher range = CONTENT_RANGE.matcher(reply.header("Content-Range").orElse(""));
    return range.matches() && !range.group(3).equals("*")
        ? OptionalLong.of(Long.parseLong(range.group(3)))
        : OptionalLong.empty();
  }

  /** Returns the body of a part, which must be the range that was requested. */
  private byte[] part(RemoteClient.Reply reply, long offset, int length, long total) {
    String text = reply.header("Content-Range").orElse("none");
    Matcher range = CONTENT_RANGE.matcher(text);
    long expected = Math.min(length, total - offset);
    if (!range.matches()
        || Long.parseLong(range.group(1)) != offset
        || expected <= 0
        || Long.parseLong(range.group(2)) != offset + expected - 1) {
      throw refused("a response for another range (Content-Range: " + text + ")", offset);
    }
    byte[] bytes = reply.body();
    if (bytes.length != expected) {
      throw refused("a body of " + bytes.length + " bytes for " + expected, offset);
    }
    return bytes;
  }

  private StorageException refused(String actual, long offset) {
    return new StorageException(
        "range read failed: actual="
            + actual
            + ", expected=HTTP status 206, at="
            + place
            + "@"
            + offset);
  }

  @Override
  public void close() {
    client.close();
  }
}
