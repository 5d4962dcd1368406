package org.hyperslab.plugins.forwarding.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.MultiRead;
import org.hyperslab.MultiWrite;
import org.hyperslab.Session;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.plugins.forwarding.client.ForwardingConnector;
import org.hyperslab.testkit.TemporaryFolder;
import org.hyperslab.vol.Connectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests that a transfer of several datasets is one message, or several if the window requires that.
 */
@Timeout(300)
final class MultiDatasetMessageTest {

  private static final int DATASETS = 20;

  private TemporaryFolder folder;
  private StageServer server;

  @BeforeEach
  void start() {
    folder = TemporaryFolder.create("multi");
    server =
        StageServer.start(
            ServerOptions.of(new Address.Tcp("127.0.0.1", 0), folder.path().resolve("root")));
  }

  @AfterEach
  void stop() {
    server.close();
    folder.close();
  }

  private Session session(String options) {
    return Hdf5.session("forwarding servers=" + server.address() + " " + options);
  }

  /** Returns the server's counts of this client, which is the only one. */
  private static long requests(Session session) {
    ForwardingConnector client =
        Connectors.find(session.connector(), ForwardingConnector.class).orElseThrow();
    List<String> lines = client.status().lines().toList();
    for (int i = 0; i + 1 < lines.size(); i++) {
      List<String> heading = List.of(lines.get(i).trim().split(" {2,}|(?<=\\S) (?=\\S)"));
      if (lines.get(i).startsWith("client ")) {
        return Long.parseLong(lines.get(i + 1).trim().split("\\s+")[heading.indexOf("requests")]);
      }
    }
    throw new AssertionError(lines);
  }

  private static List<Dataset> create(H5File file, int length) {
    List<Dataset> datasets = new ArrayList<>();
    for (int i = 0; i < DATASETS; i++) {
      Dataset dataset = file.createDataset("d" + i, int.class, length);
      assertThat(dataset.type()).isNotNull(); // known from here on
      datasets.add(dataset);
    }
    return datasets;
  }

  private static int[] values(int dataset, int length) {
    int[] values = new int[length];
    Arrays.setAll(values, i -> dataset * 1000 + i);
    return values;
  }

  private static void writeAndRead(H5File file, List<Dataset> datasets, int length) {
    MultiWrite write = file.multiWrite();
    MultiRead read = file.multiRead();
    List<int[]> targets = new ArrayList<>();
    for (int i = 0; i < DATASETS; i++) {
      targets.add(new int[length]);
      write.write(datasets.get(i), values(i, length));
      read.read(datasets.get(i), targets.get(i));
    }
    write.run();
    read.run();
    for (int i = 0; i < DATASETS; i++) {
      assertThat(targets.get(i)).isEqualTo(values(i, length));
    }
  }

  @Test
  void aWriteAndAReadAreTwoMessages() {
    try (Session session = session("");
        H5File file = session.create("one.h5", CreateOptions.DEFAULT)) {
      List<Dataset> datasets = create(file, 50);
      long before = requests(session);
      writeAndRead(file, datasets, 50);
      assertThat(requests(session) - before).isEqualTo(2);
    }
  }

  @Test
  void transfersBeyondTheWindowAreDivided() {
    try (Session session = session("window=1M");
        H5File file = session.create("more.h5", CreateOptions.DEFAULT)) {
      List<Dataset> datasets = create(file, 20_000);
      long before = requests(session);
      writeAndRead(file, datasets, 20_000);
      assertThat(requests(session) - before).isGreaterThan(2);
      MultiWrite wrong = file.multiWrite();
      for (Dataset dataset : datasets) {
        wrong.write(dataset, new int[dataset.path().equals("/d7") ? 19_999 : 20_000]);
      }
      assertThatThrownBy(wrong::run)
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("part 8 of 20")
          .hasMessageContaining("/d7");
      assertThat(datasets.getFirst().readInts()).isEqualTo(values(0, 20_000));
    }
  }
}
