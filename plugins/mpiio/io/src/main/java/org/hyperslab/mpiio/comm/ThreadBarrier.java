package org.hyperslab.mpiio.comm;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BooleanSupplier;
import org.hyperslab.error.MpiException;

/**
 * A reusable barrier for the threads of one communicator: the last thread to arrive releases the
 * others.
 *
 * <p>Writes of a rank before the barrier are visible to all ranks after it.
 */
final class ThreadBarrier {

  private final int size;
  private final AtomicInteger missing;
  private final AtomicReferenceArray<Thread> waiters;
  private final AtomicIntegerArray arrivals;
  private final AtomicReference<MpiException> broken = new AtomicReference<>();
  private volatile int generation;

  ThreadBarrier(int size) {
    this.size = size;
    this.missing = new AtomicInteger(size);
    this.waiters = new AtomicReferenceArray<>(size);
    this.arrivals = new AtomicIntegerArray(size);
  }

  /**
   * Waits for the others.
   *
   * @param universe the universe, which implements waiting
   * @param worldRank the calling rank's number in the universe
   * @param rank the calling rank's number in this barrier
   * @param call the collective call, for messages
   * @param nanos how long to wait at most; if that is over, the barrier is broken for all ranks
   * @throws MpiException if the barrier is broken
   */
  void await(ThreadUniverse universe, int worldRank, int rank, String call, long nanos) {
    check(worldRank, call);
    int mine = generation;
    waiters.set(rank, Thread.currentThread());
    int count = arrivals.incrementAndGet(rank);
    if (missing.decrementAndGet() == 0) {
      missing.set(size);
      generation = mine + 1;
      wakeOthers(universe, rank);
      return;
    }
    BooleanSupplier over = () -> generation != mine || broken.get() != null;
    if (!universe.await(worldRank, call, over, nanos)) {
      abandon(worldRank, call, nanos, count);
      wakeOthers(universe, rank);
    }
    if (generation == mine) {
      check(worldRank, call);
    }
  }

  private void abandon(int worldRank, String call, long nanos, int count) {
    List<Integer> absent = new ArrayList<>();
    for (int other = 0; other < size; other++) {
      if (arrivals.get(other) < count) {
        absent.add(other);
      }
    }
    broken.compareAndSet(
        null,
        new MpiException(
            call,
            worldRank,
            MpiException.NO_CODE,
            "actual=has waited for "
                + nanos / 1_000_000
                + " ms for "
                + (absent.isEmpty() ? "ranks that have just come" : SharedFailure.ranks(absent))
                + ", expected=every rank makes the same collective calls in the same order"));
  }

  private void wakeOthers(ThreadUniverse universe, int rank) {
    for (int other = 0; other < size; other++) {
      if (other != rank) {
        universe.ticker().unpark(waiters.get(other));
      }
    }
  }

  /** Returns whether a rank has given up waiting for others. */
  boolean isBroken() {
    return broken.get() != null;
  }

  /** Throws if the barrier is broken. */
  void check(int worldRank, String call) {
    MpiException why = broken.get();
    if (why != null) {
      throw new MpiException(call, worldRank, MpiException.NO_CODE, why.text(), why);
    }
  }
}
