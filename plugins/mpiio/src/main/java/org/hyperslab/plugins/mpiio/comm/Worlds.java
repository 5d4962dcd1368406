package org.hyperslab.plugins.mpiio.comm;

/**
 * Finds the world in which the caller runs: the one whose rank the calling thread is, otherwise the
 * MPI job whose process this is, otherwise a world of one.
 */
public final class Worlds {

  private static final ThreadLocal<Communicator> BOUND = new ThreadLocal<>();

  private Worlds() {}

  /**
   * The communicator of all ranks of the caller's world. A thread that {@link ThreadWorld} started
   * gets its world's; any other thread gets that of the MPI job if a launcher such as {@code
   * mpirun} started the process, and otherwise a world of its own with one rank.
   *
   * @throws org.hyperslab.error.MpiException if a launcher started the process but MPI does not
   *     start
   */
  public static Communicator current() {
    Communicator bound = BOUND.get();
    if (bound == null) {
      bound = ThreadWorld.alone();
      BOUND.set(bound);
    }
    return bound;
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
