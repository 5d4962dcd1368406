package org.hyperslab.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.model.RawChunk;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.TemporaryFolder;
import org.hyperslab.web.files.FileNames;
import org.hyperslab.web.options.WebOptions;
import org.hyperslab.web.request.ErrorReplies;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which clients are admitted and which files they can reach. */
final class WebServerTest {

  private static final String TOKEN = "a-token-of-the-test";

  private TemporaryFolder folder;
  private Path shown;

  @BeforeEach
  void create() throws IOException {
    folder = TemporaryFolder.create("web");
    shown = Files.createDirectories(folder.file("shown/deeper")).getParent();
    write(shown.resolve("a.h5"), 1);
    write(shown.resolve("deeper/b.h5"), 2);
    write(folder.file("secret.h5"), 3);
    Files.writeString(shown.resolve("notes.txt"), "no HDF5");
    Files.createSymbolicLink(shown.resolve("out.h5"), folder.file("secret.h5"));
    Files.createSymbolicLink(shown.resolve("up"), folder.path());
  }

  @AfterEach
  void delete() {
    folder.close();
  }

  private static void write(Path path, int value) {
    try (H5File file = Hdf5.create(path)) {
      file.createDataset("x", new int[] {value, value + 1, value + 2}).close();
      file.root().createExternalLink("secret", "../secret.h5", "/x");
    }
  }

  private WebServer serve(Path path) {
    return WebServer.show(
        path, WebOptions.DEFAULT.withAccess(new WebOptions.Access.Token(Optional.of(TOKEN))));
  }

  @Test
  void listingVisitsABoundedNumberOfEntries() throws IOException {
    Path crowded = Files.createDirectory(folder.file("crowded"));
    for (int i = 0; i < 20; i++) {
      Files.createDirectory(crowded.resolve("folder" + i));
      Files.writeString(crowded.resolve("folder" + i + "/f.h5"), "listed by its name");
    }
    FileNames.InFolder names = (FileNames.InFolder) FileNames.of(crowded);
    assertThat(names.all()).hasSize(20);
    assertThat(names.all(11)).as("the folder, and five folders with a file").hasSize(5);
  }

  @Test
  void missingAndUnreadableFoldersAreRefusedAtTheStart() throws IOException {
    assertThatThrownBy(() -> FileNames.of(folder.path().resolve("none")))
        .isInstanceOf(NotFoundException.class);
    Path closed = Files.createDirectory(folder.file("closed"));
    Files.setPosixFilePermissions(closed, Set.of());
    assumeFalse(Files.isReadable(closed), "root reads everything");
    assertThatThrownBy(() -> FileNames.of(closed))
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("not readable");
  }

  @Test
  void folderListsItsHdf5FilesAndNothingElse() {
    try (WebServer server = serve(shown);
        Client client = new Client(server, TOKEN)) {
      assertThat(client.text("/files")).isEqualTo("{\"files\":[\"a.h5\",\"deeper/b.h5\"]}");
      assertThat(client.text("/data?file=deeper/b.h5&path=/x")).isEqualTo("[2,3,4]");
    }
  }

  @Test
  void namesThatLeadOutOfTheFolderAreNotFound() {
    try (WebServer server = serve(shown);
        Client client = new Client(server, TOKEN)) {
      for (String name :
          new String[] {
            "../secret.h5",
            "deeper/../../secret.h5",
            "out.h5",
            "up/secret.h5",
            "./a.h5",
            "deeper/../a.h5",
            folder.file("secret.h5").toString(),
            "",
            "\0",
            "a.h5/x",
            "deeper",
          }) {
        String reply = client.text("/data?path=/x&file=" + Client.encoded(name));
        assertThat(reply).as(name).contains("File not found").doesNotContain("[3");
      }
    }
  }

  @Test
  void linksInAFileThatLeadOutOfTheFolderAreNotFollowed() {
    try (WebServer server = serve(shown);
        Client client = new Client(server, TOKEN)) {
      assertThat(client.text("/meta?file=a.h5&path=/secret"))
          .contains("\"kind\":\"external_link\"");
      assertThat(client.status("/data?file=a.h5&path=/secret")).isEqualTo(404);
    }
    try (WebServer server = serve(shown.resolve("a.h5"));
        Client client = new Client(server, TOKEN)) {
      assertThat(client.status("/data?file=a.h5&path=/secret")).isEqualTo(404);
      assertThat(client.status("/data?file=b.h5&path=/x")).isEqualTo(404);
    }
  }

