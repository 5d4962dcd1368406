package org.hyperslab.tools.stage;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;
import org.hyperslab.plugins.forwarding.server.StageServer;
import org.hyperslab.tools.stage.MonitorPort.Answer;

/**
 * Answers monitors of a staging server by HTTP: {@code /metrics} in Prometheus's text format,
 * {@code /health} with 200, or with 503 and the operations that do not end, and {@code /status} as
 * JSON. Nothing can be changed this way, and no name of a file is shown. Until the server is ready,
 * all pages are answered with 503.
 *
 * <p>Thread rule: any thread.
 */
final class StageMetrics implements AutoCloseable {

  private static final Pattern ADDRESS = Pattern.compile("(?:(.+):)?(\\d{1,5})");
  private static final Duration LIMIT = Duration.ofSeconds(5);

  private final MonitorPort port;

  /**
   * Begins to answer.
   *
   * @param listen a port of this machine, or HOST:PORT
   * @param server returns the server, or null until it is ready
   * @throws InvalidUseException if that is no address
   * @throws StorageException if the address is not free
   */
  StageMetrics(String listen, Supplier<StageServer> server) {
    try {
      port = new MonitorPort(address(listen), LIMIT, path -> page(path, server.get()));
    } catch (IOException e) {
      throw new StorageException(
          "--metrics: actual=" + e.getMessage() + ", expected=a free address, at=" + listen, e);
    }
  }

  private static Optional<Answer> page(String path, StageServer server) {
    if (server == null) {
      return Optional.of(Answer.plain(503, "starting"));
    }
    return switch (path) {
      case "/metrics" ->
          Optional.of(
              new Answer(200, "text/plain; version=0.0.4; charset=utf-8", server.metrics()));
      case "/status" -> Optional.of(new Answer(200, "application/json", server.statusJson()));
      case "/health" -> Optional.of(health(server));
      default -> Optional.empty();
    };
  }

  private static Answer health(StageServer server) {
    List<String> stuck = server.stuck();
    return stuck.isEmpty()
        ? Answer.plain(200, "ok")
        : Answer.plain(503, "operations do not end:\n" + String.join("\n", stuck));
  }

  /**
   * Reads an address.
   *
   * @param listen PORT or HOST:PORT
   * @return the address, of the loopback device if there is no host
   * @throws InvalidUseException if it is neither
   */
  static InetSocketAddress address(String listen) {
    Matcher parts = ADDRESS.matcher(listen);
    if (!parts.matches() || Integer.parseInt(parts.group(2)) > 0xFFFF) {
      throw new InvalidUseException(
          "--metrics: actual=" + listen + ", expected=PORT, of this machine only, or HOST:PORT");
    }
    String host = parts.group(1) == null ? "127.0.0.1" : parts.group(1).replaceAll("^\\[|]$", "");
    return new InetSocketAddress(host, Integer.parseInt(parts.group(2)));
  }

  /** {@return the address at which it answers} */
  InetSocketAddress at() {
    return port.address();
  }

  /** Stops answering and frees the port. */
  @Override
  public void close() {
    port.close();
  }
}
