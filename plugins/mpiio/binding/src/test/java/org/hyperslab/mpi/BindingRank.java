package org.hyperslab.mpi;

import java.nio.file.Path;

/** A rank that {@link BindingRunIT} starts under mpirun. */
final class BindingRank {

  private BindingRank() {}

  /** Runs all checks. Argument: a folder for files. */
  public static void main(String[] arguments) throws Exception {
    Mpi mpi = Mpi.start();
    BindingChecks.run(mpi);
    FileChecks.run(mpi, Path.of(arguments[0]));
    System.out.println("done rank " + mpi.world().rank());
  }
}
