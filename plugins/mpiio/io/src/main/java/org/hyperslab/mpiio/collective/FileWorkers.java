package org.hyperslab.mpiio.collective;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads that execute requests to files for started accesses: a few for all files of the
 * process, which end after some idle time. They never communicate, so MPI need not support several
 * threads.
 */
final class FileWorkers {

  private static final int LEAST = 4;
  private static final ThreadPoolExecutor POOL = pool();

  private FileWorkers() {}

  private static ThreadPoolExecutor pool() {
    int threads = Math.max(LEAST, Runtime.getRuntime().availableProcessors());
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            1,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().daemon().name("file worker ", 0).factory());
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  static Executor shared() {
    return POOL;
  }
}
