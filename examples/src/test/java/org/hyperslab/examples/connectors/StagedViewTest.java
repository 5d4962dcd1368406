package org.hyperslab.examples.connectors;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.plugins.forwarding.server.ServerOptions;
import org.hyperslab.plugins.forwarding.server.StageServer;
import org.hyperslab.testkit.TemporaryFolder;
import org.hyperslab.web.WebServer;
import org.hyperslab.web.options.WebOptions;
import org.junit.jupiter.api.Test;

/** Tests viewing a file on a staging server while a job writes it. */
final class StagedViewTest {

  private static final String TOKEN = "a-token-of-the-test";

  @Test
  void dataOfAJobIsVisibleBeforeItClosesTheFile() throws IOException {
    try (TemporaryFolder root = TemporaryFolder.create("staged");
        StageServer stage =
            StageServer.start(ServerOptions.of(Address.parse("127.0.0.1:0"), root.path()));
        Session job = Hdf5.session("forwarding servers=" + stage.address());
        WebServer server =
            WebServer.showOpened(
                "hyperslab://" + stage.address() + "/run.h5",
                WebOptions.DEFAULT.withAccess(new WebOptions.Access.Token(Optional.of(TOKEN))));
        Client client = new Client(server, TOKEN)) {
      String name =
          URLEncoder.encode("hyperslab://" + stage.address() + "/run.h5", StandardCharsets.UTF_8);
      assertThat(client.text("/files")).contains("run.h5");
      assertThat(client.status("/meta?file=" + name)).isEqualTo(404);
      try (H5File file = job.create(Path.of("run.h5"));
          Dataset steps =
              file.root().datasetBuilder("steps").type(int.class).shape(0).maxShape(-1).create()) {
        for (int step = 1; step <= 3; step++) {
          steps.append(new int[] {step * 11});
          assertThat(client.text("/meta?file=" + name + "&path=/steps"))
              .contains("\"shape\":[" + step + "]");
          assertThat(client.text("/data?file=" + name + "&path=/steps&selection=-1"))
              .isEqualTo(Integer.toString(step * 11));
        }
      }
      assertThat(client.text("/data?file=" + name + "&path=/steps")).isEqualTo("[11,22,33]");
      try (H5File again = job.openForEdit(Path.of("run.h5"))) {
        again.createDataset("more", 1).close();
      }
      assertThat(client.text("/paths?file=" + name)).isEqualTo("[\"/\",\"/more\",\"/steps\"]");
    }
  }

  /** Sends GET requests with the token. */
  private record Client(HttpClient http, WebServer server, String token) implements AutoCloseable {

    Client(WebServer server, String token) {
      this(HttpClient.newHttpClient(), server, token);
    }

    String text(String pathAndQuery) {
      return get(pathAndQuery).body();
    }

    int status(String pathAndQuery) {
      return get(pathAndQuery).statusCode();
    }

    private HttpResponse<String> get(String pathAndQuery) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(server.url() + pathAndQuery.substring(1)))
              .header("authorization", "Bearer " + token)
              .build();
      try {
        return http.send(request, HttpResponse.BodyHandlers.ofString());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError("interrupted", e);
      }
    }

    @Override
    public void close() {
      http.close();
    }
  }
}
