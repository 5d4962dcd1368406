package org.hyperslab.plugins.forwarding.server;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.plugins.compacting.options.CompactorOptions;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.plugins.forwarding.Security;

/**
 * The options of a server.
 *
 * <p>Thread rule: immutable.
 */
public final class ServerOptions {

  /** The smallest window of a session, in bytes. */
  public static final long MIN_WINDOW_BYTES = 1 << 20;

  private static final int MAX_THREADS = 1024;

  private final Address address;
  private final Path root;
  private final String connector;
  private final long memoryBytes;
  private final long windowBytes;
  private final int threads;
  private final Optional<String> token;
  private final Optional<Security> security;
  private final Duration grace;
  private final Duration drain;
  private final CompactorOptions compactor;
  private final List<Address> peers;
  private final System.Logger log;

  private ServerOptions(Builder builder) {
    address = builder.address;
    root = builder.root;
    connector = builder.connector;
    memoryBytes = builder.memoryBytes;
    windowBytes = builder.windowBytes;
    threads = builder.threads;
    token = builder.token;
    security = builder.security;
    grace = builder.grace;
    drain = builder.drain;
    compactor = builder.compactor;
    peers = builder.peers;
    log = builder.log;
  }

  /** {@return a builder that starts with the defaults} */
  public static Builder builder() {
    return new Builder();
  }

