package org.hyperslab.plugins.forwarding.server;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.plugins.compacting.CompactorOptions;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.plugins.forwarding.Security;

/**
 * The options of a server.
 *
 * @param address the address at which the server listens
 * @param root the folder that contains all files
 * @param connector the configuration of the connector that carries operations out
 * @param memoryBytes the memory, in bytes, for the requests, replies, open files and objects of all
 *     sessions together. A session is granted its share when it begins, and is refused if there is
 *     no memory left
 * @param windowBytes the largest window of a session: the memory, in bytes, for its requests. It
 *     gets the same amount for replies, and half as much for open files and objects
 * @param threads the number of operations that may run at a time
 * @param token the secret that clients must present, if any
 * @param security the keys, required for an address that other machines reach
 * @param grace the time for which a session waits for a client that has lost its connection
 * @param drain the longest time for which a server that closes waits for operations to end
 * @param compactor the options for merging requests
 * @param peers the servers that share the folder, this one included; empty for a single server
 * @param log takes the lines of what happens to the server, in a thread of their own
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
    Duration drain,
    CompactorOptions compactor,
    List<Address> peers,
    System.Logger log) {

  /** The smallest window of a session, in bytes. */
  public static final long MIN_WINDOW_BYTES = 1 << 20;

  private static final int MAX_THREADS = 1024;

  /**
   * Checks the bounds.
   *
   * @throws InvalidUseException if a bound is out of its range, or the token is blank
   */
  public ServerOptions {
    peers = List.copyOf(peers);
    if (token.filter(String::isBlank).isPresent()) {
      throw new InvalidUseException(
          "token: actual=empty, expected=a secret that clients must know; without a token the "
              + "server serves everyone who can reach the address");
    }
    if (windowBytes < MIN_WINDOW_BYTES || memoryBytes < 3 * MIN_WINDOW_BYTES || threads < 1) {
      throw new InvalidUseException(
          "server: actual=memory "
              + memoryBytes
              + ", window "
              + windowBytes
              + ", threads "
              + threads
              + ", expected=at least 3 MiB, 1 MiB and 1");
    }
    if (threads > MAX_THREADS || grace.isNegative() || drain.isNegative()) {
      throw new InvalidUseException(
          "server: actual=threads "
              + threads
              + ", grace "
              + grace.toSeconds()
              + " s, drain "
              + drain.toSeconds()
              + " s, expected=at most "
              + MAX_THREADS
              + " threads, and times of 0 s or more");
    }
  }

  /**
   * Returns the default options: the native connector, 1 GiB of memory, windows of 128 MiB, a
   * thread per processor but at least 2, and the platform's logger {@code org.hyperslab.stage}.
   *
   * @param address the address at which the server listens
   * @param root the folder that contains all files
   * @return the options
   */
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
        Duration.ofSeconds(60),
        CompactorOptions.DEFAULT,
        List.of(),
        System.getLogger("org.hyperslab.stage"));
  }

  /**
   * Returns these options with another connector.
   *
   * @param configuration the configuration of the connector
   * @return the changed options
   */
  public ServerOptions withConnector(String configuration) {
    return changed(draft -> draft.connector = configuration);
  }

  /**
   * Returns these options with other memory limits.
   *
   * @param bytes the memory of all sessions in bytes, at least 3 MiB
   * @param window the largest window of a session in bytes, at least 1 MiB
   * @return the changed options
   */
  public ServerOptions withMemory(long bytes, long window) {
    return changed(draft -> {
      draft.memoryBytes = bytes;
      draft.windowBytes = window;
    });
  }

  /**
   * Returns these options with another number of threads.
   *
   * @param count the number of operations that may run at a time, 1 to 1024
   * @return the changed options
   */
  public ServerOptions withThreads(int count) {
    return changed(draft -> draft.threads = count);
  }

  /**
   * Returns these options with other secrets.
   *
   * @param newToken the secret, if any
   * @param keys the keys for TLS, if any
   * @return the changed options
   */
  public ServerOptions withSecrets(Optional<String> newToken, Optional<Security> keys) {
    return changed(draft -> {
      draft.token = newToken;
      draft.security = keys;
    });
  }

  /**
   * Returns these options with another grace period.
   *
   * @param time the time for which a session waits for a client that has lost its connection
   * @return the changed options
   */
  public ServerOptions withGrace(Duration time) {
    return changed(draft -> draft.grace = time);
  }

  /**
   * Returns these options with another time for closing.
   *
   * @param time the longest time for which a server that closes waits for operations to end
   * @return the changed options
   */
  public ServerOptions withDrain(Duration time) {
    return changed(draft -> draft.drain = time);
  }

  /**
   * Returns these options with another compactor configuration.
   *
   * @param options the options of the compactor
   * @return the changed options
   */
  public ServerOptions withCompactor(CompactorOptions options) {
    return changed(draft -> draft.compactor = options);
  }

  /**
   * Returns these options with another list of peers.
   *
   * @param others the addresses of all of them, this one included
   * @return the changed options
   */
  public ServerOptions withPeers(List<Address> others) {
    return changed(draft -> draft.peers = others);
  }

  /**
   * Returns these options with another log.
   *
   * @param logger takes lines of an event and of pairs {@code key=value}, none of which has a
   *     secret
   * @return the changed options
   */
  public ServerOptions withLog(System.Logger logger) {
    return changed(draft -> draft.log = logger);
  }

  private ServerOptions changed(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.options();
  }

  /** A mutable copy of options. */
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
    private Duration drain;
    private CompactorOptions compactor;
    private List<Address> peers;
    private System.Logger log;

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
      drain = from.drain;
      compactor = from.compactor;
      peers = from.peers;
      log = from.log;
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
          drain,
          compactor,
          peers,
          log);
    }
  }
}
