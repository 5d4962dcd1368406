package org.hyperslab.examples.guide;

import java.io.PrintStream;
import java.nio.file.Path;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;

/** Saves a simulation's state so that a crash at any time leaves the last complete one. */
final class Checkpoint {

  private static final String LATEST = "latest";
  private static final String NEXT = "next";

  private Checkpoint() {}

  static void run(Path folder, PrintStream out) {
    Path path = folder.resolve("checkpoint.h5");
    double[][] temperature = new double[64][64];
    temperature[32][32] = 1000;
    Hdf5.create(path).close();
    for (int step = 1; step <= 20; step++) {
      temperature = diffused(temperature);
      if (step % 5 == 0) {
        save(path, step, temperature);
      }
    }
    restart(path, out);
  }

  private static void save(Path path, int step, double[][] temperature) {
    try (H5File file = Hdf5.openForEdit(path)) {
      Group root = file.root();
      if (root.exists(NEXT)) {
        root.delete(NEXT); // left by a program that died
      }
      Group state = root.createGroup(NEXT);
      state.createDataset("temperature", temperature).setAttribute("units", "K");
      state.setAttribute("step", step);
      file.flush(); // the new state is durable before the old one is deleted
      if (root.exists(LATEST)) {
        root.delete(LATEST);
      }
      root.move(NEXT, LATEST);
    }
  }

  private static void restart(Path path, PrintStream out) {
    try (H5File file = Hdf5.open(path)) {
      Group state = file.group(LATEST);
      double[][] temperature = state.dataset("temperature").read(double[][].class);
      out.printf(
          "restart from step %d, %.1f K in the middle%n",
          state.attribute("step").readInt(), temperature[32][32]);
    }
  }

  private static double[][] diffused(double[][] old) {
    int n = old.length;
    double[][] now = new double[n][n];
    for (int i = 1; i < n - 1; i++) {
      for (int j = 1; j < n - 1; j++) {
        double around = old[i - 1][j] + old[i + 1][j] + old[i][j - 1] + old[i][j + 1];
        now[i][j] = old[i][j] + 0.2 * (around - 4 * old[i][j]);
      }
    }
    return now;
  }
}
