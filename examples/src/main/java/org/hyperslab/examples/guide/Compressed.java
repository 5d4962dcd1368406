package org.hyperslab.examples.guide;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.model.DatasetOptions;

/** Stores data in chunks, compressed, and reads a part of it: only its chunks are decoded. */
final class Compressed {

  private Compressed() {}

  static void run(Path folder, PrintStream out) throws IOException {
    short[][] counts = new short[1000][1000];
    for (int i = 0; i < 1000; i++) {
      for (int j = 0; j < 1000; j++) {
        counts[i][j] = (short) (100 * Math.sin(i / 50.0) * Math.cos(j / 80.0));
      }
    }
    Path plain = folder.resolve("plain.h5");
    try (H5File file = Hdf5.create(plain)) {
      file.createDataset("counts", counts);
    }
    Path packed = folder.resolve("compressed.h5");
    DatasetOptions options =
        DatasetOptions.chunked(100, 100) // elements that are read together
            .shuffle() // helps numbers of several bytes
            .deflate(6)
            .fletcher32() // a checksum for each chunk
            .build();
    try (H5File file = Hdf5.create(packed)) {
      file.datasetBuilder("counts").value(counts).options(options).create();
    }
    try (H5File file = Hdf5.open(packed)) {
      Dataset stored = file.dataset("counts");
      int[] row = stored.slice("500, :").readInts(); // decodes 10 of the 100 chunks
      out.printf("row of %d, element 3 is %d%n", row.length, row[3]);
      out.printf("%d chunks%n", stored.chunks().count());
    }
    out.printf("%d times smaller%n", Files.size(plain) / Files.size(packed));
  }
}
