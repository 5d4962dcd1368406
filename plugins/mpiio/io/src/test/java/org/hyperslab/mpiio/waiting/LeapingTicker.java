package org.hyperslab.mpiio.waiting;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * A time that stands still while any thread runs, and leaps to the end of the next pause when all
 * its threads, which are virtual, pause. A deadline is therefore reached at once if nothing can
 * prevent it, and never because the machine is busy.
 *
 * <p>Thread rule: safe; only its own threads may pause.
 */
public final class LeapingTicker implements Ticker {

  /** The time at which each pausing thread continues. */
  private final Map<Thread, Long> pauses = new HashMap<>();

  /** The threads whose next pause ends at once. */
  private final Set<Thread> permits = Collections.newSetFromMap(new WeakHashMap<>());

  private int threads;
  private volatile long now;

  @Override
  public long nanoTime() {
    return now;
  }

  @Override
  public void parkNanos(Object blocker, long nanos) {
    Thread me = Thread.currentThread();
    if (!begins(me, nanos)) {
      return;
    }
    while (pausing(me)) {
      LockSupport.park(blocker);
      if (me.isInterrupted()) {
        unpark(me);
      }
    }
  }

  /**
   * Pauses the calling thread.
   *
   * @param nanos the length of the pause in nanoseconds
   */
  public void pause(long nanos) {
    long start = now;
    for (long left = nanos; left > 0; left = nanos - (now - start)) {
      parkNanos(this, left);
    }
  }

  /**
   * Pauses the calling thread until a condition holds.
   *
   * @param condition the condition, which is evaluated each millisecond
   */
  public void pauseUntil(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      parkNanos(this, 1_000_000);
    }
  }

  private synchronized boolean begins(Thread me, long nanos) {
    if (permits.remove(me) || nanos <= 0 || me.isInterrupted()) {
      return false;
    }
    pauses.put(me, nanos > Long.MAX_VALUE - now ? Long.MAX_VALUE : now + nanos);
    leap();
    return pauses.containsKey(me);
  }

  private synchronized boolean pausing(Thread thread) {
    return pauses.containsKey(thread);
  }

  @Override
  public synchronized void unpark(Thread thread) {
    if (thread == null) {
      return;
    }
    if (pauses.remove(thread) == null) {
      permits.add(thread);
    } else {
      LockSupport.unpark(thread);
    }
  }

  @Override
  public synchronized Thread newThread(String name, Runnable task) {
    threads++;
    return Thread.ofVirtual()
        .name(name)
        .unstarted(() -> {
          try {
            task.run();
          } finally {
            end(Thread.currentThread());
          }
        });
  }

  private synchronized void end(Thread thread) {
    threads--;
    permits.remove(thread);
    leap();
  }

  /** Moves the time on to the end of the next pauses, if all threads pause. */
  private void leap() {
    if (pauses.isEmpty() || pauses.size() < threads) {
      return;
    }
    long next = Long.MAX_VALUE;
    for (long end : pauses.values()) {
      next = Math.min(next, end);
    }
    now = next;
    long reached = next;
    pauses
        .entrySet()
        .removeIf(pause -> {
          boolean over = pause.getValue() <= reached;
          if (over) {
            LockSupport.unpark(pause.getKey());
          }
          return over;
        });
  }

  /** Returns how many of its threads have not ended. */
  public synchronized int threads() {
    return threads;
  }
}
