package org.hyperslab.web.options;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.OpenOptions;

/**
 * The options of a server.
 *
 * <p>Thread rule: immutable.
 */
public final class WebOptions {

  /** The default limit, 2 GiB: the maximum size of an array in a browser. */
  public static final long DEFAULT_MOST_BYTES = 2L << 30;

  /** The default options: a free port of the local address, for one browser. */
  public static final WebOptions DEFAULT = builder().build();

  private final InetSocketAddress listen;
  private final Set<String> hostNames;
  private final Access access;
  private final long mostBytes;
  private final Limits limits;
  private final BiFunction<String, OpenOptions, H5File> opener;
  private final boolean readsMarked;

  private WebOptions(Builder builder) {
    listen = builder.listen;
    hostNames = builder.hostNames;
    access = builder.access;
    mostBytes = builder.mostBytes;
    limits = builder.limits;
    opener = builder.opener;
    readsMarked = builder.readsMarked;
  }

  /** {@return a builder that starts with the defaults} */
  public static Builder builder() {
    return new Builder();
  }

  /** {@return a builder that starts with these options} */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.listen = listen;
    builder.hostNames = hostNames;
    builder.access = access;
    builder.mostBytes = mostBytes;
    builder.limits = limits;
    builder.opener = opener;
    builder.readsMarked = readsMarked;
    return builder;
  }

  /** {@return the address; port 0 for any free port} */
  public InetSocketAddress listen() {
    return listen;
  }

  /**
   * {@return names by which clients reach the server besides its address, such as "data" or
   * "data:8080"}
   */
  public Set<String> hostNames() {
    return hostNames;
  }

  /** {@return the clients that are admitted} */
  public Access access() {
    return access;
  }

  /** {@return the maximum size of a binary reply in bytes} */
  public long mostBytes() {
    return mostBytes;
  }

  /** {@return what one request may use} */
  public Limits limits() {
    return limits;
  }

  /** {@return what opens a file that {@code WebServer.showOpened} names, by its path or URI} */
  public BiFunction<String, OpenOptions, H5File> opener() {
    return opener;
  }

  /**
   * {@return whether files are read that are marked as open for writing, because another program
   * writes them or has died; what is read of them may be incomplete}
   */
  public boolean readsMarked() {
    return readsMarked;
  }

  /** The clients that are admitted. */
  public sealed interface Access {

    /** Admits the browser that opens the server's link first. */
    record OneBrowser() implements Access {}

    /**
     * Admits clients that present a token as {@code Authorization: Bearer}, or open the link with
     * it.
     *
     * @param token the token; empty for a random one
     */
    record Token(Optional<String> token) implements Access {}

    /** Admits every client that can reach the address. */
    record Everybody() implements Access {}
  }

  /**
   * What one request may use.
   *
   * @param elements the most elements that are read for it, at least 1
   * @param seconds the longest time in seconds in which the server works for it, at least 1; the
   *     time in which the client receives is not counted
   */
  public record Limits(long elements, int seconds) {

    /** The default limits: 16 Gi elements, two minutes. */
    public static final Limits DEFAULT = new Limits(16L << 30, 120);

    /** Checks the limits. */
    public Limits {
      if (elements < 1 || seconds < 1) {
        throw new InvalidUseException(
            "limits of a request: actual="
                + elements
                + " elements, "
                + seconds
                + " s, expected=at least 1 of each");
      }
    }
  }

  /**
   * {@return these options for another address}
   *
   * @param newListen the address
   */
  public WebOptions withListen(InetSocketAddress newListen) {
    return toBuilder().listen(newListen).build();
  }

  /**
   * {@return these options with other names of the server}
   *
   * @param newHostNames the names
   */
  public WebOptions withHostNames(Set<String> newHostNames) {
    return toBuilder().hostNames(newHostNames).build();
  }

  /**
   * {@return these options with other clients admitted}
   *
   * @param newAccess the clients that are admitted
   */
  public WebOptions withAccess(Access newAccess) {
    return toBuilder().access(newAccess).build();
  }

  /**
   * {@return these options with another limit}
   *
   * @param newMostBytes the maximum size of a binary reply in bytes
   */
  public WebOptions withMostBytes(long newMostBytes) {
    return toBuilder().mostBytes(newMostBytes).build();
  }

  /**
   * {@return these options with other limits of requests}
   *
   * @param newLimits what one request may use
   */
  public WebOptions withLimits(Limits newLimits) {
    return toBuilder().limits(newLimits).build();
  }

  /**
   * {@return these options with another way to open files}
   *
   * @param newOpener opens a file that {@code WebServer.showOpened} names, by its path or URI
   */
  public WebOptions withOpener(BiFunction<String, OpenOptions, H5File> newOpener) {
    return toBuilder().opener(newOpener).build();
  }

  /**
   * {@return these options with another treatment of files that are marked as open for writing}
   *
   * @param newReadsMarked whether they are read
   */
  public WebOptions withReadsMarked(boolean newReadsMarked) {
    return toBuilder().readsMarked(newReadsMarked).build();
  }

  private List<Object> values() {
    return List.of(listen, hostNames, access, mostBytes, limits, opener, readsMarked);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof WebOptions options && values().equals(options.values());
  }

  @Override
  public int hashCode() {
    return values().hashCode();
  }

  /** Returns all options with their values. */
  @Override
  public String toString() {
    return "WebOptions[listen="
        + listen
        + ", hostNames="
        + hostNames
        + ", access="
        + access
        + ", mostBytes="
        + mostBytes
        + ", limits="
        + limits
        + ", opener="
        + opener
        + ", readsMarked="
        + readsMarked
        + "]";
  }

  /** Collects options; confined to one thread. */
  public static final class Builder {
    private InetSocketAddress listen = new InetSocketAddress("127.0.0.1", 0);
    private Set<String> hostNames = Set.of();
    private Access access = new Access.OneBrowser();
    private long mostBytes = DEFAULT_MOST_BYTES;
    private Limits limits = Limits.DEFAULT;
    private BiFunction<String, OpenOptions, H5File> opener = Hdf5::open;
    private boolean readsMarked;

    private Builder() {}

    /**
     * Sets the address.
     *
     * @param newListen the address; port 0 for any free port
     * @return this builder
     */
    public Builder listen(InetSocketAddress newListen) {
      this.listen = newListen;
      return this;
    }

    /**
     * Sets names by which clients reach the server besides its address, such as "data" or "data.
     *
     * @param newHostNames names by which clients reach the server besides its address, such as
     *     "data" or "data:8080"
     * @return this builder
     */
    public Builder hostNames(Set<String> newHostNames) {
      this.hostNames = newHostNames;
      return this;
    }

    /**
     * Sets the clients that are admitted.
     *
     * @param newAccess the clients that are admitted
     * @return this builder
     */
    public Builder access(Access newAccess) {
      this.access = newAccess;
      return this;
    }

    /**
     * Sets the maximum size of a binary reply in bytes.
     *
     * @param newMostBytes the maximum size of a binary reply in bytes
     * @return this builder
     */
    public Builder mostBytes(long newMostBytes) {
      this.mostBytes = newMostBytes;
      return this;
    }

    /**
     * Sets what one request may use.
     *
     * @param newLimits what one request may use
     * @return this builder
     */
    public Builder limits(Limits newLimits) {
      this.limits = newLimits;
      return this;
    }

    /**
     * Sets opens a file that {@code WebServer.showOpened} names, by its path or URI.
     *
     * @param newOpener opens a file that {@code WebServer.showOpened} names, by its path or URI
     * @return this builder
     */
    public Builder opener(BiFunction<String, OpenOptions, H5File> newOpener) {
      this.opener = newOpener;
      return this;
    }

    /**
     * Sets whether files are read that are marked as open for writing, because another program
     * writes them or has died.
     *
     * @param newReadsMarked whether files are read that are marked as open for writing, because
     *     another program writes them or has died; what is read of them may be incomplete
     * @return this builder
     */
    public Builder readsMarked(boolean newReadsMarked) {
      this.readsMarked = newReadsMarked;
      return this;
    }

    /** {@return the options} */
    public WebOptions build() {
      hostNames = Set.copyOf(hostNames);

      return new WebOptions(this);
    }
  }
}
