package org.hyperslab.examples.guide;

import java.io.PrintStream;
import java.nio.file.Path;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.model.OpenOptions;

/**
 * Appends rows in a loop while a reader follows (SWMR: single writer, multiple readers). The reader
 * could be another process, h5py for example.
 */
final class Append {

  private static final int BATCHES = 10;
  private static final int ROWS = 100;

  private Append() {}

  static void run(Path folder, PrintStream out) {
    Path path = folder.resolve("log.h5");
    create(path);
    try (H5File writer = Hdf5.open(path, OpenOptions.EDIT.withSwmr(true));
        H5File reader = Hdf5.open(path, OpenOptions.READ.withSwmr(true))) {
      Dataset samples = writer.dataset("samples");
      Dataset followed = reader.dataset("samples");
      for (int batch = 0; batch < BATCHES; batch++) {
        samples.append(measured(batch)); // many rows at once: faster than one by one
        samples.flush(); // now visible to readers
        followed.refresh();
        double last = followed.slice("-1, 0").readDoubles()[0];
        out.printf("%d rows, the last at %.0f s%n", followed.shape()[0], last);
      }
    }
  }

  private static void create(Path path) {
    CreateOptions options =
        CreateOptions.DEFAULT.withAccess(
            OpenOptions.EDIT.withSwmr(true).withBounds(FormatVersion.V110, FormatVersion.V110));
    try (H5File file = Hdf5.create(path, options)) {
      file.datasetBuilder("samples")
          .type(double.class)
          .shape(0, 2)
          .maxShape(Hdf5.UNLIMITED, 2)
          .options(storage -> storage.chunked(ROWS, 2).deflate(1))
          .create();
    }
  }

  private static double[][] measured(int batch) {
    double[][] rows = new double[ROWS][2];
    for (int i = 0; i < ROWS; i++) {
      double seconds = batch * ROWS + i;
      rows[i] = new double[] {seconds, Math.sin(seconds / 10)};
    }
    return rows;
  }
}
