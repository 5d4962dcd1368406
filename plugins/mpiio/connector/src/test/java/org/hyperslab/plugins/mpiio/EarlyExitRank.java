package org.hyperslab.plugins.mpiio;

import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Worlds;

/**
 * A rank that {@link EarlyExitIT} starts under mpirun. The last rank ends while a file is open; the
 * others go on, or end so too.
 */
final class EarlyExitRank {

  private EarlyExitRank() {}

  /** Arguments: a file; "return" or "exit", which is how the last rank ends, or "all". */
  public static void main(String[] arguments) {
    System.setProperty("hyperslab.mpi.farewellSeconds", "2");
    Communicator world = Worlds.current();
    Session session = Hdf5.session("mpiio");
    H5File file = session.create(arguments[0], CreateOptions.DEFAULT);
    file.createGroup("together").close();
    if (arguments[1].equals("all")) {
      System.out.println("done " + world.rank());
      return;
    }
    if (world.rank() == world.size() - 1) {
      if (arguments[1].equals("exit")) {
        System.exit(0);
      }
      return;
    }
    file.createGroup("alone").close();
    System.out.println("went on " + world.rank());
  }
}
