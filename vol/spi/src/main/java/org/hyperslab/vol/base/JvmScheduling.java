package org.hyperslab.vol.base;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.hyperslab.vol.Uninterrupted;

/**
 * The threads and the clock of this JVM.
 *
 * <p>Thread rule: no state.
 */
final class JvmScheduling implements Scheduling {

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public Pool pool(String name, int threads) {
    return new JvmPool(name, threads);
  }

  private static final class JvmPool extends ThreadPoolExecutor implements Pool {
    JvmPool(String name, int threads) {
      super(
          threads,
          threads,
          0,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          Thread.ofPlatform().daemon().name(name + "-", 1).factory());
    }

    @Override
    public synchronized void grow(int by) {
      int size = getCorePoolSize() + by;
      if (by > 0) {
        setMaximumPoolSize(size);
        setCorePoolSize(size);
      } else {
        setCorePoolSize(size);
        setMaximumPoolSize(size);
      }
    }
  }

  @Override
  public ExecutorService unbounded() {
    return Executors.newVirtualThreadPerTaskExecutor();
  }

  @Override
  public ScheduledExecutorService clock(String name) {
    return Executors.newSingleThreadScheduledExecutor(
        Thread.ofPlatform().daemon().name(name).factory());
  }

  @Override
  public Thread start(String name, Runnable task) {
    return Thread.ofPlatform().daemon().name(name).start(task);
  }

  @Override
  public void later(long nanoseconds, Executor executor, Runnable task) {
    CompletableFuture.delayedExecutor(nanoseconds, TimeUnit.NANOSECONDS, executor).execute(task);
  }

  @Override
  public <T> CompletableFuture<T> limit(CompletableFuture<T> future, long nanoseconds) {
    return future.orTimeout(nanoseconds, TimeUnit.NANOSECONDS);
  }

  @Override
  public void await(Object monitor, BooleanSupplier holds, long milliseconds) {
    Uninterrupted.await(monitor, holds, milliseconds);
  }
}
