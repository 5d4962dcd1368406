package org.hyperslab.mpi;

import java.nio.file.Path;

/** A rank that {@link BindingRunIT} starts under mpirun. */
final class BindingRank {

  private BindingRank() {}

  /** Runs the checks. Arguments: "binding", or "files" and a folder. */
  public static void main(String[] arguments) throws Exception {
    Mpi mpi = Mpi.start();
    if (arguments[0].equals("files")) {
      FileChecks.run(mpi, Path.of(arguments[1]));
    } else {
      BindingChecks.run(mpi);
    }
    System.out.println("done rank " + mpi.world().rank());
  }
}
