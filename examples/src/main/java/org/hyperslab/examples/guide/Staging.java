package org.hyperslab.examples.guide;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.format.space.Selection;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.plugins.forwarding.server.ServerOptions;
import org.hyperslab.plugins.forwarding.server.StageServer;

/**
 * Writes through a staging server, which merges small writes into large ones. Here it runs in the
 * same process; {@code ./hyperslab stage} runs one as a separate process.
 */
final class Staging {

  private static final int ROWS = 100;
  private static final int COLUMNS = 1000;

  private Staging() {}

  static void run(Path folder, PrintStream out) throws IOException {
    Path root = Files.createDirectories(folder.resolve("staged"));
    try (StageServer server =
        StageServer.start(ServerOptions.of(Address.parse("127.0.0.1:0"), root))) {
      // The client: any program, on any machine that reaches the server.
      String connector = "forwarding servers=" + server.address() + " acknowledge=received";
      try (Session session = Hdf5.session(connector);
          H5File file = session.create("run.h5", CreateOptions.DEFAULT)) {
        Dataset field = file.createDataset("field", double.class, ROWS, COLUMNS);
        for (int row = 0; row < ROWS; row++) {
          double[] values = new double[COLUMNS];
          values[0] = row;
          // Returns as soon as the server has it in memory.
          field.write(Selection.box(new long[] {row, 0}, new long[] {1, COLUMNS}), values);
        }
        file.flush(); // reports a write that failed after it was acknowledged
      }
    }
    try (H5File file = Hdf5.open(root.resolve("run.h5"))) {
      double[] column = file.dataset("field").slice(":, 0").readDoubles();
      out.printf("%d rows, the last begins with %.0f%n", column.length, column[ROWS - 1]);
    }
  }
}
