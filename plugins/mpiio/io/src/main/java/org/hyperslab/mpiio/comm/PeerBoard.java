package org.hyperslab.mpiio.comm;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Objects that ranks of one JVM hand each other. A rank posts an object and tells the others the
 * ticket by a message; {@link #process()} says whether they are in the same JVM, and so find it.
 *
 * <p>The tables are common to all threads of the process. Nothing stays in them after the call that
 * posted it.
 *
 * <p>Thread rule: safe.
 */
public final class PeerBoard {

  private static final long PROCESS = ThreadLocalRandom.current().nextLong() | 1;
  private static final AtomicLong TICKETS = new AtomicLong();
  private static final ConcurrentHashMap<Long, Object> POSTED = new ConcurrentHashMap<>();

  private PeerBoard() {}

  /** {@return a random number that identifies this process among those of a job} */
  public static long process() {
    return PROCESS;
  }

  /**
   * Posts an object until it is {@linkplain #withdraw withdrawn}.
   *
   * @param object what other ranks shall find
   * @return the ticket under which they find it
   */
  public static long post(Object object) {
    long ticket = TICKETS.incrementAndGet();
    POSTED.put(ticket, object);
    return ticket;
  }

  /**
   * Finds what a rank of this process has posted.
   *
   * @param <T> the object's type
   * @param ticket what {@link #post} returned
   * @param type the object's class
   * @return the object; null if it was withdrawn
   */
  public static <T> T find(long ticket, Class<T> type) {
    return type.cast(POSTED.get(ticket));
  }

  /**
   * Takes a posted object down.
   *
   * @param ticket what {@link #post} returned
   */
  public static void withdraw(long ticket) {
    POSTED.remove(ticket);
  }

  /**
   * Hands an object of rank 0 to all ranks, if they all live in one JVM. Collective.
   *
   * @param <T> the object's type
   * @param comm the ranks
   * @param type the object's class
   * @param maker makes the object; called on rank 0 alone
   * @return the object, or on every rank nothing if one of them lives in another JVM
   */
  public static <T> Optional<T> share(Communicator comm, Class<T> type, Supplier<T> maker) {
    long[] offer = {PROCESS, comm.rank() == 0 ? post(maker.get()) : 0};
    long ticket = offer[1];
    try {
      comm.broadcast(MemorySegment.ofArray(offer), 0);
      T found = offer[0] == PROCESS ? find(offer[1], type) : null;
      long[] here = {found == null ? 0 : 1};
      comm.allReduce(here, Reduction.MIN);
      return here[0] == 1 ? Optional.of(found) : Optional.empty();
    } finally {
      if (comm.rank() == 0) {
        withdraw(ticket);
      }
    }
  }
}
