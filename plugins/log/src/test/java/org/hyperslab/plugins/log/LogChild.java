package org.hyperslab.plugins.log;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.format.space.Selection;

/**
 * A process that writes generations until it is killed. All elements of a generation have its
 * number; it says which generation was flushed.
 */
final class LogChild {

  private static final int ELEMENTS = 20_000;

  private LogChild() {}

  /** Arguments: the folder of the logs, the file, the first generation, how closed files drain. */
  public static void main(String[] arguments) {
    Path file = Path.of(arguments[1]);
    int generation = Integer.parseInt(arguments[2]);
    String stack = "log path=" + arguments[0] + " drain=" + arguments[3] + " | native";
    try (Session session = Hdf5.session(stack)) {
      while (true) {
        boolean exists = Files.exists(file);
        try (H5File written = exists ? session.openForEdit(file) : session.create(file)) {
          for (int i = 0; i < 3; i++) {
            write(written, generation);
            written.flush();
            System.out.println("flushed " + generation);
            generation++;
          }
        }
      }
    }
  }

  private static void write(H5File file, int generation) {
    if (!file.exists("values")) {
      file.createDataset("values", new int[ELEMENTS]).close();
      file.datasetBuilder("packed")
          .value(new int[ELEMENTS])
          .options(options -> options.chunked(1000).deflate(1))
          .create()
          .close();
      file.createDataset("text", "").close();
    }
    int[] half = new int[ELEMENTS / 2];
    Arrays.fill(half, generation);
    for (String name : new String[] {"values", "packed"}) {
      try (Dataset dataset = file.dataset(name)) {
        for (int first = 0; first < 2; first++) {
          dataset.write(
              Selection.hyperslab(
                  new long[] {first}, new long[] {2}, new long[] {ELEMENTS / 2}, new long[] {1}),
              half);
        }
      }
    }
    file.createDataset("steps/" + generation, generation).close();
    file.root().setAttribute("generation", generation);
  }
}
