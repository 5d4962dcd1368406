package org.hyperslab.mpiio.comm;

import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BooleanSupplier;
import org.hyperslab.error.MpiException;
import org.hyperslab.mpiio.waiting.Ticker;

/**
 * The state that all communicators of one thread world share: the thread of each rank, the
 * condition for which it waits, and the failure that ended the world, if any.
 *
 * <p>Every wait ends: when its condition holds, when the world has failed, when the time limit has
 * passed, or in a deadlock, when every running rank waits and none of their conditions holds.
 *
 * <p>Thread rule: safe for use by all ranks.
 */
final class ThreadUniverse {

  /** The time for which a waiting rank sleeps before it checks for a deadlock. */
  private static final long LOOK_NANOS = 2_000_000_000L;

  private static final int SPINS = 100;

  private final int ranks;
  private final ThreadWorld settings;
  private final Ticker ticker;
  private final long startNanos;
  private final int spins;
  private final AtomicReferenceArray<Thread> threads;
  private final AtomicReferenceArray<Wait> waits;
  private final AtomicReference<MpiException> failure = new AtomicReference<>();

  /**
   * The waiting threads that do not belong to a rank; while there are any, deadlocks are not
   * detected.
   */
  private final Set<Thread> strangers = ConcurrentHashMap.newKeySet();

  private volatile boolean strangerSeen;

  /** The wait of a rank: the call, the condition, and the start. */
  private record Wait(String what, BooleanSupplier done, long sinceNanos) {}

  ThreadUniverse(ThreadWorld settings) {
    this.settings = settings;
    this.ranks = settings.ranks();
    this.ticker = settings.ticker();
    this.startNanos = ticker.nanoTime();
    this.threads = new AtomicReferenceArray<>(ranks);
    this.waits = new AtomicReferenceArray<>(ranks);
    this.spins = ranks <= Runtime.getRuntime().availableProcessors() ? SPINS : 1;
  }

  Ticker ticker() {
    return ticker;
  }

  ThreadWorld settings() {
    return settings;
  }

  /** Sets the thread of a rank; null when it has ended. */
  void bind(int rank, Thread thread) {
    threads.set(rank, thread);
  }

  /** Returns the failure that ended the world, or null. */
  MpiException failure() {
    return failure.get();
  }

  /** Ends the world: every wait ends with an error. Only the first failure is kept. */
  void fail(MpiException why) {
    if (failure.compareAndSet(null, why)) {
      for (int rank = 0; rank < ranks; rank++) {
        ticker.unpark(threads.get(rank));
      }
      strangers.forEach(ticker::unpark);
    }
  }

  /** Throws if the world has failed. */
  void check(int rank, String call) {
    MpiException why = failure.get();
    if (why != null) {
      throw new MpiException(call, rank, MpiException.NO_CODE, why.getMessage(), why);
    }
  }

  /**
   * Waits until a condition holds. The thread that makes it hold must unpark the calling thread.
   *
   * @param rank the rank that waits
   * @param what the call, for messages
   */
  void await(int rank, String what, BooleanSupplier done) {
    await(rank, what, done, Long.MAX_VALUE);
  }

  /**
   * Waits until a condition holds, but not longer than a time.
   *
   * @param nanos the longest time
   * @return whether the condition holds
   */
  boolean await(int rank, String what, BooleanSupplier done, long nanos) {
    for (int i = 0; i < spins; i++) {
      if (done.getAsBoolean()) {
        return true;
      }
      Thread.onSpinWait();
    }
    Wait wait = new Wait(what, done, ticker.nanoTime());
    boolean stranger = enter(rank, wait);
    try {
      while (!done.getAsBoolean()) {
        check(rank, what);
        if (Thread.currentThread().isInterrupted()) {
          throw new MpiException(what, rank, MpiException.NO_CODE, "interrupted while waiting");
        }
        long left = nanos - (ticker.nanoTime() - wait.sinceNanos);
        if (left <= 0) {
          return false;
        }
        long most = Math.min(LOOK_NANOS, Math.min(left, remainingNanos()));
        ticker.parkNanos(wait, Math.max(1, most));
        inspect(wait);
      }
      return true;
    } finally {
      leave(rank, stranger);
    }
  }

  /** Returns the nanoseconds until the time limit. */
  long remainingNanos() {
    long limit = settings.limitNanos();
    return limit == 0 ? Long.MAX_VALUE : limit - (ticker.nanoTime() - startNanos);
  }

  /** Fails the world if its time limit has passed. */
  void expire() {
    if (remainingNanos() <= 0) {
      fail(
          new MpiException(
              "ThreadWorld",
              MpiException.NO_RANK,
              MpiException.NO_CODE,
              "time limit of " + settings.limitNanos() / 1_000_000 + " ms is over; " + states()));
    }
  }

  private boolean enter(int rank, Wait wait) {
    Thread me = Thread.currentThread();
    boolean stranger = me != threads.get(rank);
    if (stranger) {
      strangerSeen = true;
      strangers.add(me);
    } else {
      waits.set(rank, wait);
    }
    return stranger;
  }

  private void leave(int rank, boolean stranger) {
    if (stranger) {
      strangers.remove(Thread.currentThread());
    } else {
      waits.set(rank, null);
    }
  }

  private void inspect(Wait wait) {
    expire();
    long now = ticker.nanoTime();
    if (now - wait.sinceNanos >= LOOK_NANOS && !strangerSeen && allWait(now)) {
      fail(
          new MpiException(
              "ThreadWorld",
              MpiException.NO_RANK,
              MpiException.NO_CODE,
              "deadlock: no rank that still runs can go on; " + states()));
    }
  }

  /**
   * Returns whether every rank has ended or has waited for some time for a condition that does not
   * hold. This state is final, because only a running rank can make a condition hold. The delay
   * gives threads that a rank has started time to register here.
   *
   * <p>A rank whose condition holds may continue at any moment and make the conditions of others
   * hold. Each rank is therefore examined twice: if it is in the same wait before and after its
   * condition was found not to hold, all ranks were waiting at the moment in between.
   */
  private boolean allWait(long now) {
    Wait[] before = new Wait[ranks];
    for (int rank = 0; rank < ranks; rank++) {
      before[rank] = waits.get(rank);
      boolean ended = threads.get(rank) == null;
      if (!ended && (before[rank] == null || now - before[rank].sinceNanos < LOOK_NANOS / 2)) {
        return false;
      }
    }
    for (int rank = 0; rank < ranks; rank++) {
      Wait wait = before[rank];
      if (wait != null && (wait.done.getAsBoolean() || waits.get(rank) != wait)) {
        return false;
      }
    }
    return true;
  }

  private String states() {
    StringJoiner all = new StringJoiner(", ");
    for (int rank = 0; rank < Math.min(ranks, 64); rank++) {
      Wait wait = waits.get(rank);
      String state = wait == null ? "runs" : "waits in " + wait.what;
      all.add("rank " + rank + " " + (threads.get(rank) == null ? "has ended" : state));
    }
    return all.toString();
  }
}