  /** A browser opens the address and sends it as Host, in the short form of IPv6. */
  @ParameterizedTest
  @CsvSource({"0.0.0.0,localhost", "::,localhost", "::1,[::1]", "127.0.0.1,127.0.0.1"})
  void theUrlIsOneThatABrowserOpens(String listen, String shownHost) {
    WebOptions options =
        WebOptions.DEFAULT
            .withListen(new InetSocketAddress(listen, 0))
            .withAccess(new WebOptions.Access.Token(Optional.of(TOKEN)));
    try (WebServer server = WebServer.show(shown, options)) {
      assertThat(server.url())
          .isEqualTo("http://" + shownHost + ":" + server.address().getPort() + "/");
    }
  }

  @Test
  void nothingIsAnsweredWithoutTheToken() {
    try (WebServer server = serve(shown);
        Client right = new Client(server, TOKEN);
        Client wrong = new Client(server, TOKEN + "x")) {
      assertThat(right.status("/files")).isEqualTo(200);
      for (String path : new String[] {"/", "/files", "/viewer.js", "/data?file=a.h5&path=/x"}) {
        assertThat(wrong.status(path)).as(path).isEqualTo(403);
        assertThat(wrong.text(path)).as(path).contains("token");
      }
      assertThat(wrong.status("/?token=" + TOKEN.substring(1))).isEqualTo(403);
      String host = "Host: 127.0.0.1:" + server.address().getPort();
      for (String path : new String[] {"/", "/files", "/viewer.js", "/data?file=a.h5&path=/x"}) {
        assertThat(wrong.rawGet(path, host))
            .as(path)
            .startsWith("HTTP/1.1 401")
            .containsIgnoringCase("\r\nwww-authenticate: Bearer\r\n")
            .contains("token");
      }
    }
  }

  @Test
  void linkOpensOneBrowserOnce() {
    try (WebServer server = WebServer.show(shown, WebOptions.DEFAULT);
        Client client = new Client(server, "")) {
      String host = "Host: 127.0.0.1:" + server.address().getPort();
      String link = server.link().substring(server.url().length() - 1);
      String first = client.rawGet(link, host);
      Matcher cookie = Pattern.compile("set-cookie: ([^;]+); (.*)\r\n").matcher(first);
      assertThat(cookie.find()).isTrue();
      assertThat(cookie.group(2)).contains("HttpOnly", "SameSite=Strict");
      assertThat(client.rawGet("/files", host, "Cookie: " + cookie.group(1))).contains("a.h5");
      assertThat(client.rawGet("/files", host)).startsWith("HTTP/1.1 403");
      assertThat(client.rawGet(link, host)).startsWith("HTTP/1.1 403").doesNotContain("set-cookie");
      assertThat(server.link()).isEqualTo(server.url());
    }
  }

  @Test
  void pagesOfOtherOriginsAndOtherNamesOfTheServerAreRefused() {
    try (WebServer server = serve(shown);
        Client client = new Client(server, TOKEN)) {
      String host = "Host: 127.0.0.1:" + server.address().getPort();
      String bearer = "Authorization: Bearer " + TOKEN;
      assertThat(client.rawGet("/files", host, bearer)).startsWith("HTTP/1.1 200");
      assertThat(client.rawGet("/files", bearer)).startsWith("HTTP/1.1 421");
      assertThat(client.rawGet("/files", "Host: evil.example", bearer)).startsWith("HTTP/1.1 421");
      assertThat(client.rawGet("/files", host, host, bearer)).startsWith("HTTP/1.1 4");
      for (String origin :
          new String[] {
            "Origin: http://evil.example",
            "Origin: null",
            "Sec-Fetch-Site: cross-site",
            "Sec-Fetch-Site: same-site",
            "Origin: https://127.0.0.1",
          }) {
        assertThat(client.rawGet("/files", host, bearer, origin))
            .as(origin)
            .startsWith("HTTP/1.1 403")
            .doesNotContain("a.h5");
      }
      String own = "Origin: http://127.0.0.1:" + server.address().getPort();
      assertThat(client.rawGet("/files", host, bearer, own, "Sec-Fetch-Site: same-origin"))
          .startsWith("HTTP/1.1 200")
          .doesNotContainIgnoringCase("access-control-allow");
    }
  }

