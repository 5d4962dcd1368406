package org.hyperslab.plugins.forwarding.server;

import java.util.Arrays;
import java.util.concurrent.Semaphore;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;

/** A client in a separate process, to be killed; prints the rows that have been acknowledged. */
public final class ClientChild {

  static final int ROWS = 100_000;
  static final int COLUMNS = 2048;

  private ClientChild() {}

  /** Writes row after row, each filled with its number plus one, until it is killed. */
  public static void main(String[] arguments) throws InterruptedException {
    Semaphore places = new Semaphore(64);
    try (Session session = Hdf5.session("forwarding servers=" + arguments[0]);
        H5File file = session.create("vanishing.h5", CreateOptions.DEFAULT)) {
      Dataset dataset =
          file.createDataset("rows", Datatypes.I32LE, Dataspace.simple(ROWS, COLUMNS));
      for (int row = 0; row < ROWS; row++) {
        int number = row;
        int[] values = new int[COLUMNS];
        Arrays.fill(values, row + 1);
        places.acquire();
        dataset
            .writeAsync(Selection.box(new long[] {row, 0}, new long[] {1, COLUMNS}), values)
            .thenRun(() -> {
              synchronized (places) {
                System.out.println(number);
                System.out.flush();
              }
              places.release();
            });
      }
    }
  }
}
