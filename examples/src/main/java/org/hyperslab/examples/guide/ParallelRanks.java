package org.hyperslab.examples.guide;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Arrays;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.format.space.Selection;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.mpi.Mpi;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.comm.Worlds;

/** Writes one file from many ranks: threads of this process, or processes under mpirun. */
final class ParallelRanks {

  private static final int RANKS = 4;
  private static final int ROWS = 16;
  private static final int COLUMNS = 1000;

  private ParallelRanks() {}

  static void run(Path folder, PrintStream out) {
    Path path = folder.resolve("ranks.h5");
    if (Mpi.launched()) {
      rank(Worlds.current(), path, out);
    } else {
      ThreadWorld.run(RANKS, world -> rank(world, path, out));
    }
  }

  private static void rank(Communicator world, Path path, PrintStream out) {
    try (Session session = Hdf5.session("mpiio")) {
      // Collective: every rank makes these calls, with the same arguments.
      try (H5File file = session.create(path)) {
        Dataset field =
            file.createDataset("field", double.class, (long) ROWS * world.size(), COLUMNS);
        field.setAttribute("ranks", world.size());

        // All ranks write their own rows at once.
        double[] mine = new double[ROWS * COLUMNS];
        Arrays.fill(mine, world.rank());
        long[] start = {(long) ROWS * world.rank(), 0};
        Selection rows = Selection.box(start, new long[] {ROWS, COLUMNS});
        field.write(rows, mine, TransferOptions.COLLECTIVE);
      }
    }
    if (world.rank() == 0) {
      try (H5File file = Hdf5.open(path)) {
        double[] column = file.dataset("field").slice(":, 0").readDoubles();
        out.printf("%d rows, by ranks 0 to %.0f%n", column.length, column[column.length - 1]);
      }
    }
  }
}
