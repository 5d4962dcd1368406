package org.hyperslab.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.plugins.forwarding.ServerOptions;
import org.hyperslab.plugins.forwarding.StageServer;
import org.hyperslab.testkit.TemporaryFolder;
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
      String name = Client.encoded("hyperslab://" + stage.address() + "/run.h5");
      assertThat(client.text("/files")).contains("run.h5");
      assertThat(client.status("/meta?file=" + name)).isEqualTo(404);
      try (H5File file = job.create(Path.of("run.h5"));
          Dataset steps =
              file.root()
                  .createDataset("steps", int.class, new long[] {0}, new long[] {-1}, o -> {})) {
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
}
