package org.hyperslab.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.TemporaryFolder;
import org.hyperslab.web.limit.MemoryShare;
import org.hyperslab.web.limit.MemoryShortage;
import org.hyperslab.web.limit.RequestBudget;
import org.hyperslab.web.options.WebOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that no request, and no client, keeps a server from answering others. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class RequestBudgetTest {

  private static final String TOKEN = "a-token-of-the-test";

  private TemporaryFolder folder;

  @BeforeEach
  void create() {
    folder = TemporaryFolder.create("budget");
  }

  @AfterEach
  void delete() {
    folder.close();
  }

  private static WebServer serve(Path path, WebOptions.Limits limits) {
    return WebServer.show(
        path,
        WebOptions.DEFAULT
            .withAccess(new WebOptions.Access.Token(Optional.of(TOKEN)))
            .withLimits(limits));
  }

  /** Writes datasets of 8 TiB of which nothing, or a little, is stored. */
  private Path unwritten() {
    Path path = folder.file("unwritten.h5");
    Oracle.h5py()
        .run(
            """
            import h5py, numpy as np, sys
            with h5py.File(sys.argv[1], 'w') as f:
                f.create_dataset('none', (1 << 43,), 'u1', chunks=(1 << 20,), fillvalue=3)
                d = f.create_dataset('some', (1 << 20, 1 << 20), 'f8', chunks=(256, 512), fillvalue=2.5)
                d[300:310, 1000:1100] = np.arange(1000.0).reshape(10, 100)
                d[-1, -1] = -7
                f.create_dataset('plain', (1 << 40,), 'i4')
                f.create_dataset('ones', (1 << 40,), 'i1', chunks=(1,))
                f['ones'][5] = 1
                f.create_dataset('square', (1 << 30, 1 << 30), 'u2', chunks=(1024, 1024))
            """,
            path.toString())
        .orFail();
    return path;
  }

  @Test
  void numbersOfBlocksThatWereNeverWrittenAreNotComputed() {
    try (WebServer server = serve(unwritten(), new WebOptions.Limits(1 << 20, 60));
        Client client = new Client(server, TOKEN)) {
      assertThat(reduced(client, "/none&selection=::1099511627776&reduce=mean"))
          .containsOnly(3)
          .hasSize(8);
      assertThat(reduced(client, "/none&selection=::1099511627776&reduce=mean&missing=3"))
          .containsOnly(Double.NaN)
          .hasSize(8);
      assertThat(reduced(client, "/plain&selection=::549755813888&reduce=max"))
          .containsExactly(0, 0);
      assertThat(reduced(client, "/some&selection=0:1048576:524288,0:1048576:524288&reduce=min"))
          .containsExactly(0, 2.5, 2.5, -7);
      assertThat(reduced(client, "/some&selection=0:1048576:524288,0:1048576:524288&reduce=max"))
          .containsExactly(999, 2.5, 2.5, 2.5);
      // The block of rows 300 to 309 has 1000 numbers, and as many fill values as it is longer.
      assertThat(reduced(client, "/some&selection=300:310:10,1000:2000:1000&reduce=mean"))
          .containsExactly((999 * 500.0 + 2.5 * 9000) / 10000);
      assertThat(reduced(client, "/some&selection=300:1048576:10,1000:1048576:524288&reduce=mean"))
          .startsWith((999 * 500.0 + 2.5 * (5242880 - 1000)) / 5242880, 2.5);
    }
  }

  private static double[] reduced(Client client, String query) {
    var reply = client.get("/data?file=unwritten.h5&format=bin&path=" + query);
    assertThat(reply.statusCode())
        .as(() -> query + ": " + new String(reply.body(), StandardCharsets.UTF_8))
        .isEqualTo(200);
    ByteBuffer bytes = ByteBuffer.wrap(reply.body()).order(ByteOrder.LITTLE_ENDIAN);
    double[] numbers = new double[reply.body().length / Double.BYTES];
    bytes.asDoubleBuffer().get(numbers);
    return numbers;
  }

  /** Writes a contiguous dataset of 1 TiB of zeros whose storage exists, which is read for long. */
  private Path endless() {
    Path path = folder.file("endless.h5");
    Oracle.h5py()
        .run(
            """
            import h5py, sys
            plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            plist.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
            plist.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
            with h5py.File(sys.argv[1], 'w') as f:
                space = h5py.h5s.create_simple((1 << 40,))
                h5py.h5d.create(f.id, b'a', h5py.h5t.STD_U8LE, space, plist)
                f['small'] = 5
            """,
            path.toString())
        .orFail();
    return path;
  }

  @Test
  void smallRequestsDoNotWaitForTheMemoryOfLargeOnes() {
    int share = 1 << 20;
    MemoryShare memory = new MemoryShare(share, Duration.ofMinutes(1));
    RequestBudget large = new RequestBudget(WebOptions.Limits.DEFAULT, memory);
    large.hold(share);
    RequestBudget next = new RequestBudget(WebOptions.Limits.DEFAULT, memory);
    AtomicBoolean isGranted = new AtomicBoolean();
    assertThatThrownBy(() -> next.hold(share))
        .isInstanceOfSatisfying(
            MemoryShortage.class, shortage -> next.goOn(shortage, () -> isGranted.set(true)));
    for (int i = 0; i < 3; i++) {
      RequestBudget small = new RequestBudget(WebOptions.Limits.DEFAULT, memory);
      int piece = small.hold(1000);
      assertThat(piece).isNegative();
      small.release(piece);
      small.hold(200_000);
      small.end();
    }
    assertThat(isGranted).isFalse();
    large.end();
    assertThat(isGranted).isTrue();
    assertThat(next.hold(share)).isPositive();
    next.end();
    RequestBudget last = new RequestBudget(WebOptions.Limits.DEFAULT, memory);
    assertThat(last.hold(share)).isPositive();
    last.end();
  }

  @Test
  void noRequestTakesMuchOfWhatIsSetApart() {
    int share = 1 << 20;
    MemoryShare memory = new MemoryShare(share, Duration.ZERO);
    RequestBudget large = new RequestBudget(WebOptions.Limits.DEFAULT, memory);
    large.hold(share);
    RequestBudget greedy = new RequestBudget(WebOptions.Limits.DEFAULT, memory);
    assertThatThrownBy(() -> greedy.hold(MemoryShare.MOST_APART * 65_536 + 1))
        .isInstanceOf(MemoryShortage.class);
    for (int i = 0; i < MemoryShare.MOST_APART; i++) {
      assertThat(greedy.hold(1)).isNegative();
    }
    assertThatThrownBy(() -> greedy.hold(1)).isInstanceOf(MemoryShortage.class);
    greedy.end();
    large.end();
    assertThat(greedy.hold(1)).isPositive();
  }

  @Test
  void statisticsOfWhatWasNeverWrittenReadNothing() {
    try (WebServer server = serve(unwritten(), new WebOptions.Limits(1 << 20, 60));
        Client client = new Client(server, TOKEN)) {
      assertThat(client.text("/stats?file=unwritten.h5&path=/none"))
          .isEqualTo(
              "{\"strict_positive_min\":3.0,\"positive_min\":3.0,\"min\":3.0,\"max\":3.0,"
                  + "\"mean\":3.0,\"std\":0.0}");
      assertThat(client.text("/stats?file=unwritten.h5&path=/plain"))
          .contains("\"max\":0.0", "\"positive_min\":0.0", "\"strict_positive_min\":null");
      assertThat(client.text("/stats?file=unwritten.h5&path=/ones"))
          .contains("\"max\":1.0", "\"min\":0.0");
      assertThat(client.text("/stats?file=unwritten.h5&path=/some"))
          .contains("\"max\":999.0", "\"min\":-7.0", "\"mean\":2.5");
      // A part in which the stored elements weigh something: 1000 numbers and 9000 fill values.
      assertThat(client.text("/stats?file=unwritten.h5&path=/some&selection=300:310,1000:2000"))
          .contains("\"mean\":" + (999 * 500.0 + 2.5 * 9000) / 10000);
      assertThat(
              client.text(
                  "/stats?file=unwritten.h5&path=/some&selection=301:2000000:1024,1000:1048576:50"))
          .contains("\"max\":150.0", "\"min\":2.5");
    }
  }

  @Test
  void elementsThatWereNeverWrittenAreNotRead() {
    try (WebServer server = serve(unwritten(), WebOptions.Limits.DEFAULT);
        Client client = new Client(server, TOKEN)) {
      byte[] each =
          client.get("/data?file=unwritten.h5&path=/none&selection=::1048576&format=bin").body();
      assertThat(each).hasSize(1 << 23).containsOnly(3);
      String text =
          client.text("/data?file=unwritten.h5&path=/some&selection=::4096,1000:300000:1500");
      assertThat(text.length()).isEqualTo(256 * (200 * 4 + 2) + 1);
      assertThat(text.substring(0, 10)).isEqualTo("[[2.5,2.5,");
      byte[] ones =
          client.get("/data?file=unwritten.h5&path=/ones&selection=:2000000&format=bin").body();
      assertThat(ones).hasSize(2_000_000);
      assertThat(ones[5]).isEqualTo((byte) 1);
      assertThat(ones[6]).isZero();
    }
  }

  @Test
  void sizesBeyondALongAreRefusedInWords() {
    try (WebServer server = serve(unwritten(), WebOptions.Limits.DEFAULT);
        Client client = new Client(server, TOKEN)) {
      for (String format : List.of("tiff", "bin", "npy", "json", "csv")) {
        String address = "/data?file=unwritten.h5&path=/square&format=" + format;
        assertThat(client.status(address)).as(format).isEqualTo(422);
        assertThat(client.text(address)).as(format).contains("expected=").contains("selection");
      }
    }
  }

  @Test
  void requestsEndWithTheirElementsAndTheirTime() {
    try (WebServer server = serve(endless(), new WebOptions.Limits(1 << 30, 300));
        Client client = new Client(server, TOKEN)) {
      assertThat(client.get("/stats?file=endless.h5&path=/a").statusCode()).isEqualTo(422);
      assertThat(client.text("/stats?file=endless.h5&path=/a"))
          .contains("expected=at most 1073741824", "--request-elements");
    }
    try (WebServer server = serve(folder.file("endless.h5"), new WebOptions.Limits(1L << 41, 1));
        Client client = new Client(server, TOKEN)) {
      var reply = client.get("/stats?file=endless.h5&path=/a");
      assertThat(reply.statusCode()).isEqualTo(503);
      assertThat(new String(reply.body(), StandardCharsets.UTF_8))
          .contains("more than 1 s", "--request-seconds");
    }
  }

  @Test
  void requestsOfClientsThatHaveLeftAreCancelled() throws IOException {
    WebOptions.Limits hours = new WebOptions.Limits(1L << 41, 36_000);
    try (WebServer server = serve(endless(), hours);
        Client client = new Client(server, TOKEN)) {
      List<Socket> all = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        all.add(send(server, "GET /stats?file=endless.h5&path=/a HTTP/1.1\r\n", true));
      }
      assertThat(client.text("/meta?file=endless.h5")).as("while they run").contains("small");
      assertThat(client.text("/data?file=endless.h5&path=/small")).isEqualTo("5");
      for (Socket each : all) {
        each.close();
      }
      assertThat(client.text("/data?file=endless.h5&path=/small")).isEqualTo("5");
    }
  }

  @Test
  void slowClientsKeepNobodyOut() throws IOException {
    List<Socket> slow = new ArrayList<>();
    try (WebServer server = serve(unwritten(), WebOptions.Limits.DEFAULT);
        Client client = new Client(server, TOKEN)) {
      for (int i = 0; i < 400; i++) {
        slow.add(send(server, "GET /files HTTP/1.1\r\nX-a: ", false));
      }
      assertThat(client.text("/files")).contains("unwritten.h5");
      assertThat(slow.getFirst().getInputStream().read()).as("the first was closed").isEqualTo(-1);
    } finally {
      for (Socket each : slow) {
        each.close();
      }
    }
  }

  @Test
  void clientsThatDoNotReceiveOccupyNoThread() throws IOException {
    Path path = folder.file("large.h5");
    try (H5File file = Hdf5.create(path);
        Dataset large = file.datasetBuilder("a").type(Datatypes.I32LE).shape(32 << 20).create()) {
      large.write(Selection.box(new long[] {7}, new long[] {1}), new int[] {7});
    }
    List<Socket> deaf = new ArrayList<>();
    try (WebServer server = serve(path, WebOptions.Limits.DEFAULT);
        Client client = new Client(server, TOKEN)) {
      for (int i = 0; i < 8; i++) {
        deaf.add(send(server, "GET /data?file=large.h5&path=/a&format=bin HTTP/1.1\r\n", true));
      }
      assertThat(client.text("/data?file=large.h5&path=/a&selection=7")).isEqualTo("7");
    } finally {
      for (Socket each : deaf) {
        each.close();
      }
    }
  }

  private static Socket send(WebServer server, String line, boolean whole) {
    try {
      Socket socket = new Socket(server.address().getAddress(), server.address().getPort());
      String rest =
          "Host: 127.0.0.1:"
              + server.address().getPort()
              + "\r\nAuthorization: Bearer "
              + TOKEN
              + "\r\n\r\n";
      socket
          .getOutputStream()
          .write((line + (whole ? rest : "")).getBytes(StandardCharsets.ISO_8859_1));
      return socket;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
