package org.hyperslab.mpi;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Ends the MPI of a rank whose work is done. Finalising waits for the other ranks, but the rank may
 * be what they wait for, in a collective call that it will never make. So it first meets the others
 * in a barrier that it can leave.
 *
 * <p>If it ends with something open that only all ranks together can close, it waits there for a
 * limited time, and then the job is aborted. Ranks that all end so, which is untidy and nothing
 * worse, meet there. If it ends with nothing open, the others may go on for as long as they like;
 * it answers those that ask whether it has ended ({@link EndInquiry}).
 *
 * <p>Thread rule: any thread may tell what is open; one takes leave.
 */
final class Farewell {

  /** The system property with the seconds that a rank waits so. */
  static final String SECONDS = "hyperslab.mpi.farewellSeconds";

  private static final int DEFAULT_SECONDS = 30;
  private static final long LEAST_PAUSE_NANOS = 20_000;
  private static final long MOST_PAUSE_NANOS = 2_000_000;

  private final Set<Supplier<List<String>>> shared = ConcurrentHashMap.newKeySet();

  /**
   * Registers a supplier of what is open, which is called when the rank ends; running what is
   * returned removes it.
   */
  Runnable watch(Supplier<List<String>> open) {
    shared.add(open);
    return () -> shared.remove(open);
  }

  /** Returns what is open that all ranks close together. */
  List<String> open() {
    List<String> all = new ArrayList<>();
    shared.forEach(each -> all.addAll(each.get()));
    return all;
  }

  /**
   * Waits for all ranks to come to their end.
   *
   * @param comm all ranks; nobody else makes collective calls on it
   * @param limit how long; null to wait for as long as it takes, and answer meanwhile those that
   *     ask whether this rank has ended
   * @return false if the time is over
   */
  boolean meetsOthers(MpiCommunicator comm, EndInquiry inquiry, Duration limit) {
    MpiRequest all = comm.collectives().startBarrier();
    long start = System.nanoTime();
    long pause = LEAST_PAUSE_NANOS;
    while (!all.test()) {
      if (limit == null) {
        inquiry.answerAll();
      } else if (System.nanoTime() - start > limit.toNanos()) {
        return false;
      }
      LockSupport.parkNanos(pause);
      pause = Math.min(2 * pause, MOST_PAUSE_NANOS);
    }
    return true;
  }

  /** Returns how long a rank waits. */
  static Duration limit() {
    return Duration.ofSeconds(Integer.getInteger(SECONDS, DEFAULT_SECONDS));
  }
}
