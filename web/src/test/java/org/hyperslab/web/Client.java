package org.hyperslab.web;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;

/** Sends requests to a server, with a token and without. */
final class Client implements AutoCloseable {

  private final WebServer server;
  private final HttpClient http = HttpClient.newHttpClient();
  private final String token;

  Client(WebServer server, String token) {
    this.server = server;
    this.token = token;
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** The reply to a GET, headers in pairs. */
  HttpResponse<byte[]> get(String pathAndQuery, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server.url() + pathAndQuery.substring(1)))
            .header("authorization", "Bearer " + token);
    if (headers.length > 0) {
      request.headers(headers);
    }
    return send(request.build());
  }

  HttpResponse<byte[]> send(HttpRequest request) {
    try {
      return http.send(request, HttpResponse.BodyHandlers.ofByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  String text(String pathAndQuery) {
    return new String(get(pathAndQuery).body(), StandardCharsets.UTF_8);
  }

  int status(String pathAndQuery) {
    return get(pathAndQuery).statusCode();
  }

  /**
   * Returns the server's reply to bytes that no client library would send, up to the connection's
   * end.
   */
  String raw(String bytes) {
    try (Socket socket = new Socket(server.address().getAddress(), server.address().getPort())) {
      socket.setSoTimeout(30_000);
      socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
      socket.getOutputStream().flush();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The reply to a GET with these lines of headers. */
  String rawGet(String path, String... headers) {
    return raw(
        "GET "
            + path
            + " HTTP/1.1\r\n"
            + String.join("\r\n", headers)
            + "\r\nConnection: close\r\n\r\n");
  }

  @Override
  public void close() {
    http.close();
  }
}
