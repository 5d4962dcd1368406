package org.hyperslab.plugins.mpiio;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Worlds;
import org.hyperslab.mpiio.hint.Hints;

/**
 * A rank that {@link StartedTransfersIT} starts under mpirun: writes rows of several datasets,
 * which belong to the ranks in turn, without waiting in between, and reads them back.
 */
final class StartedTransfersRank {

  private static final int ROWS = 64;
  private static final int COLUMNS = 4096;
  private static final int DATASETS = 3;

  private StartedTransfersRank() {}

  /** Arguments: a folder, and any number of hints. */
  public static void main(String[] arguments) throws Exception {
    Communicator world = Worlds.current();
    for (int i = 1; i < arguments.length; i++) {
      MpiioOptions options = MpiioOptions.DEFAULT.withHints(Hints.parse(arguments[i]));
      Path path = Path.of(arguments[0]).resolve("started" + i + ".h5");
      try (MpiioConnector connector = MpiioConnector.over(world, options);
          Session session = Hdf5.session(connector);
          H5File file = session.create(path)) {
        run(world, file);
      }
    }
    System.out.println("done " + world.describe());
  }

  private static void run(Communicator world, H5File file) {
    Dataset[] datasets = new Dataset[DATASETS];
    CompletableFuture<?>[] writes = new CompletableFuture<?>[DATASETS];
    Selection mine = mine(world);
    for (int i = 0; i < DATASETS; i++) {
      Dataspace space = Dataspace.simple(ROWS * world.size(), COLUMNS);
      datasets[i] = file.createDataset("d" + i, Datatypes.F64LE, space);
      writes[i] = datasets[i].writeAsync(mine, values(world, i), TransferOptions.COLLECTIVE);
    }
    CompletableFuture.allOf(writes).join();
    for (int i = 0; i < DATASETS; i++) {
      double[] back = new double[ROWS * COLUMNS];
      datasets[i].readIntoAsync(mine, back, TransferOptions.COLLECTIVE).join();
      if (!Arrays.equals(back, values(world, i))) {
        throw new AssertionError("dataset " + i + " differs on rank " + world.rank());
      }
    }
  }

  /** Selects every n-th row. */
  private static Selection mine(Communicator world) {
    return Selection.hyperslab(
        new long[] {world.rank(), 0},
        new long[] {world.size(), 1},
        new long[] {ROWS, COLUMNS},
        new long[] {1, 1});
  }

  private static double[] values(Communicator world, int number) {
    double[] values = new double[ROWS * COLUMNS];
    Arrays.setAll(values, at -> number * 1e9 + world.rank() * 1e7 + at);
    return values;
  }
}
