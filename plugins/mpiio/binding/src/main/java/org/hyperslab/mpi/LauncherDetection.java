package org.hyperslab.mpi;

import java.util.Map;
import java.util.Optional;

/** Identifies, from the environment, the launcher that started this process. */
final class LauncherDetection {

  private LauncherDetection() {}

  /** Returns whether a launcher (mpirun, mpiexec, srun) started this process as a rank. */
  static boolean isRank(Map<String, String> environment) {
    return environment.containsKey("OMPI_COMM_WORLD_SIZE")
        || environment.containsKey("PMI_SIZE")
        || environment.containsKey("PMI_RANK")
        || environment.containsKey("PMIX_RANK");
  }

  /** Returns the ABI of the launcher's own MPI, if it can be determined. */
  static Optional<Abi> abi(Map<String, String> environment) {
    if (environment.containsKey("OMPI_COMM_WORLD_SIZE")) {
      return Optional.of(Abi.OPEN_MPI);
    }
    if (environment.containsKey("PMI_SIZE") || environment.containsKey("PMI_RANK")) {
      return Optional.of(Abi.MPICH);
    }
    return Optional.empty();
  }
}
