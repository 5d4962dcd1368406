package org.hyperslab.examples.ranks;

import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.MpiException;
import org.hyperslab.mpi.Mpi;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.RankBody;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.comm.Worlds;

/**
 * Runs an example on many ranks: in this process as one rank if a launcher such as {@code mpirun}
 * started it, otherwise in threads of this process.
 */
public final class Ranks {

  /** The default number of threads. */
  private static final int DEFAULT = 4;

  private Ranks() {}

  /**
   * Determines the number of ranks.
   *
   * @param asked the requested number; 0 for the number that the launcher started, or 4 without a
   *     launcher
   * @return the number
   * @throws InvalidUseException if a launcher has started another number than requested
   */
  public static int count(int asked) {
    if (!Mpi.launched()) {
      return asked == 0 ? DEFAULT : asked;
    }
    int started = Worlds.current().size();
    if (asked != 0 && asked != started) {
      throw new InvalidUseException(
          "ranks: actual="
              + asked
              + " asked for, expected="
              + started
              + ", as many as the launcher started; leave the number to it");
    }
    return started;
  }

  /**
   * {@return what the ranks are, for display: {@code "threads"}, or MPI's name of the communicator}
   *
   * @param world the communicator of all ranks
   */
  public static String describe(Communicator world) {
    return Mpi.launched() ? world.describe() : "threads";
  }

  /** {@return whether this process prints: it runs all ranks, or rank 0} */
  public static boolean speaks() {
    return !Mpi.launched() || Worlds.current().rank() == 0;
  }

  /**
   * Runs the ranks of this process and waits for their end.
   *
   * @param asked the requested number of ranks, as for {@link #count}
   * @param body the code that each rank runs
   * @throws MpiException if a rank failed; its exception is the cause if ranks are threads
   */
  public static void run(int asked, RankBody body) {
    int ranks = count(asked);
    if (!Mpi.launched()) {
      ThreadWorld.run(ranks, body);
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
