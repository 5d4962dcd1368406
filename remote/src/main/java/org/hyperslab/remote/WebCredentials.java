package org.hyperslab.remote;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.hyperslab.error.InvalidUseException;

/**
 * Adds the headers by which a web server knows a user. They are a name and password (RFC 7617), a
 * bearer token (RFC 6750), or the user's own; if none is given, the login in the file {@code
 * .netrc}. They are sent to one server only. Its text form does not contain them.
 *
 * <p>Thread rule: immutable.
 */
final class WebCredentials implements RequestSigner {

  static final String USER = "http.user";
  static final String PASSWORD = "http.password";
  static final String BEARER = "http.bearer";
  static final String HEADERS = "http.headers";

  /** Whether the file {@code .netrc} is used; it is unless this is {@code false}. */
  static final String NETRC = "http.netrc";

  private static final String AUTHORIZATION = "Authorization";
  private static final Pattern LINE = Pattern.compile("([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*)");
  private static final Pattern VISIBLE = Pattern.compile("[\\x20-\\x7E\\x80-\\xFF\t]*");

  /** Headers that the client sets, or that would change what is read. */
  private static final Set<String> RESERVED =
      Set.of(
          "accept-encoding",
          "connection",
          "content-length",
          "expect",
          "host",
          "if-match",
          "range",
          "transfer-encoding",
          "upgrade");

  private final URI server;
  private final Map<String, String> added;

  private WebCredentials(URI server, Map<String, String> added) {
    this.server = server;
    this.added = Map.copyOf(added);
  }

  /**
   * Returns the credentials for a resource: those in its name, or those of the properties.
   *
   * @throws InvalidUseException if they are malformed or contradict each other; the message has
   *     none of them
   */
  static RequestSigner of(WebAddress address, Map<String, String> properties) {
    Path home = Path.of(System.getProperty("user.home"));
    return of(address, properties, () -> NetrcFile.login(address.host(), System.getenv(), home));
  }

  /**
   * Returns the credentials for a resource: those in its name, those of the properties, or those
   * that the user has for its server.
   *
   * @param netrc finds the latter
   */
  static RequestSigner of(
      WebAddress address,
      Map<String, String> properties,
      Supplier<Optional<NetrcFile.Login>> netrc) {
    Map<String, String> added = own(properties.getOrDefault(HEADERS, ""));
    login(address, properties)
        .ifPresent(value -> {
          if (added.put(AUTHORIZATION, value) != null) {
            throw new InvalidUseException(
                HEADERS + ": actual=Authorization beside a user or token, expected=one of them");
          }
        });
    if (!added.containsKey(AUTHORIZATION) && !"false".equals(properties.get(NETRC))) {
      netrc
          .get()
          .ifPresent(
              found -> added.put(AUTHORIZATION, basic(found.user() + ":" + found.password())));
    }
    return added.isEmpty() ? NONE : new WebCredentials(address.uri(), added);
  }

  private static Optional<String> login(WebAddress address, Map<String, String> properties) {
    String user = properties.get(USER);
    String password = properties.get(PASSWORD);
    if (address.user().isPresent()) {
      String[] parts = address.user().get().split(":", 2);
      user = decoded(parts[0]);
      password = parts.length > 1 ? decoded(parts[1]) : password;
    }
    String token = properties.get(BEARER);
    if (token != null && user != null) {
      throw new InvalidUseException(BEARER + ": actual=a token and a user, expected=one of them");
    }
    if (token != null) {
      return Optional.of("Bearer " + visible(BEARER, token.strip()));
    }
    if (user == null) {
      return Optional.empty();
    }
    if (user.indexOf(':') >= 0) {
      throw new InvalidUseException(USER + ": actual=a name with a colon, expected=none");
    }
    return Optional.of(basic(user + ":" + (password == null ? "" : password)));
  }

  private static String basic(String pair) {
    return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  private static Map<String, String> own(String text) {
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      if (line.isBlank()) {
        continue;
      }
      var parts = LINE.matcher(line.strip());
      if (!parts.matches()) {
        throw new InvalidUseException(
            HEADERS + ": actual=something else in line " + number + ", expected=NAME: VALUE");
      }
      String name = parts.group(1);
      if (RESERVED.contains(name.toLowerCase(Locale.ROOT))) {
        throw new InvalidUseException(
            HEADERS + ": actual=" + name + ", expected=a header that requests do not set");
      }
      headers.put(name, visible(HEADERS, parts.group(2)));
    }
    return headers;
  }

  private static String visible(String property, String value) {
    if (!VISIBLE.matcher(value).matches()) {
      throw new InvalidUseException(
          property + ": actual=characters that headers cannot have, expected=text in one line");
    }
    return value;
  }

  @Override
  public Map<String, String> signed(
      String method, URI uri, Map<String, String> headers, String contentHash) {
    if (!WebAddress.keepsCredentials(server, uri)) {
      return headers;
    }
    Map<String, String> all = new HashMap<>(headers);
    all.putAll(added);
    return all;
  }

  @Override
  public String toString() {
    return "WebCredentials[" + WebAddress.withoutUser(server).getHost() + "]";
  }
}
