package org.hyperslab.mpiio.waiting;

import java.util.concurrent.locks.LockSupport;

/**
 * The time by which ranks wait for each other, and the threads that work for them: it reads the
 * clock, makes threads, lets them pause, and ends pauses. Ranks that are threads of one process may
 * be given another one than the system's, which can then move its time on when all threads pause,
 * instead of letting them wait.
 *
 * <p>Thread rule: safe.
 */
public interface Ticker {

  /** The time of {@link System#nanoTime} and the pauses of {@link LockSupport}. */
  Ticker SYSTEM =
      new Ticker() {
        @Override
        public long nanoTime() {
          return System.nanoTime();
        }

        @Override
        public void parkNanos(Object blocker, long nanos) {
          LockSupport.parkNanos(blocker, nanos);
        }

        @Override
        public void unpark(Thread thread) {
          LockSupport.unpark(thread);
        }

        @Override
        public Thread newThread(String name, Runnable task) {
          return Thread.ofPlatform().daemon().name(name).unstarted(task);
        }
      };

  /** {@return the time in nanoseconds; only differences mean something} */
  long nanoTime();

  /**
   * Pauses the calling thread, as {@link LockSupport#parkNanos(Object, long)} does: until the time
   * has passed, the thread has been unparked, or it is interrupted; or for no reason.
   *
   * @param blocker what the thread waits for, for thread dumps
   * @param nanos the longest time in nanoseconds; below 1 does not pause
   */
  void parkNanos(Object blocker, long nanos);

  /**
   * Ends the pause of a thread, or keeps its next pause from beginning.
   *
   * @param thread the thread; null for none
   */
  void unpark(Thread thread);

  /**
   * {@return a daemon thread, which the caller is to start} From now until it ends it counts as one
   * that may go on: a ticker that waits for all threads to pause waits for it too.
   *
   * @param name its name
   * @param task what it runs
   */
  Thread newThread(String name, Runnable task);
}
