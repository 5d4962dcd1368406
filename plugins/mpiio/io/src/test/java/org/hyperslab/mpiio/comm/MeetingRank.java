package org.hyperslab.mpiio.comm;

import org.hyperslab.error.MpiException;

/** A rank that {@link MeetingIT} starts under mpirun. */
final class MeetingRank {

  private static final long MINUTE_NANOS = 60_000_000_000L;
  private static final long LIMIT_NANOS = 500_000_000L;
  private static final int ABSENT = 7;

  private MeetingRank() {}

  /**
   * All ranks meet three times; then one rank skips the meetings and only joins the last barrier.
   */
  public static void main(String[] arguments) {
    Communicator world = Worlds.current();
    Communicator ranks = world.duplicate();
    for (int i = 0; i < 3; i++) {
      ranks.meet("call " + i, MINUTE_NANOS);
    }
    String heard = "absent";
    if (world.rank() != ABSENT) {
      try {
        ranks.meet("last", LIMIT_NANOS);
        heard = "nothing";
      } catch (MpiException missing) {
        heard = missing.text().contains("waiting for rank") ? "missing" : missing.text();
      }
    }
    world.barrier();
    System.out.println("done " + heard);
  }
}
