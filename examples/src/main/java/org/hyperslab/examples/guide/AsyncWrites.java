package org.hyperslab.examples.guide;

import java.io.PrintStream;
import java.nio.file.Path;
import org.hyperslab.Dataset;
import org.hyperslab.EventSet;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.format.space.Selection;

/** Computes while earlier results are written; an event set collects the outcomes of the writes. */
final class AsyncWrites {

  private static final int STEPS = 50;
  private static final int POINTS = 10_000;

  private AsyncWrites() {}

  static void run(Path folder, PrintStream out) {
    // The connector "async" works in the background, in the order of the calls.
    try (Session session = Hdf5.session("async | native");
        H5File file = session.create(folder.resolve("async.h5"))) {
      Dataset field = file.createDataset("field", double.class, STEPS, POINTS);
      EventSet writes = new EventSet();
      for (int step = 0; step < STEPS; step++) {
        double[] row = computed(step); // a new array: a write owns its memory until it is done
        Selection here = Selection.box(new long[] {step, 0}, new long[] {1, POINTS});
        writes.insert("step " + step, field.writeAsync(here, row));
      }
      EventSet.Status status = writes.await();
      out.printf(
          "%d writes, %d under way, %d failed%n",
          writes.insertedCount(), status.pending(), status.failed());
      writes.takeFailures().forEach(one -> out.println(one.label() + ": " + one.cause()));
    }
  }

  private static double[] computed(int step) {
    double[] row = new double[POINTS];
    for (int i = 0; i < POINTS; i++) {
      row[i] = step + Math.sqrt(i);
    }
    return row;
  }
}
