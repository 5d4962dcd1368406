package org.hyperslab.plugins.forwarding.server;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.plugins.compacting.run.CompactorOptions;
import org.hyperslab.plugins.forwarding.wire.Address;
import org.hyperslab.plugins.forwarding.wire.Security;

/**
 * How a server works.
 *
 * @param address where it listens
 * @param root the folder below which all files are
 * @param connector the configuration of the connector that carries operations out
 * @param memoryBytes what all sessions together may hold of payload, requests and replies: a
 *     session is granted its share when it begins, keeps it, and is refused if there is none left
 * @param windowBytes the most that one session is granted for requests, and as much for replies
 * @param threads how many operations may run at once
 * @param token the secret that clients must know, if any
 * @param security the keys, which an address that other machines reach needs
 * @param grace how long a session waits for a client that has lost its connection
 * @param compactor how requests are merged
 * @param peers the servers that see the same folder, which may be files' homes while raw data comes
 *     here
 */
public record ServerOptions(
    Address address,
    Path root,
    String connector,
    long memoryBytes,
    long windowBytes,
    int threads,
    Optional<String> token,
    Optional<Security> security,
    Duration grace,
    CompactorOptions compactor,
    List<Address> peers) {

  /** The least share of a session. */
  public static final long LEAST_WINDOW_BYTES = 1 << 20;

  /** Checks the bounds. */
  public ServerOptions {
    peers = List.copyOf(peers);
    if (token.filter(String::isBlank).isPresent()) {
      throw new InvalidUseException(
          "token: actual=empty, expected=a secret that clients must know; without a token everybody"
              + " who reaches the address is served");
    }
    if (windowBytes < LEAST_WINDOW_BYTES || memoryBytes < 3 * LEAST_WINDOW_BYTES || threads < 1) {
      throw new InvalidUseException(
          "server: actual=memory "
              + memoryBytes
              + ", window "
              + windowBytes
              + ", threads "
              + threads
              + ", expected=at least 3 MiB, 1 MiB and 1");
    }
  }

  /** A server over native files: 1 GiB of memory, windows of 128 MiB, a thread a processor. */
  public static ServerOptions of(Address address, Path root) {
    return new ServerOptions(
        address,
        root,
        "native",
        1L << 30,
        128L << 20,
        Math.max(2, Runtime.getRuntime().availableProcessors()),
        Optional.empty(),
        Optional.empty(),
        Duration.ofSeconds(30),
        CompactorOptions.DEFAULT,
        List.of());
  }

  /** The same over another connector. */
  public ServerOptions withConnector(String configuration) {
    return changed(draft -> draft.connector = configuration);
  }

  /** The same with other bounds of memory. */
  public ServerOptions withMemory(long bytes, long window) {
    return changed(draft -> {
      draft.memoryBytes = bytes;
      draft.windowBytes = window;
    });
  }

  /** The same with so many threads. */
  public ServerOptions withThreads(int count) {
    return changed(draft -> draft.threads = count);
  }

  /** The same for clients that prove who they are. */
  public ServerOptions withSecrets(Optional<String> newToken, Optional<Security> keys) {
    return changed(draft -> {
      draft.token = newToken;
      draft.security = keys;
    });
  }

  /** The same with another time that a session waits for its client. */
  public ServerOptions withGrace(Duration time) {
    return changed(draft -> draft.grace = time);
  }

  /** The same with another compactor. */
  public ServerOptions withCompactor(CompactorOptions options) {
    return changed(draft -> draft.compactor = options);
  }

  /** The same beside other servers with the same folder. */
  public ServerOptions withPeers(List<Address> others) {
    return changed(draft -> draft.peers = others);
  }

  private ServerOptions changed(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.options();
  }

  /** Options while they are being changed. */
  private static final class Draft {
    private final Address address;
    private final Path root;
    private String connector;
    private long memoryBytes;
    private long windowBytes;
    private int threads;
    private Optional<String> token;
    private Optional<Security> security;
    private Duration grace;
    private CompactorOptions compactor;
    private List<Address> peers;

    Draft(ServerOptions from) {
      address = from.address;
      root = from.root;
      connector = from.connector;
      memoryBytes = from.memoryBytes;
      windowBytes = from.windowBytes;
      threads = from.threads;
      token = from.token;
      security = from.security;
      grace = from.grace;
      compactor = from.compactor;
      peers = from.peers;
    }

    ServerOptions options() {
      return new ServerOptions(
          address,
          root,
          connector,
          memoryBytes,
          windowBytes,
          threads,
          token,
          security,
          grace,
          compactor,
          peers);
    }
  }
}