  @Test
  void schemesAndHostNamesHaveNoCaseAndTargetsMayBeAbsolute() {
    WebOptions options =
        WebOptions.DEFAULT
            .withAccess(new WebOptions.Access.Token(Optional.of(TOKEN)))
            .withHostNames(Set.of("Data.Example:8080"));
    try (WebServer server = WebServer.show(shown, options);
        Client client = new Client(server, TOKEN)) {
      int port = server.address().getPort();
      String host = "Host: 127.0.0.1:" + port;
      String bearer = "Authorization: Bearer " + TOKEN;
      for (String own : List.of("bearer " + TOKEN, "BEARER  " + TOKEN + " ", "Bearer " + TOKEN)) {
        assertThat(client.rawGet("/files", host, "Authorization: " + own))
            .as(own)
            .startsWith("HTTP/1.1 200");
      }
      assertThat(client.rawGet("/files", host, "Authorization: bearer" + TOKEN))
          .startsWith("HTTP/1.1 403");
      for (String name : List.of("LOCALHOST:" + port, "data.EXAMPLE:8080")) {
        assertThat(client.rawGet("/files", "Host: " + name, bearer))
            .as(name)
            .startsWith("HTTP/1.1 200");
      }
      String absolute = "HTTP://127.0.0.1:" + port;
      assertThat(client.rawGet(absolute + "/files", host, bearer)).contains("a.h5");
      assertThat(client.rawGet(absolute + "/version?file=a.h5", "Host: any", bearer))
          .startsWith("HTTP/1.1 200");
      assertThat(client.rawGet(absolute, host, bearer)).contains("viewer.js");
      assertThat(client.rawGet("http://evil.example/files", host, bearer))
          .startsWith("HTTP/1.1 421");
    }
  }

  @Test
  void messagesNameNoPlacesOfTheServer() throws IOException {
    Files.writeString(shown.resolve("broken.h5"), "\u0089HDF\r\n\u001a\n and nothing else");
    Path cut = shown.resolve("cut.h5");
    try (H5File file = Hdf5.create(cut)) {
      Dataset d =
          file.datasetBuilder("x")
              .value(new double[1000])
              .options(o -> o.chunked(100).deflate(4))
              .create();
      long[] second = {100};
      d.writeChunk(new RawChunk(MemorySegment.ofArray(new byte[] {1, 2, 3, 4}), 0), second);
      file.root().createExternalLink("gone", "nowhere.h5", "/x");
    }
    for (Path place : List.of(shown, cut)) {
      try (WebServer server = serve(place);
          Client client = new Client(server, TOKEN)) {
        for (String request :
            List.of(
                "/meta?file=broken.h5",
                "/meta?file=cut.h5&path=/none",
                "/meta?file=cut.h5&path=/gone&resolve_links=all",
                "/data?file=cut.h5&path=/gone",
                "/data?file=cut.h5&path=/x",
                "/data?file=cut.h5&path=/x&format=bin",
                "/data?file=cut.h5&path=/x&format=npy",
                "/stats?file=cut.h5&path=/x",
                "/zarr/cut.h5/x/1",
                "/zarr/broken.h5/.zmetadata")) {
          assertThat(client.status(request)).as(request).isBetween(400, 599);
          assertThat(client.text(request))
              .as(request)
              .contains("message")
              .doesNotContain(folder.path().toString());
        }
      }
    }
  }

  @Test
  void messagesContainNoSecretsOfAddresses() {
    FileNames names = FileNames.opened("https://host/x.h5?X-Amz-Signature=0a1b");
    assertThat(
            ErrorReplies.shown(
                "read failed: actual=x, at=https://me:pw@host:80/x.h5?X-Amz-Signature=0a1b&b=c@77;"
                    + " try",
                names))
        .isEqualTo("read failed: actual=x, at=https://host:80/x.h5@77; try");
    assertThat(names.all()).containsExactly("https://host/x.h5");
  }

