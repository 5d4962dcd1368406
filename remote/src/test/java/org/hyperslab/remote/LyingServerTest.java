package org.hyperslab.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.store.ByteStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests web servers whose answers are not the bytes that they were asked for. */
final class LyingServerTest {

  private static final int TOTAL = 1_000_000;

  private final byte[] content = new byte[TOTAL];
  private RangeServer server;

  @BeforeEach
  void start() throws IOException {
    new Random(1).nextBytes(content);
    server = new RangeServer();
    server.content = content;
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private ByteStore open(Map<String, String> properties) {
    return HttpStores.open(server.uri("/file.h5").toString(), properties, new FakeSurroundings());
  }

  private static byte[] read(ByteStore store, long offset) {
    byte[] bytes = new byte[10];
    store.read(offset, MemorySegment.ofArray(bytes));
    return bytes;
  }

  private static String part(int first, int last, long total, String more) {
    return "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes %d-%d/%d\r\nETag: \"1\"\r\n%s\r\n"
        .formatted(first, last, total, more);
  }

  private static String length(int bytes) {
    return "Content-Length: " + bytes + "\r\n";
  }

  private static void send(OutputStream out, String head, int bytes) throws IOException {
    out.write(head.getBytes(StandardCharsets.ISO_8859_1));
    out.write(new byte[bytes]);
    out.flush();
  }

  private static RangeServer.Lie redirection(String target) {
    String head = "HTTP/1.1 302 Found\r\nLocation: " + target + "\r\n" + length(0) + "\r\n";
    return (out, a, b) -> send(out, head, 0);
  }

  private static Map<String, RangeServer.Lie> lies() {
    Map<String, RangeServer.Lie> lies = new LinkedHashMap<>();
    lies.put(
        "another first byte",
        (out, a, b) -> send(out, part(a + 1, b + 1, TOTAL, length(b - a + 1)), b - a + 1));
    lies.put(
        "another last byte", (out, a, b) -> send(out, part(a, b - 1, TOTAL, length(b - a)), b - a));
    lies.put(
        "a file that ends before",
        (out, a, b) -> send(out, part(a, b, a, length(b - a + 1)), b - a + 1));
    lies.put(
        "another length of the file",
        (out, a, b) -> send(out, part(a, b, TOTAL + 1L, length(b - a + 1)), b - a + 1));
    lies.put(
        "no range",
        (out, a, b) -> send(out, "HTTP/1.1 206 OK\r\n" + length(b - a + 1) + "\r\n", b - a + 1));
    String overflow = "HTTP/1.1 206 OK\r\nContent-Range: bytes 0-99999999999999999999/9\r\n";
    lies.put(
        "numbers of too many digits", (out, a, b) -> send(out, overflow + length(5) + "\r\n", 5));
    lies.put("a short body", (out, a, b) -> send(out, part(a, b, TOTAL, length(7)), 7));
    lies.put(
        "a long body", (out, a, b) -> send(out, part(a, b, TOTAL, length(b - a + 2)), b - a + 2));
    lies.put("a body that is cut off", LyingServerTest::cutOff);
    lies.put("a body without end", LyingServerTest::endless);
    lies.put("a redirection to itself", redirection("/file.h5"));
    lies.put("a redirection to a local file", redirection("file:///etc/hosts"));
    lies.put("no protocol", (out, a, b) -> send(out, "HELLO\r\n\r\n", 0));
    return lies;
  }

  private static void cutOff(OutputStream out, int first, int last) throws IOException {
    send(out, part(first, last, TOTAL, length(last - first + 1)), 5);
    throw new EOFException("cut off");
  }

  private static void endless(OutputStream out, int first, int last) throws IOException {
    send(out, part(first, last, TOTAL, ""), 0);
    while (true) { // until the client closes the connection
      out.write(new byte[1 << 16]);
    }
  }

  @Test
  void refusesAnswersThatAreNotTheBytesAskedFor() {
    lies()
        .forEach((name, lie) -> {
          server.lie = null;
          try (ByteStore store = open(Map.of())) {
            server.lie = lie;
            assertThatThrownBy(() -> read(store, 500_000))
                .as(name)
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("/file.h5");
            server.lie = null;
            assertThat(read(store, 500_000))
                .as(name)
                .isEqualTo(Arrays.copyOfRange(content, 500_000, 500_010));
          }
        });
  }

  @Test
  void doesNotWaitForServersThatSendNothing() {
    Map<String, RangeServer.Lie> silences =
        Map.of(
            "no answer",
            (out, a, b) -> {},
            "no body",
            (out, a, b) -> send(out, part(a, b, TOTAL, length(b - a + 1)), 0),
            "part of a body",
            (out, a, b) -> send(out, part(a, b, TOTAL, length(b - a + 1)), 10));
    silences.forEach((name, silence) -> {
      server.lie = silence;
      assertThatThrownBy(() -> open(Map.of("remote.idleMillis", "20")))
          .as(name)
          .isInstanceOf(StorageException.class)
          .hasMessageContaining("sent nothing for 20 ms");
    });
    assertThatThrownBy(() -> open(Map.of("remote.idleMillis", "never")))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("remote.idleMillis");
  }
}
