package org.hyperslab.mpiio.comm;

import java.util.Optional;
import java.util.function.Supplier;
import org.hyperslab.mpi.Mpi;
import org.hyperslab.mpi.MpiCommunicator;
import org.hyperslab.mpi.ThreadLevel;
import org.hyperslab.mpiio.waiting.IdleStrategy;

/**
 * Finds the world in which the caller runs. It is the thread world if the calling thread is one of
 * its ranks, otherwise the MPI job if this process belongs to one, otherwise a world of one rank.
 */
public final class Worlds {

  private static final String PROCESSES = "MPI_COMM_WORLD";

  private static final ThreadLocal<Communicator> BOUND = new ThreadLocal<>();

  private Worlds() {}

  /**
   * {@return the communicator of all ranks of the caller's world} A thread that {@link ThreadWorld}
   * started gets that world; any other thread gets the MPI job if a launcher such as {@code mpirun}
   * started the process, and otherwise a new world of one rank.
   *
   * @throws org.hyperslab.error.MpiException if a launcher started the process but MPI does not
   *     start
   */
  public static Communicator current() {
    Communicator bound = BOUND.get();
    if (bound == null) {
      bound = Mpi.launched() || Mpi.started().isPresent() ? ofProcesses() : ThreadWorld.alone();
      BOUND.set(bound);
    }
    return bound;
  }

  private static Communicator ofProcesses() {
    IdleStrategy.ofThisProcess().prepareThread();
    return WatchedCommunicator.of(new ProcessCommunicator(Mpi.start().world(), PROCESSES), true);
  }

  /**
   * {@return a communicator of the ranks of an MPI communicator; closing it frees the MPI
   * communicator}
   *
   * @param communicator the MPI communicator
   * @param name the name of the communicator, for display
   */
  public static Communicator of(MpiCommunicator communicator, String name) {
    return WatchedCommunicator.of(new ProcessCommunicator(communicator, name), false);
  }

  /**
   * {@return the underlying MPI communicator if ranks are processes, for calls that only MPI has}
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
   * {@return whether threads other than the rank's own may communicate: always between threads;
   * between processes, if MPI has granted {@link ThreadLevel#MULTIPLE}, which the code that started
   * MPI may not have requested}
   *
   * @param communicator the ranks
   */
  public static boolean takeOtherThreads(Communicator communicator) {
    return mpi(communicator).map(c -> c.mpi().threadLevel() == ThreadLevel.MULTIPLE).orElse(true);
  }

  /**
   * {@return whether this process belongs to an MPI job whose ranks take turns on the cores of a
   * machine, so that each further thread of a rank delays the ranks}
   */
  public static boolean shareCores() {
    return IdleStrategy.ofThisProcess() == IdleStrategy.SLEEPS;
  }

  /**
   * Runs an action. Meanwhile {@link #current} returns the given communicator in the calling
   * thread.
   *
   * @param <T> the type of the result
   * @param world the ranks
   * @param action the action
   * @return what the action returns
   */
  public static <T> T within(Communicator world, Supplier<T> action) {
    Communicator before = BOUND.get();
    BOUND.set(world);
    try {
      return action.get();
    } finally {
      restore(before);
    }
  }

  /** Runs a rank. Meanwhile {@link #current} returns its world in the calling thread. */
  static void runIn(Communicator world, RankBody body) throws Exception {
    Communicator before = BOUND.get();
    BOUND.set(world);
    try {
      body.run(world);
    } finally {
      restore(before);
    }
  }

  private static void restore(Communicator before) {
    if (before == null) {
      BOUND.remove();
    } else {
      BOUND.set(before);
    }
  }
}
