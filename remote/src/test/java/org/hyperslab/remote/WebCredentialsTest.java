package org.hyperslab.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.RemoteStores;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that credentials reach the server that they are for, and nobody else. */
final class WebCredentialsTest {

  private static final String SECRET = "s3cr3t";

  private RangeServer server;
  private RangeServer other;

  @BeforeEach
  void start() throws IOException {
    server = new RangeServer();
    other = new RangeServer();
    server.content = new byte[1000];
    other.content = new byte[1000];
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
    other.close();
  }

  private ByteStore open(String user, Map<String, String> properties) {
    String name = server.uri("/file.h5").toString().replace("://", "://" + user);
    return HttpStores.open(name, properties, new FakeSurroundings());
  }

  private static String basic(String pair) {
    byte[] bytes = pair.getBytes(StandardCharsets.UTF_8);
    return "authorization: basic " + Base64.getEncoder().encodeToString(bytes);
  }

  private void sends(String user, Map<String, String> properties, String header) {
    server.received.clear();
    try (ByteStore store = open(user, properties)) {
      assertThat(server.received.remove()).containsIgnoringCase(header);
      assertThat(store.name() + store).doesNotContain(SECRET, "joe");
    }
  }

  @Test
  void loginsOfNetrcAreUsedWhereNoneIsGiven(@TempDir Path home) throws IOException {
    Files.writeString(
        home.resolve(".netrc"),
        """
        # machine commented.org login no password no
        machine a.org login joe
          password s3cr3t
        macdef init
          machine b.org login no password no

        machine B.org account x password p@:b login "ann"
        machine a.org login second password no
        default login anonymous password me@x
        """);
    assertThat(login("a.org", home)).isEqualTo("joe:s3cr3t");
    assertThat(login("b.org", home)).isEqualTo("\"ann\":p@:b");
    assertThat(login("c.org", home)).isEqualTo("anonymous:me@x");
    assertThat(NetrcFile.login("a.org", Map.of("NETRC", home + "/none"), home)).isEmpty();
    assertThat(NetrcFile.login("a.org", Map.of(), home)).get().asString().doesNotContain(SECRET);

    WebAddress address = WebAddress.parse("https://a.org/x.h5");
    String basic = header(address, Map.of(), home);
    assertThat(basic).isEqualTo(basic("joe:s3cr3t").substring("authorization: ".length()));
    assertThat(header(address, Map.of("http.bearer", "t"), home)).isEqualTo("bearer t");
    assertThat(header(WebAddress.parse("https://u@a.org/x.h5"), Map.of(), home))
        .isEqualTo(basic("u:").substring("authorization: ".length()));
    assertThat(header(address, Map.of("http.netrc", "false"), home)).isEqualTo("none");
  }

  private static String login(String host, Path home) {
    return NetrcFile.login(host, Map.of(), home).map(l -> l.user() + ":" + l.password()).orElse("");
  }

  /** Returns the header with a scheme in lower case that a request to an address has. */
  private static String header(WebAddress address, Map<String, String> properties, Path home) {
    String sent =
        WebCredentials.of(
                address, properties, () -> NetrcFile.login(address.host(), Map.of(), home))
            .signed("GET", address.uri(), Map.of(), "")
            .getOrDefault("Authorization", "none");
    int end = Math.max(0, sent.indexOf(' '));
    return sent.substring(0, end).toLowerCase(Locale.ROOT) + sent.substring(end);
  }

  @Test
  void sendsAUserAndPassword() {
    sends("joe:s3cr3t@", Map.of(), basic("joe:s3cr3t"));
    sends("joe:p%40s%2Fs%3As3cr3t+@", Map.of(), basic("joe:p@s/s:s3cr3t+"));
    sends("joe@", Map.of(), basic("joe:"));
    sends("joe@", Map.of("http.password", SECRET), basic("joe:s3cr3t"));
    sends("", Map.of("http.user", "joé", "http.password", SECRET), basic("joé:s3cr3t"));
  }

  @Test
  void sendsATokenAndOwnHeaders() {
    sends("", Map.of("http.bearer", SECRET), "authorization: bearer s3cr3t");
    sends("", Map.of("http.headers", "X-Key: s3cr3t\nX-More:1"), "x-key: s3cr3t");
    sends("joe:a@", Map.of("http.headers", "X-Key: s3cr3t"), basic("joe:a"));
  }

  @Test
  void refusesWhatIsMalformedWithoutShowingIt() {
    Map<String, Map<String, String>> wrong = new LinkedHashMap<>();
    wrong.put("joe:s3cr3t@", Map.of("http.bearer", SECRET));
    wrong.put("joe:s3/cr3ts3cr3t@", Map.of());
    wrong.put("joe:s3cr3t s3cr3t@", Map.of());
    wrong.put("joe:s3cr3t@s3cr3t@", Map.of());
    wrong.put("joe:%zzs3cr3t@", Map.of());
    wrong.put("a%3As3cr3t@", Map.of());
    for (String headers :
        new String[] {
          "s3cr3t",
          "Range: s3cr3t",
          "Host: s3cr3t",
          "a b: s3cr3t",
          "X: s3cr3t\u0001",
          ": s3cr3t",
          "Authorization: s3cr3t"
        }) {
      String user = headers.startsWith("Auth") ? "joe:s3cr3t@" : "";
      assertRefused(user, Map.of("http.headers", headers));
    }
    wrong.forEach(this::assertRefused);
    assertRefused("", Map.of("http.bearer", SECRET + "\nX: y"));
    assertThat(server.requests).hasValue(0);
  }

