package org.hyperslab.benchmarks.data;

import java.nio.file.Path;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.Durability;
import org.hyperslab.model.OpenOptions;

/** Our side of the benchmarks of growth; {@code growth.c} is the other and lists the scenarios. */
final class GrowthPeer {

  private static final int WIDTH = 64;
  private static final int ROUNDS = 8;

  private GrowthPeer() {}

  /**
   * Runs one scenario and prints its seconds, a line for each round.
   *
   * @param args the scenario, the size, and the file or folder
   */
  public static void main(String[] args) {
    int n = Integer.parseInt(args[1]);
    for (int round = 0; round < ROUNDS; round++) {
      long begin = System.nanoTime();
      double sum = 0;
      switch (args[0]) {
        case "views" -> sum = views(n, args[2]);
        case "scalars" -> append(n, 1, 1024, false, args[2]);
        default -> {
          int rows = Integer.parseInt(args[0].substring(args[0].lastIndexOf('-') + 1));
          append(n, 2, rows, args[0].contains("deflate"), args[2]);
        }
      }
      System.out.printf("%.6f %.0f%n", (System.nanoTime() - begin) / 1e9, sum);
    }
  }

  private static double views(int n, String folder) {
    double sum = 0;
    try (H5File file = Hdf5.open(folder + "/view.h5")) {
      Dataset view = file.dataset("v");
      long[] one = {1, WIDTH};
      for (int i = 0; i < n; i++) {
        sum += view.readDoubles(Selection.box(new long[] {i, 0}, one))[0];
      }
    }
    return sum;
  }

  private static void append(int n, int rank, int rows, boolean deflate, String name) {
    CreateOptions options =
        CreateOptions.DEFAULT.withAccess(OpenOptions.EDIT.withDurability(Durability.PROCESS));
    long[] dims = rank == 1 ? new long[] {0} : new long[] {0, WIDTH};
    long[] most = rank == 1 ? new long[] {-1} : new long[] {-1, WIDTH};
    long[] chunk = rank == 1 ? new long[] {rows} : new long[] {rows, WIDTH};
    DatasetOptions.Builder layout = DatasetOptions.chunked(chunk);
    try (H5File file = Hdf5.create(Path.of(name), options)) {
      Dataset dataset =
          file.datasetBuilder("d")
              .type(Datatypes.F64LE)
              .shape(dims)
              .maxShape(most)
              .options(deflate ? layout.deflate(4).build() : layout.build())
              .create();
      double[] row = new double[rank == 1 ? 1 : WIDTH];
      for (int i = 0; i < n; i++) {
        for (int k = 0; k < row.length; k++) {
          row[k] = i % 1000 + k;
        }
        dataset.append(row);
      }
    }
  }
}
