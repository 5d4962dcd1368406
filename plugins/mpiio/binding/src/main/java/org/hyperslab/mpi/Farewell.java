package org.hyperslab.mpi;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * How a rank whose work is done takes leave. Finalising waits for the other ranks; but a rank that
 * ends with something open that only all ranks together can close may be what they wait for, in a
 * collective call that it will never make. So such a rank first waits for the others for a limited
 * time. Ranks that all end so, which is untidy and nothing worse, meet there.
 *
 * <p>Thread rule: any thread may tell what is open; one takes leave.
 */
final class Farewell {

  /** The system property with the seconds that a rank waits so. */
  static final String SECONDS = "hyperslab.mpi.farewellSeconds";

  private static final int DEFAULT_SECONDS = 30;
  private static final long PAUSE_NANOS = 1_000_000;

  private final Set<Supplier<List<String>>> shared = ConcurrentHashMap.newKeySet();

  /** Has what is open asked for when the rank ends; closing what is returned ends that. */
  Runnable watch(Supplier<List<String>> open) {
    shared.add(open);
    return () -> shared.remove(open);
  }

  /** What is open that all ranks close together. */
  List<String> open() {
    List<String> all = new ArrayList<>();
    shared.forEach(each -> all.addAll(each.get()));
    return all;
  }

  /** Whether all ranks have come to their end; false if the time is over. */
  boolean meetsOthers(MpiCommunicator world) {
    MpiRequest all = world.collectives().startBarrier();
    long end = System.nanoTime() + limit().toNanos();
    while (!all.test()) {
      if (System.nanoTime() > end) {
        return false;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return true;
  }

  /** How long a rank waits. */
  static Duration limit() {
    return Duration.ofSeconds(Integer.getInteger(SECONDS, DEFAULT_SECONDS));
  }
}
