package org.hyperslab.mpiio.schedule;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.hyperslab.format.store.NativeAccess;
import org.hyperslab.format.store.SharedMemory;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.access.MemoryExtents;

/**
 * Where ranks that are threads of one JVM find each other's memory during a collective. What is
 * posted is found by a ticket that travels in the collective's first exchange, so that nothing is
 * shared between collectives.
 *
 * <p>It is the one place that is common to all threads of the process; whether two ranks are in one
 * process they tell by comparing {@link #process()}.
 *
 * <p>Thread rule: safe.
 */
public final class PeerBoard {

  private static final long PROCESS = ThreadLocalRandom.current().nextLong() | 1;
  private static final AtomicLong TICKETS = new AtomicLong();
  private static final ConcurrentHashMap<Long, Posted> POSTED = new ConcurrentHashMap<>();

  private PeerBoard() {}

  /**
   * What a rank accesses.
   *
   * @param file its extents
   * @param memory its memory, which every thread may touch
   */
  public record Posted(ExtentRuns file, MemoryExtents memory) {}

  /** A number that is equal for ranks of one process and, but for great bad luck, no others. */
  public static long process() {
    return PROCESS;
  }

  /**
   * Posts a rank's access until {@link #withdraw}. Memory of a confined arena is made reachable for
   * other threads: its owner waits in the collective meanwhile, so it stays alive.
   *
   * @return the ticket
   */
  public static long post(ExtentRuns file, MemoryExtents memory) {
    long ticket = TICKETS.incrementAndGet();
    POSTED.put(ticket, new Posted(file, reachable(memory)));
    return ticket;
  }

  /** What was posted under a ticket. */
  public static Posted find(long ticket) {
    return POSTED.get(ticket);
  }

  /** Takes it down. */
  public static void withdraw(long ticket) {
    POSTED.remove(ticket);
  }

  private static MemoryExtents reachable(MemoryExtents memory) {
    MemorySegment base = memory.base();

    if (SharedMemory.isShared(base) || !base.isNative()) {
      return memory;
    }
    try {
      return memory.of(MemorySegment.ofAddress(base.address()).reinterpret(base.byteSize()));
    } catch (IllegalCallerException denied) {
      throw NativeAccess.denied("memory of a confined arena in a collective transfer", denied);
    }
  }
}
