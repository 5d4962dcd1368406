package org.hyperslab.web.request;

import com.google.common.net.MediaType;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

/**
 * Decides which requests are answered:
 *
 * <ul>
 *   <li>The Host header names this server, so that a page of another host name that resolves to
 *       this address is refused.
 *   <li>The request does not come from another origin, according to the browser's headers Origin
 *       and Sec-Fetch-Site.
 *   <li>The client has the cookie issued for the link's token or, with a lasting token, presents
 *       the token as {@code Authorization: Bearer}. With a lasting token, a request without that
 *       header is informed by status 401.
 * </ul>
 *
 * <p>Thread rule: any thread.
 */
public final class RequestGuard {

  private static final int TOKEN_BYTES = 24;
  private static final String BEARER = "Bearer ";
  private static final WebReply WRONG_TOKEN =
      WebReply.text(
          403,
          WebReply.TEXT,
          "This link is not valid, or has been opened before: it opens one browser only. Start the"
              + " command again for a new one.\n");

  private static final WebReply MISSING_TOKEN =
      ErrorReplies.reply(
              401, "token: actual=missing, expected=the header Authorization: Bearer TOKEN")
          .with("www-authenticate", "Bearer");

  private final Set<String> hosts;
  private final Set<String> origins = new HashSet<>();
  private final String cookieName;
  private final String session = randomToken();
  private final AtomicReference<String> link = new AtomicReference<>();
  private final Optional<String> lasting;
  private final boolean open;

  private RequestGuard(Set<String> hosts, int port, Optional<String> lasting, boolean open) {
    this.hosts =
        hosts.stream()
            .map(host -> host.toLowerCase(Locale.ROOT))
            .collect(Collectors.toUnmodifiableSet());
    this.hosts.forEach(host -> origins.add("http://" + host));
    this.cookieName = "hyperslab-" + port;
    this.lasting = lasting;
    this.open = open;
  }

  /**
   * {@return a guard that admits the first browser that opens the link with the token}
   *
   * @param hosts the values of the Host header that name the server
   * @param port the server's port, which distinguishes its cookie from those of other servers
   */
  public static RequestGuard ofLink(Set<String> hosts, int port) {
    RequestGuard guard = new RequestGuard(hosts, port, Optional.empty(), false);
    guard.link.set(randomToken());
    return guard;
  }

  /**
   * {@return a guard that admits clients that present a token; browsers use a link, which can be
   * opened again}
   *
   * @param hosts the values of the Host header that name the server
   * @param port the server's port
   * @param token the token
   */
  public static RequestGuard ofToken(Set<String> hosts, int port, String token) {
    return new RequestGuard(hosts, port, Optional.of(token), false);
  }

  /**
   * {@return a guard without a user: it admits every client that can reach the server, except pages
   * of other origins}
   *
   * @param hosts the values of the Host header that name the server
   * @param port the server's port
   */
  public static RequestGuard ofNobody(Set<String> hosts, int port) {
    return new RequestGuard(hosts, port, Optional.empty(), true);
  }

  /** {@return a new token: 192 random bits, as characters that a URL can hold} */
  public static String randomToken() {
    byte[] bytes = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /**
   * {@return the query of the link that admits a browser, such as "?token=..."; empty if no token
   * is needed}
   */
  public String linkQuery() {
    String token = lasting.orElseGet(link::get);
    return token == null ? "" : "?token=" + token;
  }

  /**
   * {@return the reply to a request that is refused or that opens the link; empty if the request is
   * admitted}
   *
   * @param request the request
   */
  public Optional<WebReply> check(WebRequest request) {
    if (request
        .header("host")
        .map(host -> host.toLowerCase(Locale.ROOT))
        .filter(hosts::contains)
        .isEmpty()) {
      return refused(421, "host: actual=another name, expected=the address of this server");
    }
    boolean opening = request.path().equals("/") && request.parameter("token").isPresent();
    if (isOfAnotherOrigin(request, opening)) {
      return refused(403, "origin: actual=another origin, expected=the page of this server");
    }
    if (open) {
      return Optional.empty();
    }
    if (opening) {
      return Optional.of(open(request));
    }
    if (isKnown(request)) {
      return Optional.empty();
    }
    return lasting.isPresent() && request.header("authorization").isEmpty()
        ? Optional.of(MISSING_TOKEN)
        : refused(403, "token: actual=missing or wrong, expected=the token of the link");
  }

  private boolean isOfAnotherOrigin(WebRequest request, boolean opening) {
    List<String> origin = request.headers().get("origin");
    if (!origins.containsAll(origin)) {
      return true;
    }
    // A link may be opened from anywhere, as a page of its own: its token proves who sent it.
    boolean navigation =
        opening && request.header("sec-fetch-mode").equals(Optional.of("navigate"));
    return !navigation
        && request
            .header("sec-fetch-site")
            .filter(site -> !site.equals("same-origin") && !site.equals("none"))
            .isPresent();
  }

  private WebReply open(WebRequest request) {
    String token = request.parameter("token").orElseThrow();
    String expected = lasting.orElseGet(link::get);
    if (expected == null || !same(expected, token)) {
      return WRONG_TOKEN;
    }
    if (lasting.isEmpty() && !link.compareAndSet(expected, null)) {
      return WRONG_TOKEN;
    }
    // A page that forwards itself instead of a redirection: a browser sends a strict cookie then
    // too
    // if the link was in a page of another site.
    String page =
        "<!doctype html><link rel=\"icon\" href=\"data:,\"><title>Hyperslab</title><meta"
            + " http-equiv=\"refresh\" content=\"0;url=./"
            + others(request)
            + "\">\n";
    return WebReply.text(200, MediaType.HTML_UTF_8.toString(), page)
        .with("set-cookie", cookieName + "=" + session + "; Path=/; HttpOnly; SameSite=Strict");
  }

  /** Returns the query without the token; what is encoded for a URL means nothing in HTML. */
  private static String others(WebRequest request) {
    StringBuilder query = new StringBuilder();
    for (String name : List.of("file", "path")) {
      request
          .parameter(name)
          .ifPresent(value ->
              query
                  .append(query.isEmpty() ? "?" : "&amp;")
                  .append(name)
                  .append('=')
                  .append(URLEncoder.encode(value, StandardCharsets.UTF_8)));
    }
    return query.toString();
  }

  private boolean isKnown(WebRequest request) {
    if (lasting.isPresent()
        && request
            .header("authorization")
            .filter(given -> given.regionMatches(true, 0, BEARER, 0, BEARER.length()))
            .filter(given -> same(lasting.get(), given.substring(BEARER.length()).strip()))
            .isPresent()) {
      return true;
    }
    for (String line : request.headers().get("cookie")) {
      for (String pair : line.split(";", -1)) {
        if (same(cookieName + "=" + session, pair.strip())) {
          return true;
        }
      }
    }
    return false;
  }

  /** Compares in a time that does not depend on the position of the first difference. */
  private static boolean same(String expected, String given) {
    return MessageDigest.isEqual(
        expected.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
  }

  private static Optional<WebReply> refused(int status, String message) {
    return Optional.of(ErrorReplies.reply(status, message));
  }
}