  private void assertRefused(String user, Map<String, String> properties) {
    assertThatThrownBy(() -> open(user, properties))
        .as(user + properties)
        .isInstanceOf(InvalidUseException.class)
        .satisfies(failure -> {
          for (Throwable each = failure; each != null; each = each.getCause()) {
            assertThat(each.toString()).doesNotContain(SECRET);
          }
        });
  }

  @Test
  void errorsDoNotShowThem() {
    server.lie =
        (out, first, last) ->
            out.write(
                "HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    assertThatThrownBy(() -> open("joe:s3cr3t@", Map.of()))
        .hasMessageContaining("the credentials may not read this")
        .hasMessageContaining("/file.h5")
        .message()
        .doesNotContain(SECRET, "joe");
  }

  /** The names of the header lines by which the other server could learn a secret. */
  @Test
  void redirectionsToOtherServersGetNone() {
    Map<String, String> properties = Map.of("http.headers", "Cookie: s3cr3t\nX-Key: s3cr3t");
    for (String target :
        new String[] {
          other.uri("/file.h5").toString(),
          other.uri("/file.h5").toString().replace("://", "://joe:s3cr3t@"),
          other.uri("/file.h5").toString().replace("http:", ""),
        }) {
      for (int status : new int[] {301, 302, 303, 307, 308}) {
        server.refusals.add(status + " Moved\r\nLocation: " + target);
        open("joe:s3cr3t@", properties).close();
      }
    }
    assertThat(other.requests).hasValue(15);
    assertThat(String.join("\n", other.received))
        .doesNotContainIgnoringCase("authorization", "cookie", "x-key", SECRET);
    assertThat(String.join("\n", server.received)).containsIgnoringCase("x-key: s3cr3t");
  }

  @Test
  void aRedirectionBackFromAnotherServerGetsNone() {
    server.refusals.add("302 Moved\r\nLocation: " + other.uri("/file.h5"));
    other.refusals.add("302 Moved\r\nLocation: " + server.uri("/file.h5?again"));
    server.content = new byte[10];
    assertThatThrownBy(() -> open("joe:s3cr3t@", Map.of())).hasMessageContaining("not found");
    assertThat(server.received)
        .hasSize(2)
        .last()
        .asString()
        .doesNotContainIgnoringCase("authorization");
  }

  @Test
  void redirectionsWithinTheServerKeepThem() {
    server.refusals.add("302 Moved\r\nLocation: /file.h5");
    open("joe:s3cr3t@", Map.of()).close();
    assertThat(server.received)
        .hasSize(2)
        .allSatisfy(request -> assertThat(request).containsIgnoringCase(basic("joe:s3cr3t")));
  }

  @Test
  void signedAddressesAreSentAsTheyAreAndToldFromPrivateOnes() {
    String query = "?X-Amz-Credential=AK%2F1&X-Amz-Signature=a%2Bb+c";
    String name = server.uri("/file.h5").toString() + query;
    HttpStores.open(name, Map.of(), new FakeSurroundings()).close();
    assertThat(server.received.remove()).startsWith("GET /file.h5" + query + " ");
    server.refusals.add("403 No");
    assertThatThrownBy(() -> HttpStores.open(name, Map.of(), new FakeSurroundings()))
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("the signature in the address is wrong or has expired")
        .message()
        .doesNotContain("a%2Bb", "AK");
  }

  @Test
  void endlessRedirectionsEnd() {
    server.lie =
        (out, first, last) ->
            out.write(
                "HTTP/1.1 302 Moved\r\nLocation: /file.h5\r\nContent-Length: 0\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII));
    assertThatThrownBy(() -> open("", Map.of()))
        .hasMessageContaining("redirections: actual=more than 10")
        .message()
        .doesNotContain("try again");
    assertThat(server.requests).hasValue(11);
  }

  @Test
  void namesAreShownWithoutSecrets() {
    Map<String, String> shown = new LinkedHashMap<>();
    shown.put("/data/a@b.h5", "/data/a@b.h5");
    shown.put("s3://bucket/a@b?c", "s3://bucket/a@b?c");
    shown.put("https://joe:pw@host/a.h5", "https://host/a.h5");
    shown.put("HTTPS://joe:p@w@host/a.h5", "HTTPS://host/a.h5");
    shown.put("https://host:81/a@b.h5", "https://host:81/a@b.h5");
    shown.put("https://[::1]:81/a@b.h5", "https://[::1]:81/a@b.h5");
    shown.put("https://[::1]/a@b.h5", "https://[::1]/a@b.h5");
    shown.put("https://joe:p/w@host/a.h5", "https://host/a.h5");
    shown.put("https://host/a.h5?X-Amz-Signature=1#2", "https://host/a.h5?...");
    shown.forEach((name, text) -> assertThat(RemoteStores.shown(name)).isEqualTo(text));
  }
}
