package org.hyperslab.release.first;

import java.nio.file.Path;
import java.util.Arrays;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;

/** Writes a file with compressed chunks and reads it back: what an image made by jlink must be able to do. */
public final class First {
  private First() {}

  /**
   * Writes and reads.
   *
   * @param args the file to make
   */
  public static void main(String[] args) {
    double[] values = new double[1000];
    Arrays.setAll(values, i -> Math.sqrt(i));
    Path path = Path.of(args[0]);
    try (H5File file = Hdf5.create(path)) {
      file.datasetBuilder("x").value(values).options(o -> o.chunked(100).shuffle().deflate(4)).create();
    }
    try (H5File file = Hdf5.open(path)) {
      if (!Arrays.equals(values, file.dataset("x").readDoubles())) {
        throw new AssertionError("read is not what was written: " + path);
      }
    }
  }
}
