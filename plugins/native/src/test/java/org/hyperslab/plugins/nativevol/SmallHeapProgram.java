package org.hyperslab.plugins.nativevol;

import java.nio.file.Path;
import java.util.Arrays;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;

/** Writes and reads a column of a dataset whose chunks are together much larger than the heap. */
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
          file.createDataset(
              "table", double.class, new long[] {ROWS, 256}, o -> o.chunks(512, 256).deflate(1));
      double[] column = new double[ROWS];
      Arrays.setAll(column, i -> i);
      table.slice(":, 7").write(column);
      file.flush();
      table.slice("::512, 9").write(new double[ROWS / 512]);
    }
    try (H5File file = Hdf5.open(path)) {
      double[] read = file.dataset("table").slice("::100, 7").readDoubles();
      for (int i = 0; i < read.length; i++) {
        if (read[i] != 100.0 * i) {
          throw new IllegalStateException(i + ": " + read[i]);
        }
      }
      System.out.println("read " + read.length + " and " + file.dataset("precious").readInt());
    }
  }
}
