package org.hyperslab.mpiio.comm;

/** The code that each rank of a world runs. */
@FunctionalInterface
public interface RankBody {

  /**
   * Runs one rank.
   *
   * @param world the communicator of all ranks, as this rank sees it
   * @throws Exception if the rank fails, which ends the world: ranks that wait for this one fail
   *     too
   */
  void run(Communicator world) throws Exception;
}
