package org.hyperslab.mpiio.declared;

import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.hyperslab.error.MpiException;
import org.hyperslab.mpiio.comm.SharedFailure;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.waiting.Ticker;

/**
 * Pauses a thread between polls for messages of other ranks, and throws after a time in which none
 * arrived.
 *
 * <p>Thread rule: one thread at a time.
 */
final class BoundedWait {

  private static final int QUICK_LOOKS = 8;
  private static final long LEAST_NANOS = 50_000;
  private static final long MOST_NANOS = 500_000;
  private static final long SLOW_BYTES_PER_MICRO = 10;

  private final long deadlineNanos;
  private final long allowanceNanos;
  private final Ticker ticker;
  private int looks;
  private long since;

  /**
   * Creates a wait that has not begun.
   *
   * @param deadlineNanos the longest time without progress, in nanoseconds
   * @param unseenBytes the number of bytes that another rank may be writing to the file in the
   *     meantime; the time for them is added, because this rank does not see that progress
   * @param ticker the time of the ranks
   */
  BoundedWait(long deadlineNanos, long unseenBytes, Ticker ticker) {
    this.ticker = ticker;
    this.deadlineNanos = deadlineNanos;
    this.allowanceNanos = Math.min(unseenBytes, Long.MAX_VALUE >> 16) / SLOW_BYTES_PER_MICRO * 1000;
  }

  /** Records progress: the time starts anew with the next pause. */
  void moved() {
    looks = 0;
  }

  /**
   * Pauses: the first times by yielding the processor, then for an eighth of the time waited so
   * far, 50 to 500 µs.
   *
   * @param awaited finds the ranks whose messages are missing, for the error
   * @throws MpiException if the thread is interrupted, or if the time without progress is over
   */
  void pause(Supplier<? extends Collection<Integer>> awaited) {
    if (Thread.currentThread().isInterrupted()) {
      throw failure("actual=interrupted while waiting, expected=an end");
    }
    if (looks == 0) {
      since = ticker.nanoTime();
    }
    if (looks++ < QUICK_LOOKS) {
      Thread.yield();
      return;
    }
    ticker.parkNanos(this, Math.clamp((ticker.nanoTime() - since) / 8, LEAST_NANOS, MOST_NANOS));
    if (ticker.nanoTime() - since - deadlineNanos > allowanceNanos) {
      throw failure(
          "actual=nothing has moved for "
              + deadlineNanos / 1_000_000
              + " ms, waiting for "
              + SharedFailure.ranks(List.copyOf(new TreeSet<>(awaited.get())))
              + ", expected=every rank makes the writes that it has declared; the hint "
              + Hints.DEADLINE
              + " sets the time to wait");
    }
  }

  private static MpiException failure(String text) {
    return new MpiException("declared writes", MpiException.NO_RANK, MpiException.NO_CODE, text);
  }
}
