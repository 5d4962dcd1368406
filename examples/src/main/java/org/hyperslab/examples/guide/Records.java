package org.hyperslab.examples.guide;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Arrays;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;

/** Keeps a table: a Java record is a row, its components are columns. */
final class Records {

  /** The kind of a detector, stored as an enumeration of HDF5. */
  public enum Detector {
    FRONT,
    BACK
  }

  /**
   * A row of the table.
   *
   * @param id a number
   * @param energy in GeV
   * @param position x, y and z in m
   * @param detector the kind of detector
   * @param note free text
   */
  public record Event(long id, double energy, float[] position, Detector detector, String note) {}

  /**
   * Some columns of the table.
   *
   * @param id a number
   * @param energy in GeV
   */
  public record Energy(long id, double energy) {}

  private Records() {}

  static void run(Path folder, PrintStream out) {
    Event[] events = new Event[1000];
    for (int i = 0; i < events.length; i++) {
      float[] position = {i, 0.5f * i, -i};
      Detector detector = i % 2 == 0 ? Detector.FRONT : Detector.BACK;
      events[i] = new Event(i, 0.25 * i, position, detector, i == 7 ? "lucky" : "");
    }
    try (H5File file = Hdf5.create(folder.resolve("records.h5"))) {
      Dataset table = file.createDataset("events", events);

      double[] energies = table.field("energy").readDoubles(); // one column
      Energy[] some = table.slice("10:20").fields("id", "energy").read(Energy[].class);
      table.slice("0:1").field("note").write(new String[] {"first"}); // other columns stay
      Event[] back = table.slice("0:8").read(Event[].class);

      out.printf("%.1f GeV in all%n", Arrays.stream(energies).sum());
      out.printf("row 19: %s%n", some[9]);
      out.printf(
          "notes: %s, %s; row 7 by %s%n", back[0].note(), back[7].note(), back[7].detector());
    }
  }
}
