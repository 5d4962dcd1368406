package org.hyperslab.mpiio.comm;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Shares objects between ranks of one JVM. A rank posts an object and sends the others its ticket
 * by a message; {@link #process()} shows whether they are in the same JVM and can find it.
 *
 * <p>All threads of the process share the tables. An object stays in them only during the call that
 * posted it.
 *
 * <p>Thread rule: safe.
 */
public final class SharedObjects {

  private static final long PROCESS = ThreadLocalRandom.current().nextLong() | 1;
  private static final AtomicLong TICKETS = new AtomicLong();
  private static final ConcurrentHashMap<Long, Object> POSTED = new ConcurrentHashMap<>();

  private SharedObjects() {}

  /** {@return a random number that identifies this process among those of a job} */
  public static long process() {
    return PROCESS;
  }

  /**
   * Posts an object until it is {@linkplain #withdraw withdrawn}.
   *
   * @param object the object that other ranks are to find
   * @return the ticket under which they find it
   */
  public static long post(Object object) {
    long ticket = TICKETS.incrementAndGet();
    POSTED.put(ticket, object);
    return ticket;
  }

  /**
   * Finds an object that a rank of this process has posted.
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
   * Removes a posted object.
   *
   * @param ticket what {@link #post} returned
   */
  public static void withdraw(long ticket) {
    POSTED.remove(ticket);
  }

  /**
   * Shares an object of rank 0 with all ranks if they are all in one JVM. Collective.
   *
   * @param <T> the object's type
   * @param comm the ranks
   * @param type the object's class
   * @param maker makes the object; called on rank 0 alone
   * @return the object; empty on every rank if one of them is in another JVM
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
