package org.hyperslab.remote;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.store.RemoteStores;

/**
 * The address of a resource on a web server, apart from the user and password that a name may hold.
 *
 * @param uri the address, without a user
 * @param user the user and password, {@code user:password} in percent encoding; empty if the name
 *     has none
 */
record WebAddress(URI uri, Optional<String> user) {

  private static final int LAST_PORT = 65_535;

  /**
   * Parses a name.
   *
   * @throws InvalidUseException if it is malformed; the message does not contain a password
   */
  static WebAddress parse(String name) {
    try {
      URI uri = new URI(name);
      if (uri.getHost() != null && uri.getPort() <= LAST_PORT) {
        Optional<String> user = Optional.ofNullable(uri.getRawUserInfo());
        return new WebAddress(user.isPresent() ? withoutUser(uri) : uri, user);
      }
    } catch (URISyntaxException notAUri) {
      // Reported below; its message has the whole name.
    }
    throw new InvalidUseException(
        "file: actual="
            + RemoteStores.shown(name)
            + ", expected=a URI with a host and no port above 65535, with blanks and other special "
            + "characters escaped, such as %20, also in a user name and password");
  }

  /** Returns the name of the server. */
  String host() {
    return uri.getHost();
  }

  /** Returns an address without the user and password in it. */
  static URI withoutUser(URI uri) {
    String text = uri.toString();
    String user = uri.getRawUserInfo();
    return user == null ? uri : URI.create(text.replaceFirst("//[^/?#]*@", "//"));
  }

  /** Returns whether two addresses are on one server: same scheme, host and port. */
  static boolean isSameServer(URI one, URI other) {
    return server(one).equals(server(other));
  }

  /**
   * Returns whether a request to one server may be continued at another with its credentials: it is
   * the same, or the same host after the change from http to https.
   */
  static boolean keepsCredentials(URI from, URI to) {
    return isSameServer(from, to)
        || (from.getHost().equalsIgnoreCase(to.getHost())
            && server(from).endsWith(":80")
            && server(to).endsWith(":443")
            && isSecure(to));
  }

  static boolean isSecure(URI uri) {
    return "https".equalsIgnoreCase(uri.getScheme());
  }

  private static String server(URI uri) {
    int port = uri.getPort() >= 0 ? uri.getPort() : isSecure(uri) ? 443 : 80;
    return (uri.getScheme() + "://" + uri.getHost() + ":" + port).toLowerCase(Locale.ROOT);
  }

  @Override
  public String toString() {
    return RemoteStores.shown(uri.toString());
  }
}
