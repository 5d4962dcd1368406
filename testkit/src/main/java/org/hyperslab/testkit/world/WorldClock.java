package org.hyperslab.testkit.world;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * A thread of a process that carries out tasks at given times.
 *
 * <p>Thread rule: confined to the world.
 */
final class WorldClock extends AbstractExecutorService implements ScheduledExecutorService {

  private final WorldProcess process;
  private final WorldPool thread;

  WorldClock(WorldProcess process, String name) {
    this.process = process;
    this.thread = new WorldPool(process, name, 1);
  }

  private final class Timed<V> extends FutureTask<V> implements ScheduledFuture<V> {
    private final long everyNanos;
    private final long at;

    Timed(Callable<V> task, long delayNanos, long everyNanos) {
      super(task);
      this.everyNanos = everyNanos;
      this.at = process.nanoTime() + delayNanos;
      process.world().alarm(process, delayNanos, this::due);
    }

    private void due() {
      if (!isCancelled() && !thread.isShutdown()) {
        thread.execute(this::carryOut);
      }
    }

    private void carryOut() {
      if (everyNanos == 0) {
        run();
      } else if (runAndReset()) {
        process.world().alarm(process, everyNanos, this::due);
      }
    }

    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(at - process.nanoTime(), TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
    }
  }

  private static Callable<Object> call(Runnable task) {
    return () -> {
      task.run();
      return null;
    };
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
    return new Timed<>(call(task), unit.toNanos(delay), 0);
  }

  @Override
  public <V> ScheduledFuture<V> schedule(Callable<V> task, long delay, TimeUnit unit) {
    return new Timed<>(task, unit.toNanos(delay), 0);
  }

  @Override
  public ScheduledFuture<?> scheduleAtFixedRate(
      Runnable task, long first, long every, TimeUnit unit) {
    return new Timed<>(call(task), unit.toNanos(first), unit.toNanos(every));
  }

  @Override
  public ScheduledFuture<?> scheduleWithFixedDelay(
      Runnable task, long first, long every, TimeUnit unit) {
    return new Timed<>(call(task), unit.toNanos(first), unit.toNanos(every));
  }

  @Override
  public void execute(Runnable task) {
    thread.execute(task);
  }

  @Override
  public void shutdown() {
    thread.shutdown();
  }

  @Override
  public List<Runnable> shutdownNow() {
    return thread.shutdownNow();
  }

  @Override
  public boolean isShutdown() {
    return thread.isShutdown();
  }

  @Override
  public boolean isTerminated() {
    return thread.isTerminated();
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    return thread.awaitTermination(timeout, unit);
  }
}
