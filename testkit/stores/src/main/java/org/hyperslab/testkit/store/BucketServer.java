package org.hyperslab.testkit.store;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A server of objects in memory that implements the part of S3 that the library needs, counts
 * requests, and fails on demand. It accepts every signature.
 *
 * <p>Thread rule: any thread.
 */
public final class BucketServer implements AutoCloseable {

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, byte[]> objects = new ConcurrentHashMap<>();
  private final Map<String, Path> files = new ConcurrentHashMap<>();
  private final Map<String, Map<Integer, byte[]>> uploads = new ConcurrentHashMap<>();
  private final AtomicInteger requests = new AtomicInteger();
  private final AtomicLong bytesSent = new AtomicLong();
  private final Map<String, String> headers = new ConcurrentHashMap<>();
  private volatile int failingPart = -1;

  /**
   * Starts a server on a free port of the loopback interface.
   *
   * @throws IOException if no port is free
   */
  public BucketServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  /** {@return the URI of this server, which is the endpoint of its buckets} */
  public String endpoint() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /**
   * Puts an object.
   *
   * @param path {@code /BUCKET/KEY}
   * @param content its bytes, which are not changed afterwards
   */
  public void put(String path, byte[] content) {
    objects.put(path, content);
  }

  /**
   * Serves a local file as an object, without holding it in memory. It can be read by ranges only.
   *
   * @param path {@code /BUCKET/KEY}
   * @param file the file, which is not changed afterwards
   */
  public void put(String path, Path file) {
    files.put(path, file);
  }

  /**
   * Returns an object.
   *
   * @param path {@code /BUCKET/KEY}
   * @return its bytes; null if it does not exist
   */
  public byte[] get(String path) {
    return objects.get(path);
  }

  /** {@return the number of requests since the last call} */
  public int takeRequests() {
    return requests.getAndSet(0);
  }

  /** {@return the bytes of objects sent since the last call} */
  public long takeBytesSent() {
    return bytesSent.getAndSet(0);
  }

  /** {@return the headers of requests since the last call} */
  public Map<String, String> takeHeaders() {
    Map<String, String> taken = Map.copyOf(headers);
    headers.clear();
    return taken;
  }

  /**
   * {@return the number of multipart uploads that have been started and neither completed nor
   * aborted}
   */
  public int openUploads() {
    return uploads.size();
  }

  /**
   * Makes the server refuse a part of every later upload.
   *
   * @param number the number of the part, from 1; -1 for none
   */
  public void failPart(int number) {
    failingPart = number;
  }

  private void answer(HttpExchange exchange) throws IOException {
    requests.incrementAndGet();
    exchange.getRequestHeaders().forEach((name, values) -> headers.put(name, values.getFirst()));
    String path = exchange.getRequestURI().getPath();
    Map<String, String> query = query(exchange.getRequestURI().getQuery());
    byte[] body = exchange.getRequestBody().readAllBytes();
    try (exchange) {
      switch (exchange.getRequestMethod()) {
        case "GET" -> send(exchange, path);
        case "HEAD" -> exchange.sendResponseHeaders(objects.containsKey(path) ? 200 : 404, -1);
        case "PUT" -> put(exchange, path, query, body);
        case "POST" -> post(exchange, path, query);
        case "DELETE" -> {
          if (query.containsKey("uploadId")) {
            uploads.remove(query.get("uploadId"));
          } else {
            objects.remove(path);
          }
          exchange.sendResponseHeaders(204, -1);
        }
        default -> exchange.sendResponseHeaders(405, -1);
      }
    }
  }

  private static Map<String, String> query(String text) {
    Map<String, String> query = new TreeMap<>();
    for (String pair : text == null ? new String[0] : text.split("&", -1)) {
      String[] parts = pair.split("=", 2);
      query.put(parts[0], parts.length > 1 ? parts[1] : "");
    }
    return query;
  }

  private void send(HttpExchange exchange, String path) throws IOException {
    String range = exchange.getRequestHeaders().getFirst("Range");
    Path file = files.get(path);
    if (file != null) {
      sendPart(exchange, file, range.substring("bytes=".length()).split("-", -1));
      return;
    }
    byte[] content = objects.get(path);
    if (content == null) {
      exchange.sendResponseHeaders(404, -1);
      return;
    }
    String[] ends = range.substring("bytes=".length()).split("-", -1);
    int first = (int) Math.min(Long.parseLong(ends[0]), content.length);
    int last = (int) Math.min(content.length - 1L, Long.parseLong(ends[1]));
    exchange
        .getResponseHeaders()
        .set("Content-Range", "bytes " + first + "-" + last + "/" + content.length);
    exchange.getResponseHeaders().set("ETag", "\"" + System.identityHashCode(content) + "\"");
    bytesSent.addAndGet(last - first + 1L);
    exchange.sendResponseHeaders(206, last - first + 1L);
    exchange.getResponseBody().write(content, first, last - first + 1);
  }

  private void sendPart(HttpExchange exchange, Path file, String[] ends) throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      long first = Math.min(Long.parseLong(ends[0]), channel.size());
      long last = Math.min(channel.size() - 1, Long.parseLong(ends[1]));
      int length = Math.toIntExact(last - first + 1);
      exchange
          .getResponseHeaders()
          .set("Content-Range", "bytes " + first + "-" + last + "/" + channel.size());
      exchange.getResponseHeaders().set("ETag", "\"" + file.hashCode() + "\"");
      bytesSent.addAndGet(length);
      exchange.sendResponseHeaders(206, length);
      ByteBuffer part = ByteBuffer.allocate(length);
      channel.read(part, first);
      exchange.getResponseBody().write(part.array());
    }
  }

  private void put(HttpExchange exchange, String path, Map<String, String> query, byte[] body)
      throws IOException {
    if (!query.containsKey("partNumber")) {
      objects.put(path, body);
      exchange.sendResponseHeaders(200, -1);
      return;
    }
    int part = Integer.parseInt(query.get("partNumber"));
    Map<Integer, byte[]> parts = uploads.get(query.get("uploadId"));
    if (parts == null || part == failingPart) {
      say(exchange, 400, "<Error><Code>InvalidPart</Code></Error>");
      return;
    }
    parts.put(part, body);
    exchange.getResponseHeaders().set("ETag", "\"" + part + "\"");
    exchange.sendResponseHeaders(200, -1);
  }

  private void post(HttpExchange exchange, String path, Map<String, String> query)
      throws IOException {
    if (query.containsKey("uploads")) {
      String id = "upload " + path;
      uploads.put(id, new TreeMap<>());
      say(exchange, 200, "<R><UploadId>" + id + "</UploadId></R>");
      return;
    }
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    for (byte[] part : uploads.remove(query.get("uploadId")).values()) {
      whole.write(part);
    }
    objects.put(path, whole.toByteArray());
    say(exchange, 200, "<CompleteMultipartUploadResult/>");
  }

  private static void say(HttpExchange exchange, int status, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
