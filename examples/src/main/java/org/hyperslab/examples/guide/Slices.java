package org.hyperslab.examples.guide;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Memory;
import org.hyperslab.format.space.Selection;

/** Reads and writes parts of a dataset; the rest is not transferred. */
final class Slices {

  private Slices() {}

  static void run(Path folder, PrintStream out) {
    try (H5File file = Hdf5.create(folder.resolve("slices.h5"))) {
      Dataset image = file.createDataset("image", int.class, 100, 200);

      int[][] stripe = new int[10][200];
      for (int[] row : stripe) {
        Arrays.fill(row, 7);
      }
      image.slice("20:30, :").write(stripe); // as NumPy: rows 20 to 29
      image.slice("::10, 0").write(new int[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}); // every tenth row

      int[] column = image.slice(":, 0").readInts();
      int[][] corner = image.slice("-2:, -3:").read(int[][].class);
      out.printf("column of %d, corner of %d by %d%n", column.length, corner.length, 3);

      // Boxes, unions of boxes and single points, in any combination.
      Selection cross =
          Selection.union(
              List.of(
                  Selection.box(new long[] {50, 100}, new long[] {1, 20}),
                  Selection.box(new long[] {45, 110}, new long[] {11, 1})));
      int[] ones = new int[30]; // 20 + 11 elements, one of them in both
      Arrays.fill(ones, 1);
      image.write(cross, ones);
      int[] points = image.readInts(Selection.points(2, 50, 100, 45, 110, 0, 1));
      out.printf("points: %d %d %d%n", points[0], points[1], points[2]);

      // Memory can have a selection too: a field with a border of ghost cells.
      int[] withBorder = new int[12 * 12];
      Selection interior = Selection.box(new long[] {1, 1}, new long[] {10, 10});
      image.readInto(
          Selection.box(new long[] {45, 105}, new long[] {10, 10}),
          Memory.of(withBorder, 12, 12).select(interior));
      out.printf("sum inside the border: %d%n", Arrays.stream(withBorder).sum());
    }
  }
}
