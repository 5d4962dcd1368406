package org.hyperslab.mpiio.declared;

import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.hyperslab.error.MpiException;
import org.hyperslab.mpiio.comm.SharedFailure;
import org.hyperslab.mpiio.hint.Hints;

/**
 * Waits between two looks at something that other ranks must do, and gives up after a time in which
 * nothing has moved.
 *
 * <p>Thread rule: one thread at a time.
 */
final class Patience {

  private static final int QUICK_LOOKS = 8;
  private static final long PAUSE_NANOS = 50_000;
  private static final long SLOW_BYTES_PER_MICRO = 10;

  private final long deadlineNanos;
  private final long allowanceNanos;
  private int looks;
  private long since;

  /**
   * Creates what has not waited yet.
   *
   * @param deadlineNanos how long nothing may move
   * @param unseenBytes the bytes that another rank may be writing meanwhile, which is not seen here
   */
  Patience(long deadlineNanos, long unseenBytes) {
    this.deadlineNanos = deadlineNanos;
    this.allowanceNanos = Math.min(unseenBytes, Long.MAX_VALUE >> 16) / SLOW_BYTES_PER_MICRO * 1000;
  }

  /** Something has moved. */
  void moved() {
    looks = 0;
  }

  /**
   * Pauses.
   *
   * @param awaited finds the ranks that something must come from
   * @throws MpiException if the thread is interrupted, or nothing has moved for too long
   */
  void pause(Supplier<? extends Collection<Integer>> awaited) {
    if (Thread.currentThread().isInterrupted()) {
      throw failure("actual=interrupted while waiting, expected=an end");
    }
    if (looks == 0) {
      since = System.nanoTime();
    }
    if (looks++ < QUICK_LOOKS) {
      Thread.yield();
      return;
    }
    LockSupport.parkNanos(PAUSE_NANOS);
    if (System.nanoTime() - since - deadlineNanos > allowanceNanos) {
      throw failure(
          "actual=nothing has moved for "
              + deadlineNanos / 1_000_000
              + " ms, waiting for "
              + SharedFailure.ranks(List.copyOf(new TreeSet<>(awaited.get())))
              + ", expected=every rank makes the writes that it has declared; the hint "
              + Hints.DEADLINE
              + " says how long to wait");
    }
  }

  private static MpiException failure(String text) {
    return new MpiException("declared writes", MpiException.NO_RANK, MpiException.NO_CODE, text);
  }
}
