package org.hyperslab.web.options;

import java.net.InetSocketAddress;
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
 * @param listen the address; port 0 for any free port
 * @param hostNames names by which clients reach the server besides its address, such as "data" or
 *     "data:8080"
 * @param access the clients that are admitted
 * @param mostBytes the maximum size of a binary reply in bytes
 * @param limits what one request may use
 * @param opener opens a file that {@code WebServer.showOpened} names, by its path or URI
 * @param readsMarked whether files are read that are marked as open for writing, because another
 *     program writes them or has died; what is read of them may be incomplete
 */
public record WebOptions(
    InetSocketAddress listen,
    Set<String> hostNames,
    Access access,
    long mostBytes,
    Limits limits,
    BiFunction<String, OpenOptions, H5File> opener,
    boolean readsMarked) {

  /** The default limit, 2 GiB: the maximum size of an array in a browser. */
  public static final long DEFAULT_MOST_BYTES = 2L << 30;

  /** The default options: a free port of the local address, for one browser. */
  public static final WebOptions DEFAULT =
      new WebOptions(
          new InetSocketAddress("127.0.0.1", 0),
          Set.of(),
          new Access.OneBrowser(),
          DEFAULT_MOST_BYTES,
          Limits.DEFAULT,
          Hdf5::open,
          false);

  /** Copies the names. */
  public WebOptions {
    hostNames = Set.copyOf(hostNames);
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
    return new WebOptions(newListen, hostNames, access, mostBytes, limits, opener, readsMarked);
  }

  /**
   * {@return these options with other names of the server}
   *
   * @param newHostNames the names
   */
  public WebOptions withHostNames(Set<String> newHostNames) {
    return new WebOptions(listen, newHostNames, access, mostBytes, limits, opener, readsMarked);
  }

  /**
   * {@return these options with other clients admitted}
   *
   * @param newAccess the clients that are admitted
   */
  public WebOptions withAccess(Access newAccess) {
    return new WebOptions(listen, hostNames, newAccess, mostBytes, limits, opener, readsMarked);
  }

  /**
   * {@return these options with another limit}
   *
   * @param newMostBytes the maximum size of a binary reply in bytes
   */
  public WebOptions withMostBytes(long newMostBytes) {
    return new WebOptions(listen, hostNames, access, newMostBytes, limits, opener, readsMarked);
  }

  /**
   * {@return these options with other limits of requests}
   *
   * @param newLimits what one request may use
   */
  public WebOptions withLimits(Limits newLimits) {
    return new WebOptions(listen, hostNames, access, mostBytes, newLimits, opener, readsMarked);
  }

  /**
   * {@return these options with another way to open files}
   *
   * @param newOpener opens a file that {@code WebServer.showOpened} names, by its path or URI
   */
  public WebOptions withOpener(BiFunction<String, OpenOptions, H5File> newOpener) {
    return new WebOptions(listen, hostNames, access, mostBytes, limits, newOpener, readsMarked);
  }

  /**
   * {@return these options with another treatment of files that are marked as open for writing}
   *
   * @param newReadsMarked whether they are read
   */
  public WebOptions withReadsMarked(boolean newReadsMarked) {
    return new WebOptions(listen, hostNames, access, mostBytes, limits, opener, newReadsMarked);
  }
}
