package org.hyperslab.mpiio.comm;

import java.util.Optional;
import org.hyperslab.mpi.Mpi;
import org.hyperslab.mpi.MpiCommunicator;
import org.hyperslab.mpi.ThreadLevel;

/**
 * Finds the world in which the caller runs: the thread world if the calling thread is one of its
 * ranks, otherwise the MPI job if this process belongs to one, otherwise a world of one rank.
 */
public final class Worlds {

  private static final String PROCESSES = "MPI_COMM_WORLD";

  private static final ThreadLocal<Communicator> BOUND = new ThreadLocal<>();

  private Worlds() {}

  /**
   * {@return the communicator of all ranks of the caller's world} A thread that {@link ThreadWorld}
   * started gets its world's; any other thread gets that of the MPI job if a launcher such as
   * {@code mpirun} started the process, and otherwise a world of its own with one rank.
   *
   * @throws org.hyperslab.error.MpiException if a launcher started the process but MPI does not
   *     start
   */
  public static Communicator current() {
    Communicator bound = BOUND.get();
    if (bound == null) {
      bound =
          Mpi.launched() || Mpi.started().isPresent()
              ? WatchedCommunicator.of(
                  new ProcessCommunicator(Mpi.start().world(), PROCESSES), true)
              : ThreadWorld.alone();
      BOUND.set(bound);
    }
    return bound;
  }

  /**
   * {@return the ranks of an MPI communicator; closing what is returned frees that}
   *
   * @param communicator the ranks
   * @param name the name of the communicator, for people
   */
  public static Communicator of(MpiCommunicator communicator, String name) {
    return WatchedCommunicator.of(new ProcessCommunicator(communicator, name), false);
  }

  /**
   * {@return the MPI communicator below, where ranks are processes: for what only MPI can do}
   *
   * @param communicator the ranks
   */
  public static Optional<MpiCommunicator> mpi(Communicator communicator) {
    return switch (communicator) {
      case WatchedCommunicator watched -> Optional.of(watched.mpi());
      case ProcessCommunicator processes -> Optional.of(processes.mpi());
      default -> Optional.empty();
    };
  }

  /**
   * {@return whether a thread beside the rank's own may communicate: always between threads,
   * between processes where MPI has granted {@link ThreadLevel#MULTIPLE}, which whoever started it
   * may not have asked for}
   *
   * @param communicator the ranks
   */
  public static boolean takeOtherThreads(Communicator communicator) {
    return mpi(communicator).map(c -> c.mpi().threadLevel() == ThreadLevel.MULTIPLE).orElse(true);
  }

  /** Runs a rank whose world is {@link #current} for the calling thread meanwhile. */
  static void runIn(Communicator world, RankBody body) throws Exception {
    Communicator before = BOUND.get();
    BOUND.set(world);
    try {
      body.run(world);
    } finally {
      if (before == null) {
        BOUND.remove();
      } else {
        BOUND.set(before);
      }
    }
  }
}
