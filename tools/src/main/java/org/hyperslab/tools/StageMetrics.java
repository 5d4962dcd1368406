package org.hyperslab.tools;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;
import org.hyperslab.plugins.forwarding.StageServer;

/**
 * Answers monitors of a staging server by HTTP: {@code /metrics} in Prometheus's text format,
 * {@code /health} with 200, or with 503 and the operations that do not end, and {@code /status} as
 * JSON. Nothing can be changed this way, and no name of a file is told.
 *
 * <p>Thread rule: any thread.
 */
final class StageMetrics implements AutoCloseable {

  private static final Pattern ADDRESS = Pattern.compile("(?:(.*):)?(\\d{1,5})");
  private static final int WAITING = 16;

  private final HttpServer http;
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().daemon().name("hyperslab-stage-metrics").factory());

  private record Answer(int code, String type, String text) {}

  /**
   * Begins to answer.
   *
   * @param listen a port of this machine, or HOST:PORT
   * @param server the server
   * @throws InvalidUseException if that is no address
   * @throws StorageException if the address is not free
   */
  StageMetrics(String listen, StageServer server) {
    try {
      http = HttpServer.create(address(listen), WAITING);
    } catch (IOException e) {
      throw new StorageException(
          "--metrics: actual=" + e.getMessage() + ", expected=a free address, at=" + listen, e);
    }
    http.setExecutor(thread);
    at(
        "/metrics",
        server,
        of -> new Answer(200, "text/plain; version=0.0.4; charset=utf-8", of.metrics()));
    at("/status", server, of -> new Answer(200, "application/json", of.statusJson()));
    at("/health", server, StageMetrics::health);
    http.start();
  }

  private static Answer health(StageServer server) {
    List<String> stuck = server.stuck();
    return stuck.isEmpty()
        ? new Answer(200, "text/plain; charset=utf-8", "ok\n")
        : new Answer(
            503,
            "text/plain; charset=utf-8",
            "operations do not end:\n" + String.join("\n", stuck) + "\n");
  }

  private static InetSocketAddress address(String listen) {
    Matcher parts = ADDRESS.matcher(listen);
    if (!parts.matches() || Integer.parseInt(parts.group(2)) > 0xFFFF) {
      throw new InvalidUseException(
          "--metrics: actual=" + listen + ", expected=PORT, of this machine only, or HOST:PORT");
    }
    String host = parts.group(1) == null ? "127.0.0.1" : parts.group(1).replaceAll("^\\[|]$", "");
    return new InetSocketAddress(host, Integer.parseInt(parts.group(2)));
  }

  private void at(String path, StageServer server, Function<StageServer, Answer> answer) {
    http.createContext(
        path,
        exchange -> {
          try (exchange) {
            boolean reads = List.of("GET", "HEAD").contains(exchange.getRequestMethod());
            boolean found = exchange.getRequestURI().getPath().equals(path);
            send(
                exchange,
                !reads
                    ? new Answer(405, "text/plain; charset=utf-8", "GET only\n")
                    : found
                        ? answer.apply(server)
                        : new Answer(404, "text/plain; charset=utf-8", "no such page\n"));
          }
        });
  }

  private static void send(HttpExchange exchange, Answer answer) throws IOException {
    byte[] body = answer.text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", answer.type);
    boolean bare = exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(answer.code, bare ? -1 : body.length);
    if (!bare) {
      exchange.getResponseBody().write(body);
    }
  }

  /** {@return the port} */
  int port() {
    return http.getAddress().getPort();
  }

  /** Stops answering. */
  @Override
  public void close() {
    http.stop(0);
    thread.shutdown();
  }
}
