package org.hyperslab.vol.base;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BooleanSupplier;

/**
 * Gives the threads in which the tasks of a connector run, and tells the time. The staging server,
 * its client and the compactor start threads, wait for a limited time and ask for the time in no
 * other way. {@link #ofJvm} is what programs use; tests have one in which time is simulated and a
 * seed chooses the order of all tasks.
 *
 * <p>Thread rule: any thread.
 */
public interface Scheduling {

  /** {@return the threads and the clock of this JVM} */
  static Scheduling ofJvm() {
    return new JvmScheduling();
  }

  /** {@return the time in nanoseconds since some fixed instant, as System.nanoTime} */
  long nanoTime();

  /**
   * Starts threads that carry out tasks in the order of their arrival.
   *
   * @param name the beginning of the threads' names
   * @param threads the number of threads
   * @return the threads; daemons
   */
  Pool pool(String name, int threads);

  /**
   * Returns an executor with a new virtual thread for each task, so that a task may wait for others
   * of the same executor.
   *
   * @return the executor, whose closing waits for its tasks
   */
  ExecutorService unbounded();

  /**
   * Starts a thread that carries out short tasks at given times.
   *
   * @param name the name of the thread
   * @return the thread; a daemon
   */
  ScheduledExecutorService clock(String name);

  /**
   * Starts a thread for one task, which may wait.
   *
   * @param name the name of the thread
   * @param task the task
   * @return the thread, which has started; a daemon
   * @throws OutOfMemoryError if no thread can be started
   */
  Thread start(String name, Runnable task);

  /**
   * Passes a task to an executor after some time.
   *
   * @param nanoseconds the time
   * @param executor the executor
   * @param task the task
   */
  void later(long nanoseconds, Executor executor, Runnable task);

  /**
   * Fails a future with a {@link java.util.concurrent.TimeoutException} unless it completes in
   * time.
   *
   * @param <T> the type of the result
   * @param future the future
   * @param nanoseconds the time
   * @return the same future
   */
  <T> CompletableFuture<T> limit(CompletableFuture<T> future, long nanoseconds);

  /**
   * Waits on a monitor while a condition holds, for a limited time, as {@link
   * org.hyperslab.vol.Uninterrupted#await(Object, BooleanSupplier, long)}.
   *
   * @param monitor held by the caller; notified when the answer may have changed
   * @param holds whether to continue waiting; called with the monitor held
   * @param milliseconds the longest time; {@link Long#MAX_VALUE} if it is not limited
   */
  void await(Object monitor, BooleanSupplier holds, long milliseconds);

  /** A number of threads that can change. */
  interface Pool extends ExecutorService {

    /**
     * Changes the number of threads.
     *
     * @param by the number of threads that are added; negative if threads are removed
     */
    void grow(int by);
  }
}
