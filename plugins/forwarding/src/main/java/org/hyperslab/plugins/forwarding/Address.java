package org.hyperslab.plugins.forwarding;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;

/** The address at which a server listens. */
public sealed interface Address {

  /**
   * A TCP port.
   *
   * @param host a host name or IP address; IPv6 addresses without brackets
   * @param port the port, 0 to 65535; 0 lets the system choose one
   */
  record Tcp(String host, int port) implements Address {
    @Override
    public String toString() {
      return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
  }

  /**
   * A unix domain socket.
   *
   * @param path its path
   */
  record Unix(String path) implements Address {
    @Override
    public String toString() {
      return "unix:" + path;
    }
  }

  /**
   * Tests whether only this machine can reach the address, so that no encryption is needed.
   *
   * @return whether it is a unix socket or a loopback address
   * @throws NotFoundException if the host has no address
   */
  default boolean isLocal() {
    return switch (this) {
      case Unix unix -> true;
      case Tcp tcp -> {
        try {
          yield InetAddress.getByName(tcp.host()).isLoopbackAddress();
        } catch (UnknownHostException e) {
          throw new NotFoundException(
              "host: actual="
                  + tcp.host()
                  + " has no address, expected=a host that can be "
                  + "resolved",
              e);
        }
      }
    };
  }

  /**
   * Parses {@code HOST:PORT}, {@code [HOST]:PORT} or {@code unix:PATH}.
   *
   * @param text the address
   * @return the address
   * @throws InvalidUseException if the text is none of these
   */
  static Address parse(String text) {
    if (text.startsWith("unix:") && text.length() > 5) {
      return new Unix(text.substring(5));
    }
    int colon = text.lastIndexOf(':');
    try {
      int port = Integer.parseInt(text.substring(colon + 1));
      String host = text.substring(0, Math.max(0, colon));
      if (host.startsWith("[") && host.endsWith("]")) {
        host = host.substring(1, host.length() - 1);
      }
      if (!host.isEmpty() && port >= 0 && port <= 65_535) {
        return new Tcp(host, port);
      }
    } catch (NumberFormatException e) {
      throw problem(text, e);
    }
    throw problem(text, null);
  }

  private static InvalidUseException problem(String text, Throwable cause) {
    return new InvalidUseException(
        "address: actual=\"" + text + "\", expected=HOST:PORT or unix:PATH", cause);
  }
}
