package org.hyperslab.remote;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hyperslab.error.StorageException;

/**
 * An object in a bucket, which can be tested for, created and deleted as a whole. Content longer
 * than a part is uploaded in parts, one at a time, so that memory is bounded; a failed upload is
 * also aborted at the server.
 *
 * <p>Source: Amazon S3 API Reference: PutObject, CreateMultipartUpload, UploadPart,
 * CompleteMultipartUpload, AbortMultipartUpload, HeadObject, DeleteObject.
 *
 * <p>Thread rule: one thread at a time.
 */
final class S3Object implements AutoCloseable {

  /** The length of the parts in bytes; S3 requires at least 5 MiB for all but the last. */
  static final int PART_BYTES = 16 << 20;

  /** The greatest number of parts; S3 accepts 10,000. */
  private static final int MAX_PARTS = 9_000;

  private static final int ANSWER_BYTES = 1 << 20;
  private static final Pattern UPLOAD_ID = Pattern.compile("<UploadId>([^<]{1,2048})</UploadId>");

  private final S3Address address;
  private final URI uri;
  private final RemoteClient client;

  /**
   * Creates an object, which need not exist.
   *
   * @param client sends the requests; closed with the object
   */
  S3Object(S3Address address, URI uri, RemoteClient client) {
    this.address = address;
    this.uri = uri;
    this.client = client;
  }

  /** Reads consecutive bytes of the content to upload. */
  interface Source {

    /** Fills the array from an offset on, up to a length. */
    void read(long offset, byte[] target, int length);
  }

  S3Address address() {
    return address;
  }

  /** Returns whether the server has the object. */
  boolean exists() {
    RemoteClient.Reply answer = send("HEAD", "", new byte[0]);
    if (answer.status() == 404) {
      return false;
    }
    require(answer, "look", 200);
    return true;
  }

  /** Deletes the object, if it exists. */
  void delete() {
    require(send("DELETE", "", new byte[0]), "delete", 204);
  }

  /**
   * Uploads the object, replacing an existing one.
   *
   * @param size its length in bytes
   * @throws StorageException if the server refuses; the existing object then stays
   */
  void upload(Source source, long size) {
    if (size <= PART_BYTES) {
      byte[] bytes = new byte[(int) size];
      source.read(0, bytes, bytes.length);
      require(send("PUT", "", bytes), "upload", 200);
      return;
    }
    RemoteClient.Reply begun = send("POST", "uploads=", new byte[0]);
    require(begun, "begin of an upload", 200);
    String id = S3Address.encoded(unescaped(found(UPLOAD_ID, begun.text())));
    try {
      complete(id, parts(source, size, id));
    } catch (RuntimeException failure) {
      try {
        send("DELETE", "uploadId=" + id, new byte[0]);
      } catch (StorageException again) {
        failure.addSuppressed(again);
      }
      throw failure;
    }
  }

  private List<String> parts(Source source, long size, String id) {
    long part = Math.max(PART_BYTES, (size + MAX_PARTS - 1) / MAX_PARTS);
    byte[] buffer = new byte[Math.toIntExact(part)];
    List<String> tags = new ArrayList<>();
    for (long done = 0; done < size; done += part) {
      int length = (int) Math.min(part, size - done);
      source.read(done, buffer, length);
      byte[] bytes = length == buffer.length ? buffer : Arrays.copyOf(buffer, length);
      RemoteClient.Reply answer =
          send("PUT", "partNumber=" + (tags.size() + 1) + "&uploadId=" + id, bytes);
      require(answer, "upload of part " + (tags.size() + 1), 200);
      tags.add(answer.header("ETag").orElse(""));
    }
    return tags;
  }

  private void complete(String id, List<String> tags) {
    StringBuilder list = new StringBuilder("<CompleteMultipartUpload>");
    for (int i = 0; i < tags.size(); i++) {
      list.append("<Part><PartNumber>").append(i + 1).append("</PartNumber><ETag>");
      list.append(escaped(tags.get(i))).append("</ETag></Part>");
    }
    list.append("</CompleteMultipartUpload>");
    byte[] bytes = list.toString().getBytes(StandardCharsets.UTF_8);
    RemoteClient.Reply answer = send("POST", "uploadId=" + id, bytes);
    require(answer, "end of an upload", 200);
    // This answer begins before its outcome is known, so a failure has status 200, too.
    if (answer.text().contains("<Error>")) {
      throw refused(answer, "end of an upload");
    }
  }

  /** Sends one request; repeated if the server is overloaded or the connection breaks. */
  private RemoteClient.Reply send(String method, String query, byte[] body) {
    URI place = query.isEmpty() ? uri : URI.create(uri + "?" + query);
    return client.send(
        new RemoteClient.Request(method, place, Map.of(), body, 200, ANSWER_BYTES),
        method,
        address.toString(),
        client.deadline());
  }

  private void require(RemoteClient.Reply answer, String what, int expected) {
    if (answer.status() != expected) {
      throw refused(answer, what);
    }
  }

  private StorageException refused(RemoteClient.Reply answer, String what) {
    return new StorageException(
        what + " failed: actual=" + answer.statusText() + ", expected=success, at=" + address);
  }

  private String found(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    if (!matcher.find()) {
      throw new StorageException(
          "start of an upload failed: actual=a response without an upload ID, at=" + address);
    }
    return matcher.group(1);
  }

  private static String unescaped(String xml) {
    return xml.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&amp;", "&");
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  @Override
  public void close() {
    client.close();
  }
}
