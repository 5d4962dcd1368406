package org.hyperslab.tools.stage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.testkit.ChildJvm;
import org.hyperslab.testkit.TemporaryFolder;
import org.hyperslab.tools.Main;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that a staging server that is asked to end first finishes the work in its queue. */
@Timeout(300)
final class StageDrainTest {

  private static final int ROWS = 256;
  private static final int COLUMNS = 65_536;

  private static Process stage(Path root, Path socket) throws IOException {
    String[] words = {"stage", "--listen", "unix:" + socket, "--root", root.toString()};
    return new ProcessBuilder(ChildJvm.command(512, Main.class, words))
        .redirectErrorStream(true)
        .start();
  }

  @Test
  void sigtermCompletesReceivedRequests() throws IOException, InterruptedException {
    try (TemporaryFolder folder = TemporaryFolder.create("drain")) {
      Path socket = folder.file("socket");
      Path root = folder.path().resolve("root");
      Process server = stage(root, socket);
      try (BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8))) {
        String line = lines.readLine();
        while (line != null && !line.contains("ready at")) {
          line = lines.readLine();
        }
        assertThat(line).contains("unix:" + socket);
        queueAndTerminate(server, socket);
        assertThat(server.waitFor()).as("exit code of a graceful stop").isZero();
      } finally {
        server.destroyForcibly();
      }
      try (H5File file = Hdf5.open(root.resolve("drained.h5"))) {
        int[] row = new int[COLUMNS];
        for (int i = 0; i < ROWS; i++) {
          file.dataset("d")
              .readInto(Selection.box(new long[] {i, 0}, new long[] {1, COLUMNS}), row);
          assertThat(row[0]).as("row %d", i).isEqualTo(i + 1);
          assertThat(row[COLUMNS - 1]).isEqualTo(i + 1);
        }
      }
    }
  }

  private static void queueAndTerminate(Process server, Path socket) {
    try (Session session =
        Hdf5.session("forwarding acknowledge=received reconnect=0 servers=unix:" + socket)) {
      H5File file = session.create("drained.h5", CreateOptions.DEFAULT);
      Dataset dataset = file.createDataset("d", Datatypes.I32LE, Dataspace.simple(ROWS, COLUMNS));
      List<CompletableFuture<Void>> received = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        int[] row = new int[COLUMNS];
        Arrays.fill(row, i + 1);
        received.add(
            dataset.writeAsync(Selection.box(new long[] {i, 0}, new long[] {1, COLUMNS}), row));
      }
      received.forEach(CompletableFuture::join); // in the server's memory, not all on its disk
      server.destroy();
      try {
        file.close();
      } catch (HyperslabException theServerIsClosing) {
        assertThat(theServerIsClosing.getMessage()).isNotBlank();
      }
    }
  }
}
