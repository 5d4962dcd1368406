package org.hyperslab.plugins.nativevol;

import java.nio.file.Path;
import java.util.Arrays;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;

/** Writes and reads parts, and one value everywhere, of datasets much larger than the heap. */
final class SmallHeapProgram {

  private static final int ROWS = 131_072;

  private SmallHeapProgram() {}

  /**
   * Runs the program.
   *
   * @param arguments the file to create
   */
  public static void main(String[] arguments) {
    Path path = Path.of(arguments[0]);
    try (H5File file = Hdf5.create(path)) {
      file.createDataset("precious", 42);
      Dataset table =
          file.datasetBuilder("table")
              .type(double.class)
              .shape(ROWS, 256)
              .options(o -> o.chunked(512, 256).deflate(1))
              .create();
      double[] column = new double[ROWS];
      Arrays.setAll(column, i -> i);
      table.slice(":, 7").write(column);
      file.flush();
      table.slice("::512, 9").write(new double[ROWS / 512]);
    }
    try (H5File file = Hdf5.openForEdit(path)) {
      file.createDataset("ones", float.class, ROWS, 256).write(1.5f);
    }
    try (H5File file = Hdf5.open(path)) {
      double[] read = file.dataset("table").slice("::100, 7").readDoubles();
      for (int i = 0; i < read.length; i++) {
        if (read[i] != 100.0 * i) {
          throw new IllegalStateException(i + ": " + read[i]);
        }
      }
      float[] ones = file.dataset("ones").slice("-1, :").readFloats();
      if (ones[0] != 1.5f || ones[255] != 1.5f) {
        throw new IllegalStateException(Arrays.toString(ones));
      }
      System.out.println("read " + read.length + " and " + file.dataset("precious").readInt());
    }
  }
}
