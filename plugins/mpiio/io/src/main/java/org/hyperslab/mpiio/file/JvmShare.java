package org.hyperslab.mpiio.file;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Reduction;

/** Hands an object of rank 0 to all ranks, if they live in one JVM. */
final class JvmShare {

  /** What is on its way from rank 0 to the others, by a number that rank 0 tells them. */
  private static final ConcurrentHashMap<Long, Object> OFFERED = new ConcurrentHashMap<>();

  private JvmShare() {}

  /**
   * The object that rank 0 makes, on every rank; or on every rank nothing, if one of them lives in
   * another JVM. Collective.
   */
  static <T> Optional<T> of(Communicator comm, Class<T> type, Supplier<T> maker) {
    long[] key = new long[1];
    if (comm.rank() == 0) {
      T made = maker.get();
      do {
        key[0] = ThreadLocalRandom.current().nextLong();
      } while (OFFERED.putIfAbsent(key[0], made) != null);
    }
    try {
      comm.broadcast(MemorySegment.ofArray(key), 0);
      Object found = OFFERED.get(key[0]);
      long[] here = {found == null ? 0 : 1};
      comm.allReduce(here, Reduction.MIN);
      return here[0] == 1 ? Optional.of(type.cast(found)) : Optional.empty();
    } finally {
      if (comm.rank() == 0) {
        OFFERED.remove(key[0]);
      }
    }
  }
}
