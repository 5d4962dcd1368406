package org.hyperslab.mpiio.driver;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads that execute requests to files for started accesses: a few for all files of the
 * process, which end after some idle time. They never communicate, so MPI need not support several
 * threads. While one waits for a lock, another takes its place, so that the access that holds the
 * lock always finds a thread for its next step.
 */
public final class FileWorkers {

  private static final int LEAST = 4;
  private static final ThreadPoolExecutor POOL = pool();

  private FileWorkers() {}

  private static ThreadPoolExecutor pool() {
    int threads = Math.max(LEAST, Runtime.getRuntime().availableProcessors());
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            threads, threads, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Worker::new);
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  /** A thread of the pool. */
  private static final class Worker extends Thread {
    Worker(Runnable task) {
      super(task, "file worker");
      setDaemon(true);
    }
  }

  /** {@return the workers that all files of the process share} */
  public static Executor shared() {
    return POOL;
  }

  /** Runs an action that may wait for other accesses, on any thread. */
  static void waiting(Runnable action) {
    if (!(Thread.currentThread() instanceof Worker)) {
      action.run();
      return;
    }
    resize(1);
    try {
      action.run();
    } finally {
      resize(-1);
    }
  }

  /** Changes the number of threads; the lower limit must never exceed the upper one. */
  private static synchronized void resize(int more) {
    int threads = POOL.getCorePoolSize() + more;
    if (more > 0) {
      POOL.setMaximumPoolSize(threads);
      POOL.setCorePoolSize(threads);
    } else {
      POOL.setCorePoolSize(threads);
      POOL.setMaximumPoolSize(threads);
    }
  }
}
