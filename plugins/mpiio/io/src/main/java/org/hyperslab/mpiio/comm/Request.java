package org.hyperslab.mpiio.comm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * A non-blocking message. Its memory must not be accessed until {@link #test} has returned true or
 * {@link #await} has returned.
 *
 * <p>Thread rule: used by the thread that started it.
 */
public interface Request {

  /**
   * Returns whether the message has completed, without waiting. Once true, always true.
   *
   * @return whether the message has completed
   * @throws org.hyperslab.error.MpiException if the message failed
   */
  boolean test();

  /**
   * Waits until the message has completed. May be called again, with the same result.
   *
   * @return the number of bytes sent or received
   * @throws org.hyperslab.error.MpiException if the message failed, or a rank of the world has
   */
  long await();

  /**
   * Asks that the message not take place. It has to be tested until it has ended all the same: a
   * message that cannot be cancelled, or is on its way, ends as if nobody had asked.
   */
  default void cancel() {}

  /**
   * Waits, but not longer than a time.
   *
   * @param nanos the longest time in nanoseconds; below 1 only tests
   * @return whether it has completed
   * @throws org.hyperslab.error.MpiException if the message failed, or a rank of the world has
   */
  default boolean awaitAtMost(long nanos) {
    if (nanos == Long.MAX_VALUE) {
      await();
      return true;
    }
    long start = System.nanoTime();
    boolean ended = test();
    for (long waited = 0; !ended && waited < nanos; waited = System.nanoTime() - start) {
      // an eighth of the time waited, at least a microsecond, at most a quarter of a millisecond
      LockSupport.parkNanos(Math.clamp(waited / 8, 1_000, 250_000));
      ended = test();
    }
    return ended;
  }

  /**
   * Gives up messages: cancels them, and keeps those that do not end by that, to be tested later.
   * The caller, who may communicate, must not use these requests any more.
   *
   * @param messages the messages
   * @param ended runs once when all have ended, so that nobody accesses their memory: before this
   *     returns, or in a later call of {@link #testGivenUp} by any thread; must not throw
   */
  static void giveUp(Collection<? extends Request> messages, Runnable ended) {
    GivenUpMessages.add(messages, ended);
  }

  /**
   * Gives up the messages of a rank that makes no calls any more, and forgets them.
   *
   * @param sends messages that may not have left; emptied
   * @param receives the next message of each rank; null for none; set to null
   */
  static void giveUpAll(Collection<Request> sends, Request[] receives) {
    List<Request> messages = new ArrayList<>(sends);
    Arrays.stream(receives).filter(Objects::nonNull).forEach(messages::add);
    sends.clear();
    Arrays.fill(receives, null);
    giveUp(messages, () -> {});
  }

  /**
   * Tries an action now, and again whenever messages that were given up are tested.
   *
   * @param action returns whether it has succeeded, and is not tried again; must not wait
   */
  static void tryUntilDone(BooleanSupplier action) {
    GivenUpMessages.tryUntilDone(action);
  }

  /** Tests the messages of this process that were given up and have not ended, without waiting. */
  static void testGivenUp() {
    GivenUpMessages.test();
  }
}