  /** {@return a builder that starts with these options} */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.address = address;
    builder.root = root;
    builder.connector = connector;
    builder.memoryBytes = memoryBytes;
    builder.windowBytes = windowBytes;
    builder.threads = threads;
    builder.token = token;
    builder.security = security;
    builder.grace = grace;
    builder.drain = drain;
    builder.compactor = compactor;
    builder.peers = peers;
    builder.log = log;
    return builder;
  }

  /** {@return the address at which the server listens} */
  public Address address() {
    return address;
  }

  /** {@return the folder that contains all files} */
  public Path root() {
    return root;
  }

  /** {@return the configuration of the connector that carries operations out} */
  public String connector() {
    return connector;
  }

  /**
   * {@return the memory, in bytes, for the requests, replies, open files and objects of all
   * sessions together. A session is granted its share when it begins, and is refused if there is no
   * memory left}
   */
  public long memoryBytes() {
    return memoryBytes;
  }

  /**
   * {@return the largest window of a session: the memory, in bytes, for its requests. It gets the
   * same amount for replies, and half as much for open files and objects}
   */
  public long windowBytes() {
    return windowBytes;
  }

  /** {@return the number of operations that may run at a time} */
  public int threads() {
    return threads;
  }

  /** {@return the secret that clients must present, if any} */
  public Optional<String> token() {
    return token;
  }

  /** {@return the keys, required for an address that other machines reach} */
  public Optional<Security> security() {
    return security;
  }

  /** {@return the time for which a session waits for a client that has lost its connection} */
  public Duration grace() {
    return grace;
  }

  /** {@return the longest time for which a server that closes waits for operations to end} */
  public Duration drain() {
    return drain;
  }

  /** {@return the options for merging requests} */
  public CompactorOptions compactor() {
    return compactor;
  }

  /** {@return the servers that share the folder, this one included; empty for a single server} */
  public List<Address> peers() {
    return peers;
  }

  /** {@return takes the lines of what happens to the server, in a thread of their own} */
  public System.Logger log() {
    return log;
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
    return builder().address(address).root(root).build();
  }

  /**
   * Returns these options with another connector.
   *
   * @param configuration the configuration of the connector
   * @return the changed options
   */
  public ServerOptions withConnector(String configuration) {
    return toBuilder().connector(configuration).build();
  }

  /**
   * Returns these options with other memory limits.
   *
   * @param bytes the memory of all sessions in bytes, at least 3 MiB
   * @param window the largest window of a session in bytes, at least 1 MiB
   * @return the changed options
   */
  public ServerOptions withMemory(long bytes, long window) {
    return toBuilder().memoryBytes(bytes).windowBytes(window).build();
  }

  /**
   * Returns these options with another number of threads.
   *
   * @param count the number of operations that may run at a time, 1 to 1024
   * @return the changed options
   */
  public ServerOptions withThreads(int count) {
    return toBuilder().threads(count).build();
  }

  /**
   * Returns these options with other secrets.
   *
   * @param newToken the secret, if any
   * @param keys the keys for TLS, if any
   * @return the changed options
   */
  public ServerOptions withSecrets(Optional<String> newToken, Optional<Security> keys) {
    return toBuilder().token(newToken).security(keys).build();
  }

  /**
   * Returns these options with another grace period.
   *
   * @param time the time for which a session waits for a client that has lost its connection
   * @return the changed options
   */
  public ServerOptions withGrace(Duration time) {
    return toBuilder().grace(time).build();
  }

  /**
   * Returns these options with another time for closing.
   *
   * @param time the longest time for which a server that closes waits for operations to end
   * @return the changed options
   */
  public ServerOptions withDrain(Duration time) {
    return toBuilder().drain(time).build();
  }

  /**
   * Returns these options with another compactor configuration.
   *
   * @param options the options of the compactor
   * @return the changed options
   */
  public ServerOptions withCompactor(CompactorOptions options) {
    return toBuilder().compactor(options).build();
  }

  /**
   * Returns these options with another list of peers.
   *
   * @param others the addresses of all of them, this one included
   * @return the changed options
   */
  public ServerOptions withPeers(List<Address> others) {
    return toBuilder().peers(others).build();
  }

  /**
   * Returns these options with another log.
   *
   * @param logger takes lines of an event and of pairs {@code key=value}, none of which has a
   *     secret
   * @return the changed options
   */
  public ServerOptions withLog(System.Logger logger) {
    return toBuilder().log(logger).build();
  }

  private List<Object> values() {
    return List.of(
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

  @Override
  public boolean equals(Object other) {
    return other instanceof ServerOptions options && values().equals(options.values());
  }

  @Override
  public int hashCode() {
    return values().hashCode();
  }

  /** Returns all options with their values. */
  @Override
  public String toString() {
    return "ServerOptions[address="
        + address
        + ", root="
        + root
        + ", connector="
        + connector
        + ", memoryBytes="
        + memoryBytes
        + ", windowBytes="
        + windowBytes
        + ", threads="
        + threads
        + ", token="
        + token
        + ", security="
        + security
        + ", grace="
        + grace
        + ", drain="
        + drain
        + ", compactor="
        + compactor
        + ", peers="
        + peers
        + ", log="
        + log
        + "]";
  }

  /** Collects options; confined to one thread. */
  public static final class Builder {
    private Address address;
    private Path root;
    private String connector = "native";
    private long memoryBytes = 1L << 30;
    private long windowBytes = 128L << 20;
    private int threads = Math.max(2, Runtime.getRuntime().availableProcessors());
    private Optional<String> token = Optional.empty();
    private Optional<Security> security = Optional.empty();
    private Duration grace = Duration.ofSeconds(30);
    private Duration drain = Duration.ofSeconds(60);
    private CompactorOptions compactor = CompactorOptions.DEFAULT;
    private List<Address> peers = List.of();
    private System.Logger log = System.getLogger("org.hyperslab.stage");

    private Builder() {}

    /**
     * Sets the address at which the server listens.
     *
     * @param newAddress the address at which the server listens
     * @return this builder
     */
    public Builder address(Address newAddress) {
      this.address = newAddress;
      return this;
    }

    /**
     * Sets the folder that contains all files.
     *
     * @param newRoot the folder that contains all files
     * @return this builder
     */
    public Builder root(Path newRoot) {
      this.root = newRoot;
      return this;
    }

    /**
     * Sets the configuration of the connector that carries operations out.
     *
     * @param newConnector the configuration of the connector that carries operations out
     * @return this builder
     */
    public Builder connector(String newConnector) {
      this.connector = newConnector;
      return this;
    }

    /**
     * Sets the memory, in bytes, for the requests, replies, open files and objects of all sessions
     * together.
     *
     * @param newMemoryBytes the memory, in bytes, for the requests, replies, open files and objects
     *     of all sessions together. A session is granted its share when it begins, and is refused
     *     if there is no memory left
     * @return this builder
     */
    public Builder memoryBytes(long newMemoryBytes) {
      this.memoryBytes = newMemoryBytes;
      return this;
    }

    /**
     * Sets the largest window of a session.
     *
     * @param newWindowBytes the largest window of a session: the memory, in bytes, for its
     *     requests. It gets the same amount for replies, and half as much for open files and
     *     objects
     * @return this builder
     */
    public Builder windowBytes(long newWindowBytes) {
      this.windowBytes = newWindowBytes;
      return this;
    }

    /**
     * Sets the number of operations that may run at a time.
     *
     * @param newThreads the number of operations that may run at a time
     * @return this builder
     */
    public Builder threads(int newThreads) {
      this.threads = newThreads;
      return this;
    }

    /**
     * Sets the secret that clients must present, if any.
     *
     * @param newToken the secret that clients must present, if any
     * @return this builder
     */
    public Builder token(Optional<String> newToken) {
      this.token = newToken;
      return this;
    }

    /**
     * Sets the keys, required for an address that other machines reach.
     *
     * @param newSecurity the keys, required for an address that other machines reach
     * @return this builder
     */
    public Builder security(Optional<Security> newSecurity) {
      this.security = newSecurity;
      return this;
    }

    /**
     * Sets the time for which a session waits for a client that has lost its connection.
     *
     * @param newGrace the time for which a session waits for a client that has lost its connection
     * @return this builder
     */
    public Builder grace(Duration newGrace) {
      this.grace = newGrace;
      return this;
    }

    /**
     * Sets the longest time for which a server that closes waits for operations to end.
     *
     * @param newDrain the longest time for which a server that closes waits for operations to end
     * @return this builder
     */
    public Builder drain(Duration newDrain) {
      this.drain = newDrain;
      return this;
    }

    /**
     * Sets the options for merging requests.
     *
     * @param newCompactor the options for merging requests
     * @return this builder
     */
    public Builder compactor(CompactorOptions newCompactor) {
      this.compactor = newCompactor;
      return this;
    }

    /**
     * Sets the servers that share the folder, this one included.
     *
     * @param newPeers the servers that share the folder, this one included; empty for a single
     *     server
     * @return this builder
     */
    public Builder peers(List<Address> newPeers) {
      this.peers = newPeers;
      return this;
    }

    /**
     * Sets takes the lines of what happens to the server, in a thread of their own.
     *
     * @param newLog takes the lines of what happens to the server, in a thread of their own
     * @return this builder
     */
    public Builder log(System.Logger newLog) {
      this.log = newLog;
      return this;
    }

    /**
     * {@return the options}
     *
     * @throws InvalidUseException if a bound is out of its range, or the token is blank
     */
    public ServerOptions build() {
      if (address == null || root == null) {
        throw new InvalidUseException(
            "server: actual=address " + address + ", folder " + root + ", expected=both");
      }
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

      return new ServerOptions(this);
    }
  }
}
