package org.hyperslab.mpiio.comm;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;

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
  private volatile int generation;

  ThreadBarrier(int size) {
    this.size = size;
    this.missing = new AtomicInteger(size);
    this.waiters = new AtomicReferenceArray<>(size);
  }

  /**
   * Waits for the others.
   *
   * @param universe the universe, which implements waiting
   * @param worldRank the calling rank's number in the universe
   * @param rank the calling rank's number in this barrier
   * @param call the collective call, for messages
   */
  void await(ThreadUniverse universe, int worldRank, int rank, String call) {
    int mine = generation;
    waiters.set(rank, Thread.currentThread());
    if (missing.decrementAndGet() == 0) {
      missing.set(size);
      generation = mine + 1;
      for (int other = 0; other < size; other++) {
        if (other != rank) {
          LockSupport.unpark(waiters.get(other));
        }
      }
      return;
    }
    universe.await(worldRank, call, () -> generation != mine);
  }
}
