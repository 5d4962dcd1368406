package org.hyperslab.examples.ranks;

import org.hyperslab.error.MpiException;
import org.hyperslab.mpi.Mpi;
import org.hyperslab.plugins.mpiio.comm.Communicator;
import org.hyperslab.plugins.mpiio.comm.RankBody;
import org.hyperslab.plugins.mpiio.comm.ThreadWorld;
import org.hyperslab.plugins.mpiio.comm.Worlds;

/**
 * Runs an example on many ranks: on this process as one of them when a launcher such as {@code
 * mpirun} started it, otherwise on threads of this process.
 */
public final class Ranks {

  private Ranks() {}

  /** How many ranks there will be: those of the launcher, otherwise as many as asked for. */
  public static int count(int asked) {
    return Mpi.launched() ? Worlds.current().size() : asked;
  }

  /** Whether this process prints: it holds all ranks, or rank 0. */
  public static boolean speaks() {
    return !Mpi.launched() || Worlds.current().rank() == 0;
  }

  /**
   * Runs the ranks of this process to their end.
   *
   * @param asked ranks wanted, where no launcher says
   * @throws MpiException if a rank failed: its exception is the cause where ranks are threads
   */
  public static void run(int asked, RankBody body) {
    if (!Mpi.launched()) {
      ThreadWorld.run(asked, body);
      return;
    }
    Communicator world = Worlds.current();
    try {
      body.run(world);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new MpiException(
          "rank " + world.rank(), world.rank(), MpiException.NO_CODE, e.toString(), e);
    }
  }
}
