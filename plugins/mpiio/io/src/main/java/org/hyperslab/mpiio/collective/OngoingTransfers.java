package org.hyperslab.mpiio.collective;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.hyperslab.error.MpiException;
import org.hyperslab.mpiio.collective.TransferLane.Ongoing;
import org.hyperslab.mpiio.collective.TransferLane.Withdrawal;

/**
 * The transfers of a lane that have been started and have not ended, in the order of their starts,
 * and the rule by which they take turns. Collective transfers begin in order, and reads do not go
 * on beside writes. A transfer takes part from the first {@link #takeArrivals} after its start.
 *
 * <p>Thread rule: {@link #add} and {@link #isIdle} by any thread; the other methods by the thread
 * that holds the lane's lock.
 */
final class OngoingTransfers {

  /**
   * The greatest number of collective transfers in progress at one time, each of which has its own
   * buffers.
   */
  private static final int MAX_AT_A_TIME = 16;

  private final Queue<Ongoing<?>> arrivals = new ConcurrentLinkedQueue<>();
  private final List<Ongoing<?>> ongoing = new ArrayList<>();
  private final AtomicInteger count = new AtomicInteger();

  /** Adds a transfer after all others. */
  void add(Ongoing<?> transfer) {
    count.incrementAndGet();
    arrivals.add(transfer);
  }

  /** Returns whether there are no transfers. */
  boolean isIdle() {
    return count.get() == 0;
  }

  /** Lets the transfers take part that were added since the last call. */
  void takeArrivals() {
    for (Ongoing<?> next = arrivals.poll(); next != null; next = arrivals.poll()) {
      ongoing.add(next);
    }
  }

  /** Returns the transfer that was started first; null if none takes part. */
  Ongoing<?> first() {
    return ongoing.isEmpty() ? null : ongoing.getFirst();
  }

  /** Returns whether all transfers wait for workers, which report, and none for another rank. */
  boolean awaitOnlyWorkers() {
    return arrivals.isEmpty()
        && ongoing.stream().allMatch(each -> each.reports() && each.awaitedRanks().isEmpty());
  }

  /** Returns whether a worker is busy with a transfer. */
  boolean anyWorks() {
    return ongoing.stream().anyMatch(Ongoing::works);
  }

  /** Returns the greatest time that other ranks may need for the file without a message. */
  long allowanceNanos() {
    return ongoing.stream().mapToLong(Ongoing::allowanceNanos).sum();
  }

  /** Returns the ranks with which messages are under way, ascending. */
  Set<Integer> awaitedRanks() {
    Set<Integer> ranks = new TreeSet<>();
    ongoing.forEach(each -> ranks.addAll(each.awaitedRanks()));
    return ranks;
  }

  /** Stops new accesses of other ranks to the memory of all transfers; returns their reach. */
  Set<Withdrawal> withdraw() {
    Set<Withdrawal> reach = EnumSet.noneOf(Withdrawal.class);
    ongoing.forEach(each -> reach.add(each.withdraw()));
    return reach;
  }

  /** Abandons all transfers. */
  void abandonAll(MpiException why) {
    ongoing.forEach(each -> each.abandon(why));
    forgetEnded();
  }

  /** Abandons the transfers whose memory neither a worker nor another rank is using. */
  void abandonUnused(MpiException why) {
    for (Ongoing<?> each : ongoing) {
      if (!each.works() && each.withdraw() != Withdrawal.BUSY) {
        each.abandon(why);
      }
    }
    forgetEnded();
  }

  private void forgetEnded() {
    int before = ongoing.size();
    ongoing.removeIf(Ongoing::hasEnded);
    count.addAndGet(ongoing.size() - before);
  }

  /**
   * Advances the transfers whose turn it is, as far as possible without waiting.
   *
   * @param awaited the transfer that the calling thread waits for; null if it does not wait
   * @return whether there was progress
   */
  boolean advance(Ongoing<?> awaited) {
    boolean moved = false;
    boolean mayBegin = true;
    int reads = 0;
    int writes = 0;
    boolean alone = ongoing.size() == 1;
    for (int i = 0; i < ongoing.size(); i++) {
      Ongoing<?> access = ongoing.get(i);
      boolean turn = access.hasBegun() || !access.isCollective();
      if (!turn) {
        int others = access.isWrite() ? reads : writes;
        mayBegin &= others == 0 && reads + writes < MAX_AT_A_TIME && access.mayAdvanceHere();
        turn = mayBegin;
      }
      if (turn && access.mayAdvanceHere()) {
        moved |= access.advance(alone && access == awaited);
      }
      if (access.isCollective() && !access.hasEnded()) {
        reads += access.isWrite() ? 0 : 1;
        writes += access.isWrite() ? 1 : 0;
      }
    }
    forgetEnded();
    return moved;
  }
}
