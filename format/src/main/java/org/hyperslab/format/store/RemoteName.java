package org.hyperslab.format.store;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Shows names of remote files without the secrets that may be part of them. */
final class RemoteName {

  /** Scheme, what may be user, host and port, and the rest. */
  private static final Pattern WEB = Pattern.compile("(?is)(https?://)([^/?#]*)(.*)");

  private static final Pattern QUERY = Pattern.compile("(?s)[?#].*");

  private RemoteName() {}

  /**
   * Returns a name for messages: an address on a web server without its user and password, and
   * without its query, which may be a signature; other names as they are.
   */
  static String shown(String name) {
    Matcher parts = WEB.matcher(name);
    if (!parts.matches()) {
      return name;
    }
    String server = parts.group(2);
    String rest = parts.group(3);
    if (server.indexOf('@') >= 0) {
      server = server.substring(server.lastIndexOf('@') + 1);
    } else if (rest.indexOf('@') >= 0 && !hasPort(server)) {
      // A password with a slash in it, which is not escaped as it should be.
      server = "";
      rest = rest.substring(rest.lastIndexOf('@') + 1);
    }
    return parts.group(1) + server + QUERY.matcher(rest).replaceFirst("?...");
  }

  /** Returns whether what follows the last colon, if there is one, can be a port. */
  private static boolean hasPort(String server) {
    String last = server.substring(server.lastIndexOf(':') + 1);
    return server.indexOf(':') < 0 || server.endsWith("]") || last.matches("[0-9]*");
  }
}
