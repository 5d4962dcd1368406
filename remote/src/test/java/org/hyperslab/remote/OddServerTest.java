package org.hyperslab.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.store.ByteStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests answers that are unusual but legal, and what is said of those that are of no use. */
final class OddServerTest {

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

  private ByteStore open() {
    return HttpStores.open(server.uri("/file.h5").toString(), Map.of(), new FakeSurroundings());
  }

  private void answers(String head) {
    server.lie =
        (out, first, last) -> {
          String text =
              head.replace("FIRST", Integer.toString(first))
                  .replace("LAST", Integer.toString(last))
                  .replace("COUNT", Integer.toString(last - first + 1));
          out.write(text.replace("\n", "\r\n").getBytes(StandardCharsets.ISO_8859_1));
          boolean isHead =
              server.received.stream().reduce((a, b) -> b).orElse("").startsWith("HEAD");
          if (isHead) {
            return;
          }
          if (text.contains("chunked")) {
            int half = (last - first + 1) / 2;
            chunk(out, first, half);
            chunk(out, first + half, last - first + 1 - half);
            out.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
          } else {
            out.write(content, first, last - first + 1);
          }
          if (text.startsWith("HTTP/1.0")) {
            out.flush();
            out.close();
          }
        };
  }

  private void chunk(OutputStream out, int first, int count) throws IOException {
    out.write((Integer.toHexString(count) + "\r\n").getBytes(StandardCharsets.US_ASCII));
    out.write(content, first, count);
    out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
  }

  private static Map<String, String> legal() {
    Map<String, String> legal = new LinkedHashMap<>();
    legal.put(
        "in chunks",
        "HTTP/1.1 206 Part\nContent-Range: bytes FIRST-LAST/1000000\nETag: \"1\"\n"
            + "Transfer-Encoding: chunked\n\n");
    legal.put(
        "of HTTP/1.0, which closes the connection",
        "HTTP/1.0 206 Part\nContent-Range: bytes FIRST-LAST/1000000\nETag: \"1\"\n\n");
    legal.put(
        "of unknown length, which HEAD tells",
        "HTTP/1.1 206 Part\nContent-Range: bytes FIRST-LAST/*\nETag: \"1\"\n"
            + "Content-Length: COUNT\n\n");
    legal.put(
        "with a coding that is none",
        "HTTP/1.1 206 Part\nContent-Range: bytes FIRST-LAST/1000000\nETag: \"1\"\n"
            + "Content-Encoding: identity\nContent-Length: COUNT\n\n");
    legal.put(
        "with a range unit in capitals",
        "HTTP/1.1 206 Part\nContent-Range: Bytes FIRST-LAST/1000000\nETag: \"1\"\n"
            + "Content-Length: COUNT\n\n");
    return legal;
  }

  @Test
  void readsAnswersThatAreUnusualButLegal() {
    legal()
        .forEach((name, head) -> {
          answers(head);
          RangeServer.Lie truth = server.lie;
          server.lie =
              (out, first, last) -> {
                String request = server.received.stream().reduce((a, b) -> b).orElseThrow();
                if (request.startsWith("HEAD")) {
                  out.write(
                      "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\nETag: \"1\"\r\n\r\n"
                          .getBytes(StandardCharsets.US_ASCII));
                } else {
                  truth.answer(out, first, last);
                }
              };
          try (ByteStore store = open()) {
            byte[] read = new byte[100];
            store.read(700_000, MemorySegment.ofArray(read));
            assertThat(store.size()).as(name).isEqualTo(TOTAL);
            assertThat(read).as(name).isEqualTo(Arrays.copyOfRange(content, 700_000, 700_100));
          }
        });
  }

  @Test
  void asksForTheLastByteIfNothingElseTellsTheLength() {
    server.lie =
        (out, first, last) -> {
          String request = server.received.stream().reduce((a, b) -> b).orElseThrow();
          String head =
              request.startsWith("HEAD")
                  ? "HTTP/1.1 405 No\r\nContent-Length: 0\r\n\r\n"
                  : request.contains("bytes=-1")
                      ? "HTTP/1.1 206 Part\r\nContent-Range: bytes 999999-999999/*\r\n"
                          + "Content-Length: 1\r\n\r\nx"
                      : "HTTP/1.1 206 Part\r\nContent-Range: bytes "
                          + first
                          + "-"
                          + last
                          + "/*\r\n"
                          + "Content-Length: "
                          + (last - first + 1)
                          + "\r\n\r\n";
          out.write(head.getBytes(StandardCharsets.US_ASCII));
          if (!head.contains("405") && !head.endsWith("x")) {
            out.write(content, first, last - first + 1);
          }
        };
    try (ByteStore store = open()) {
      assertThat(store.size()).isEqualTo(TOTAL);
    }
  }

  @Test
  void saysWhatIsWrongWithAnswersThatAreOfNoUse() {
    Map<String, String> useless = new LinkedHashMap<>();
    useless.put(
        "HTTP/1.1 200 OK\nContent-Encoding: gzip\nContent-Length: COUNT\n\n", "compressed (gzip)");
    useless.put("HTTP/1.1 200 OK\nContent-Length: COUNT\n\n", "does not serve ranges");
    useless.put(
        "HTTP/1.1 206 Part\nContent-Range: bytes FIRST-LAST/1000000\nContent-Encoding: gzip\n"
            + "Content-Length: COUNT\n\n",
        "Content-Encoding: gzip) though none was asked for");
    useless.put(
        "HTTP/1.1 416 No\nContent-Range: bytes */1000000\nContent-Length: COUNT\n\n",
        "416 for the first bytes of a resource of 1000000 bytes");
    useless.put(
        "HTTP/1.1 416 No\nContent-Length: COUNT\n\n",
        "416 for the first bytes of a resource of unknown length");
    useless.put(
        "HTTP/1.1 401 Who\nWWW-Authenticate: Basic realm=x\nContent-Length: COUNT\n\n",
        "set http.user and http.password");
    useless.put("HTTP/1.1 403 No\nContent-Length: COUNT\n\n", "no credentials were given");
    useless.forEach((head, words) -> {
      answers(head);
      assertThatThrownBy(this::open)
          .as(head)
          .isInstanceOf(StorageException.class)
          .hasMessageContaining(words)
          .hasMessageContaining("/file.h5");
    });
  }

  @Test
  void asksForBytesWithoutACoding() {
    open().close();
    assertThat(server.received.remove()).containsIgnoringCase("accept-encoding: identity");
  }

  @Test
  void anEmptyFileIsEmpty() {
    server.content = new byte[0];
    try (ByteStore store = open()) {
      assertThat(store.size()).isZero();
    }
  }
}
