package org.hyperslab.mpi;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Finalises MPI in a rank that has finished its work. Finalising waits for the other ranks, but
 * these may be waiting for this rank in a collective call that it will never make. The rank
 * therefore first meets the others in a barrier that it can leave.
 *
 * <p>If a resource is still open that only all ranks together can close, the rank waits in the
 * barrier for a limited time, after which the job is aborted. If all ranks end in this state, they
 * meet in the barrier and end normally. If nothing is open, the rank waits without limit and
 * answers ranks that ask whether it has ended ({@link TerminationProbe}).
 *
 * <p>Thread rule: any thread may register suppliers; one thread waits.
 */
final class Finalization {

  /** The name of the system property with the seconds for which a rank waits. */
  static final String SECONDS = "hyperslab.mpi.farewellSeconds";

  private static final int DEFAULT_SECONDS = 30;
  private static final long MIN_PAUSE_NANOS = 20_000;
  private static final long MAX_PAUSE_NANOS = 2_000_000;

  private final Set<Supplier<List<String>>> shared = ConcurrentHashMap.newKeySet();

  /**
   * Registers a supplier of the names of open resources, which is called when the rank ends.
   * Running the returned action removes the supplier.
   */
  Runnable watch(Supplier<List<String>> open) {
    shared.add(open);
    return () -> shared.remove(open);
  }

  /** Returns the names of open resources that all ranks close together. */
  List<String> open() {
    List<String> all = new ArrayList<>();
    shared.forEach(each -> all.addAll(each.get()));
    return all;
  }

  /**
   * Waits for all ranks to end.
   *
   * @param comm all ranks; nobody else makes collective calls on it
   * @param limit the time limit; null to wait without limit and meanwhile answer ranks that ask
   *     whether this rank has ended
   * @return false if the time has elapsed
   */
  boolean meetsOthers(MpiCommunicator comm, TerminationProbe probe, Duration limit) {
    MpiRequest all = comm.collectives().startBarrier();
    long start = System.nanoTime();
    long pause = MIN_PAUSE_NANOS;
    while (!all.test()) {
      if (limit == null) {
        probe.answerAll();
      } else if (System.nanoTime() - start > limit.toNanos()) {
        return false;
      }
      LockSupport.parkNanos(pause);
      pause = Math.min(2 * pause, MAX_PAUSE_NANOS);
    }
    return true;
  }

  /** Returns how long a rank waits. */
  static Duration limit() {
    return Duration.ofSeconds(Integer.getInteger(SECONDS, DEFAULT_SECONDS));
  }
}
