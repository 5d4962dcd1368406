package org.hyperslab.mpiio.collective;

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
final class FileWorkers {

  private static final int LEAST = 4;
  private static final FileWorkers SHARED = new FileWorkers();

  private final ThreadPoolExecutor pool;

  private FileWorkers() {
    int threads = Math.max(LEAST, Runtime.getRuntime().availableProcessors());
    pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            1,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> new Worker(this, task));
    pool.allowCoreThreadTimeOut(true);
  }

  /** A thread of the pool. */
  private static final class Worker extends Thread {
    private final FileWorkers workers;

    Worker(FileWorkers workers, Runnable task) {
      super(task, "file worker");
      this.workers = workers;
      setDaemon(true);
    }
  }

  static Executor shared() {
    return SHARED.pool;
  }

  /** Runs an action that may wait for other accesses, on any thread. */
  static void waiting(Runnable action) {
    if (!(Thread.currentThread() instanceof Worker worker)) {
      action.run();
      return;
    }
    worker.workers.resize(1);
    try {
      action.run();
    } finally {
      worker.workers.resize(-1);
    }
  }

  /** Changes the number of threads; the lower limit must never exceed the upper one. */
  private synchronized void resize(int more) {
    int threads = pool.getCorePoolSize() + more;
    if (more > 0) {
      pool.setMaximumPoolSize(threads);
      pool.setCorePoolSize(threads);
    } else {
      pool.setCorePoolSize(threads);
      pool.setMaximumPoolSize(threads);
    }
  }
}
