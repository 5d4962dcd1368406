package org.hyperslab.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.store.ByteStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that bytes of a file and of another that replaced it are not mixed, with everything that a
 * server may say of a file's version, or not say.
 */
final class ReplacedFileTest {

  private static final int TOTAL = 4_000_000;
  private static final String DATE = "Date: Sun, 29 Nov 2026 12:00:00 GMT\r\n";
  private static final String LONG_AGO = "Last-Modified: Sun, 29 Nov 2026 10:00:00 GMT\r\n" + DATE;
  private static final String JUST_NOW = "Last-Modified: Sun, 29 Nov 2026 11:59:59 GMT\r\n" + DATE;
  private static final String LATER = "Last-Modified: Sun, 29 Nov 2026 11:59:50 GMT\r\n" + DATE;

  private final FakeSurroundings surroundings = new FakeSurroundings();
  private final byte[] old = new byte[TOTAL];
  private RangeServer server;

  @BeforeEach
  void start() throws IOException {
    new Random(1).nextBytes(old);
    server = new RangeServer();
    server.content = old;
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private ByteStore open() {
    return HttpStores.open(server.uri("/file.h5").toString(), Map.of(), surroundings);
  }

  private static byte[] read(ByteStore store, int offset, int length) {
    byte[] bytes = new byte[length];
    store.read(offset, MemorySegment.ofArray(bytes));
    return bytes;
  }

  private void versions(String tag, String more) {
    server.version = tag;
    server.more = more;
  }

  /** Returns a file of the same length that differs from an offset on. */
  private byte[] differingFrom(int offset) {
    byte[] other = old.clone();
    byte[] end = new byte[TOTAL - offset];
    new Random(2).nextBytes(end);
    System.arraycopy(end, 0, other, offset, end.length);
    return other;
  }

  /** What the server says before and after the replacement. */
  private static Map<String, String[][]> servers() {
    Map<String, String[][]> all = new LinkedHashMap<>();
    all.put("tags", new String[][] {{"\"1\"", ""}, {"\"2\"", ""}});
    all.put("tags that end", new String[][] {{"\"1\"", ""}, {null, ""}});
    all.put("weak tags", new String[][] {{"W/\"1\"", ""}, {"W/\"2\"", ""}});
    all.put("one weak tag", new String[][] {{"W/\"1\"", ""}, {"W/\"1\"", ""}});
    all.put("dates", new String[][] {{null, LONG_AGO}, {null, LATER}});
    all.put("one new date", new String[][] {{null, JUST_NOW}, {null, JUST_NOW}});
    all.put("dates that end", new String[][] {{null, LONG_AGO}, {null, ""}});
    all.put("nothing", new String[][] {{null, ""}, {null, ""}});
    return all;
  }

  @Test
  void aReplacementBetweenTwoReadsIsAnErrorWhateverTheServerSays() {
    servers()
        .forEach((name, says) -> {
          for (int from : new int[] {0, 1_500_000}) {
            server.content = old;
            versions(says[0][0], says[0][1]);
            try (ByteStore store = open()) {
              // The second kind of file has the same structure, as its beginning shows.
              assertThat(read(store, 2_000_000, 100))
                  .isEqualTo(Arrays.copyOfRange(old, 2_000_000, 2_000_100));
              server.content = differingFrom(from);
              versions(says[1][0], says[1][1]);
              assertRefused(name, store, from);
            }
          }
        });
  }

  /** Some samples are compared by turns, so a read or a few may pass before one differs. */
  private void assertRefused(String name, ByteStore store, int from) {
    boolean named = server.version != null && !server.version.startsWith("W/");
    int most = from == 0 || named ? 1 : 8;
    StorageException refused = null;
    for (int i = 1; refused == null && i <= most; i++) {
      try {
        read(store, 2_000_000 + i * 200_000, 100);
      } catch (StorageException failure) {
        refused = failure;
      }
    }
    assertThat(refused).as(name + " from " + from).hasMessageContaining("has changed");
  }

  @Test
  void aReplacementIsFoundByEveryWayOfReading() {
    Map<String, Consumer<ByteStore>> reads = new LinkedHashMap<>();
    reads.put("a page", store -> read(store, 3_000_000, 10));
    reads.put("pages", store -> read(store, 2_500_000, 1_000_000));
    reads.put(
        "announced ranges",
        store -> store.prefetch(new long[] {1_000_000, 3_000_000}, new long[] {10, 10}));
    reads.put(
        "one announced range", store -> store.prefetch(new long[] {3_000_000}, new long[] {9}));
    versions(null, "");
    reads.forEach((name, reading) -> {
      server.content = old;
      try (ByteStore store = open()) {
        server.content = differingFrom(0);
        assertThatThrownBy(() -> reading.accept(store)).as(name).hasMessageContaining("changed");
        server.content = old;
        // What was fetched in the meantime may be of either file.
        assertThatThrownBy(() -> read(store, 0, 10)).as(name).hasMessageContaining("changed");
      }
    });
  }

  @Test
  void aFileThatStaysIsReadWhateverTheServerSays() {
    servers()
        .forEach((name, says) -> {
          versions(says[0][0], says[0][1]);
          try (ByteStore store = open()) {
            store.prefetch(new long[] {1_000_000, 3_000_000}, new long[] {10, 10});
            for (int i = 0; i < 40; i++) {
              int offset = 97_001 * i;
              assertThat(read(store, offset, 100))
                  .as(name)
                  .isEqualTo(Arrays.copyOfRange(old, offset, offset + 100));
            }
          }
        });
  }

  @Test
  void anotherLengthIsAlwaysAnError() {
    servers()
        .forEach((name, says) -> {
          server.content = old;
          versions(says[0][0], says[0][1]);
          try (ByteStore store = open()) {
            server.content = Arrays.copyOf(old, TOTAL + 1);
            assertThatThrownBy(() -> read(store, 3_000_000, 10))
                .as(name)
                .hasMessageContaining("changed");
          }
        });
  }

  @Test
  void versionsThatAreCertainCostNoFurtherRequests() {
    for (String[] says : new String[][] {{"\"1\"", ""}, {null, LONG_AGO}, {"W/\"1\"", LONG_AGO}}) {
      versions(says[0], says[1]);
      server.requests.set(0);
      try (ByteStore store = open()) {
        read(store, 1_000_000, 10);
        read(store, 2_000_000, 10);
      }
      assertThat(server.requests).hasValue(3);
    }
    assertThat(surroundings.warnings).isEmpty();
  }

  @Test
  void warnsOnceIfTheServerSaysNothing() {
    versions(null, "");
    try (ByteStore store = open()) {
      read(store, 1_000_000, 10);
      read(store, 2_000_000, 10);
    }
    assertThat(surroundings.warnings)
        .singleElement()
        .asString()
        .contains("neither ETag nor Last-Modified", "not with certainty", "/file.h5");
  }
}