  @Test
  void requestsAreBounded() {
    try (WebServer server = serve(shown);
        Client client = new Client(server, TOKEN)) {
      String host = "Host: 127.0.0.1:" + server.address().getPort();
      String bearer = "Authorization: Bearer " + TOKEN;
      assertThat(client.rawGet("/" + "x".repeat(20_000), host, bearer)).startsWith("HTTP/1.1 4");
      assertThat(client.rawGet("/files", host, bearer, "X: " + "x".repeat(20_000)))
          .startsWith("HTTP/1.1 4");
      assertThat(
              client.raw(
                  "POST /files HTTP/1.1\r\n"
                      + host
                      + "\r\n"
                      + bearer
                      + "\r\nConnection: close\r\nContent-Length: 1000000000\r\n\r\n"))
          .startsWith("HTTP/1.1 413");
      assertThat(
              client.raw(
                  "PUT /files HTTP/1.1\r\n"
                      + host
                      + "\r\n"
                      + bearer
                      + "\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"))
          .startsWith("HTTP/1.1 405");
      assertThat(client.rawGet("/%ff%zz", host, bearer)).startsWith("HTTP/1.1 400");
      assertThat(client.raw("\u0016\u0003\u0001 no HTTP at all\r\n\r\n"))
          .startsWith("HTTP/1.1 400");
      assertThat(client.text("/files")).contains("a.h5");
    }
  }

  @Test
  void repliesInBinaryAreBounded() {
    WebOptions options =
        WebOptions.DEFAULT
            .withAccess(new WebOptions.Access.Token(Optional.of(TOKEN)))
            .withMostBytes(8);
    try (WebServer server = WebServer.show(shown, options);
        Client client = new Client(server, TOKEN)) {
      assertThat(client.text("/data?file=a.h5&path=/x&format=bin"))
          .contains("actual=12 bytes, expected=at most 8");
      assertThat(client.get("/data?file=a.h5&path=/x&format=bin&selection=1:").body()).hasSize(8);
    }
  }

  @Test
  void changedFileIsReadAgain() {
    try (WebServer server = serve(shown);
        Client client = new Client(server, TOKEN)) {
      String version = client.text("/version?file=a.h5");
      assertThat(client.text("/data?file=a.h5&path=/x")).isEqualTo("[1,2,3]");
      assertThat(client.text("/version?file=a.h5")).isEqualTo(version);
      Oracle.h5py()
          .run(
              "import h5py,sys; h5py.File(sys.argv[1], 'a')['later'] = 5",
              shown.resolve("a.h5").toString())
          .orFail();
      assertThat(client.text("/version?file=a.h5")).isNotEqualTo(version);
      assertThat(client.text("/data?file=a.h5&path=/later")).isEqualTo("5");
    }
  }

  @Test
  void pageHasItsLicencesAndLoadsNothingFromOtherServers() {
    try (WebServer server = serve(shown);
        Client client = new Client(server, TOKEN)) {
      assertThat(client.text("/")).contains("viewer.js").doesNotContain("http://", "https://");
      assertThat(client.status("/viewer.js")).isEqualTo(200);
      assertThat(client.text("/LICENCES.txt")).contains("@h5web/app 17.0.0: MIT");
      assertThat(client.status("/../web.properties")).isEqualTo(404);
      assertThat(client.get("/").headers().firstValue("content-security-policy").orElseThrow())
          .contains("default-src 'self'", "frame-ancestors 'none'");
    }
  }

  @Test
  void requestThatOutlivesTheServerPrintsNothing() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    AtomicReference<Thread> worker = new AtomicReference<>();
    List<Throwable> printed = new CopyOnWriteArrayList<>();
    BiFunction<String, OpenOptions, H5File> slow =
        (name, options) -> {
          Thread.currentThread().setUncaughtExceptionHandler((_, failure) -> printed.add(failure));
          worker.set(Thread.currentThread());
          started.countDown();
          awaitUninterruptibly(closed);
          return Hdf5.open(shown.resolve("a.h5"), options);
        };
    WebServer server =
        WebServer.showOpened(
            "a",
            WebOptions.DEFAULT
                .withAccess(new WebOptions.Access.Token(Optional.of(TOKEN)))
                .withOpener(slow));
    try (Socket client = new Socket(server.address().getAddress(), server.address().getPort())) {
      String request =
          "GET /meta?file=a HTTP/1.1\r\nHost: localhost:"
              + server.address().getPort()
              + "\r\nAuthorization: Bearer "
              + TOKEN
              + "\r\n\r\n";
      client.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      started.await();
      server.close();
    } finally {
      closed.countDown();
    }
    worker.get().join();
    assertThat(printed).isEmpty();
  }

  /** Waits as work does that no interruption ends. */
  private static void awaitUninterruptibly(CountDownLatch latch) {
    boolean waits = true;
    while (waits) {
      try {
        latch.await();
        waits = false;
      } catch (InterruptedException ignored) {
        // The server is being closed.
      }
    }
  }
}
