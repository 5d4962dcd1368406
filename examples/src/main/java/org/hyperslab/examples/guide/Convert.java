package org.hyperslab.examples.guide;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Slice;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.model.DatasetOptions;

/** Rewrites a file, compressing large arrays of numbers; the command {@code repack} does it all. */
final class Convert {

  private static final long LARGE_ELEMENTS = 10_000;
  private static final long ROWS_AT_ONCE = 256;

  private Convert() {}

  static void run(Path folder, PrintStream out) throws IOException {
    Path from = folder.resolve("original.h5");
    Path to = folder.resolve("converted.h5");
    writeOriginal(from);
    try (H5File source = Hdf5.open(from);
        H5File target = Hdf5.create(to)) {
      source
          .root()
          .visit((path, object) -> {
            switch (object) {
              case Dataset large when isLarge(large) -> convert(large, path, target);
              case Group group when path.equals(".") ->
                  group
                      .attributes()
                      .forEach(a -> target.root().setAttribute(a.name(), a.read(), a.type()));
              case Group _ -> target.root().requireGroup(path);
              default -> source.root().copy(path, target.root(), path); // as it is stored
            }
            return true;
          });
    }
    out.printf("%d kB became %d kB%n", Files.size(from) / 1024, Files.size(to) / 1024);
  }

  private static boolean isLarge(Dataset dataset) {
    boolean numbers = dataset.type() instanceof IntegerType || dataset.type() instanceof FloatType;
    return numbers && dataset.rank() > 0 && dataset.elementCount() >= LARGE_ELEMENTS;
  }

  private static void convert(Dataset from, String path, H5File target) {
    long[] shape = from.shape();
    long[] chunk = shape.clone();
    chunk[0] = Math.min(shape[0], ROWS_AT_ONCE);
    DatasetOptions options = DatasetOptions.chunked(chunk).shuffle().deflate(4).build();
    Dataset to =
        target.datasetBuilder(path).type(from.type()).space(from.space()).options(options).create();
    for (long row = 0; row < shape[0]; row += ROWS_AT_ONCE) { // a piece at a time
      Slice rows = from.rows(row, Math.min(shape[0], row + ROWS_AT_ONCE));
      to.write(rows.selection(), rows.read());
    }
    from.attributes().forEach(a -> to.setAttribute(a.name(), a.read(), a.type()));
  }

  private static void writeOriginal(Path path) {
    int[][] readings = new int[2000][500];
    for (int i = 0; i < readings.length; i++) {
      for (int j = 0; j < readings[i].length; j++) {
        readings[i][j] = (i / 10) * (j / 10);
      }
    }
    try (H5File file = Hdf5.create(path)) {
      file.root().setAttribute("title", "readings of one day");
      file.createDataset("raw/readings", readings).setAttribute("units", "mV");
      file.createDataset("raw/channels", new String[] {"left", "right"});
    }
  }
}
