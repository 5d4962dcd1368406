package org.hyperslab.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.store.ByteStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests when and how often requests are repeated, on a clock that nobody waits for. */
final class BusyServerTest {

  private static final byte[] CONTENT = new byte[1_000_000];

  private final FakeSurroundings surroundings = new FakeSurroundings();
  private RangeServer server;

  @BeforeEach
  void start() throws IOException {
    server = new RangeServer();
    server.content = CONTENT;
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private ByteStore open(Map<String, String> properties) {
    return HttpStores.open(server.uri("/file.h5").toString(), properties, surroundings);
  }

  private void refuse(int times, String answer) {
    server.refusals.addAll(Collections.nCopies(times, answer));
  }

  @Test
  void waitsLongerAfterEachAttempt() {
    refuse(4, "503 Busy");
    open(Map.of()).close();
    assertThat(surroundings.pauses).containsExactly(150L, 300L, 600L, 1200L);
    assertThat(server.requests).hasValue(5);
    assertThat(Patience.pauseMillis(1, 0)).isEqualTo(100);
    assertThat(Patience.pauseMillis(1, 1)).isEqualTo(200);
    assertThat(Patience.pauseMillis(1000, 1)).isEqualTo(20_000);
  }

  @Test
  void givesUpAfterTheAttemptsThatAreSet() {
    for (int attempts : new int[] {1, 2, 7}) {
      server.requests.set(0);
      refuse(attempts, "429 Too Many Requests");
      assertThatThrownBy(() -> open(Map.of("remote.attempts", Integer.toString(attempts))))
          .isInstanceOf(StorageException.class)
          .hasMessageContaining("HTTP status 429 to " + attempts + " request")
          .hasMessageContaining("try again later");
      assertThat(server.requests).hasValue(attempts);
    }
    for (String wrong : new String[] {"0", "-1", "1001", "many", ""}) {
      assertThatThrownBy(() -> open(Map.of("remote.attempts", wrong)))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("remote.attempts");
    }
  }

  @Test
  void comesBackWhenTheServerSays() {
    String date =
        DateTimeFormatter.RFC_1123_DATE_TIME.format(
            FakeSurroundings.START.plusSeconds(50).atOffset(ZoneOffset.UTC));
    refuse(1, "503 Busy\r\nRetry-After: 30");
    refuse(1, "429 Too Many Requests\r\nRetry-After: " + date);
    refuse(1, "503 Busy\r\nRetry-After: Sun, 06 Nov 1994 08:49:37 GMT");
    refuse(1, "503 Busy\r\nRetry-After: soon");
    open(Map.of()).close();
    // The date is 50 s after the start, of which 30.15 s have passed.
    assertThat(surroundings.pauses).containsExactly(30_150L, 19_850L + 300, 600L, 1200L);
  }

  @Test
  void doesNotWaitLongerThanTheWholeTimeThatIsSet() {
    refuse(1, "503 Busy\r\nRetry-After: 3600");
    assertThatThrownBy(() -> open(Map.of()))
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("the server asks to wait for 3600 s")
        .hasMessageContaining("remote.totalMillis");
    assertThat(surroundings.pauses).isEmpty();
    refuse(1000, "503 Busy");
    assertThatThrownBy(
            () -> open(Map.of("remote.attempts", "1000", "remote.totalMillis", "100000")))
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("remote.totalMillis is over");
    long waited = surroundings.pauses.stream().mapToLong(Long::longValue).sum();
    assertThat(Duration.ofMillis(waited))
        .isBetween(Duration.ofSeconds(80), Duration.ofSeconds(100));
  }

  @Test
  void repeatsWhatMaySucceedLaterOnly() {
    for (int status : List.of(408, 425, 429, 500, 502, 503, 504)) {
      server.requests.set(0);
      refuse(1, status + " Later");
      open(Map.of()).close();
      assertThat(server.requests).as("%d", status).hasValue(2);
    }
    for (int status : List.of(400, 401, 403, 405, 418, 501, 505)) {
      server.requests.set(0);
      refuse(1, status + " Never");
      assertThatThrownBy(() -> open(Map.of()))
          .as("%d", status)
          .isInstanceOf(StorageException.class)
          .hasMessageContaining("HTTP status " + status);
      assertThat(server.requests).as("%d", status).hasValue(1);
    }
  }

  @Test
  void repeatsRequestsWhoseConnectionBreaks() {
    try (ByteStore store = open(Map.of())) {
      server.requests.set(0);
      server.lie =
          (out, first, last) -> {
            if (server.requests.get() >= 3) {
              server.lie = null;
            }
            String head =
                "HTTP/1.1 206 Part\r\nContent-Range: bytes %d-%d/1000000\r\nETag: \"1\"\r\n"
                    .formatted(first, last);
            out.write(
                (head + "Content-Length: 65536\r\n\r\n12345").getBytes(StandardCharsets.US_ASCII));
            out.flush();
            throw new EOFException("cut off");
          };
      byte[] read = new byte[10];
      store.read(500_000, MemorySegment.ofArray(read));
      assertThat(surroundings.pauses).hasSize(3);
    }
  }

  /** A body whose bytes arrive one at a time never lets the server be silent for long. */
  @Test
  void aBodyThatDripsEndsAfterTheTimeOfARequest() {
    server.lie =
        (out, first, last) -> {
          String head = "HTTP/1.1 206 Part\r\nContent-Range: bytes %d-%d/1000000\r\n\r\n";
          out.write(head.formatted(first, last).getBytes(StandardCharsets.US_ASCII));
          while (true) { // until the client closes the connection
            out.flush();
            Thread.onSpinWait();
            if (System.nanoTime() % 4096 == 0) {
              out.write(0);
            }
          }
        };
    assertThatThrownBy(() -> open(Map.of("remote.requestMillis", "100", "remote.attempts", "2")))
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("no whole answer in 100 ms, only ")
        .hasMessageContaining("remote.requestMillis");
    assertThat(server.requests).hasValue(2);
    assertThatThrownBy(() -> open(Map.of("remote.totalMillis", "50")))
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("remote.totalMillis");
  }
}
