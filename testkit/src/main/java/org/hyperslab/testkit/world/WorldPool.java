package org.hyperslab.testkit.world;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.hyperslab.vol.base.Scheduling;

/**
 * A pool of threads of a process: tasks begin in the order of their arrival.
 *
 * <p>Thread rule: confined to the world, so that it needs no locks.
 */
final class WorldPool extends AbstractExecutorService implements Scheduling.Pool {

  private final WorldProcess process;
  private final String name;
  private final Deque<Runnable> queue = new ArrayDeque<>();
  private int limit;
  private int threads;
  private int number;
  private boolean shutDown;

  WorldPool(WorldProcess process, String name, int limit) {
    this.process = process;
    this.name = name;
    this.limit = limit;
  }

  @Override
  public void grow(int by) {
    limit += by;
    startThread();
  }

  @Override
  public void execute(Runnable task) {
    if (shutDown) {
      throw new RejectedExecutionException(name + " is shut down");
    }
    queue.add(task);
    startThread();
  }

  private void startThread() {
    if (threads < limit && !queue.isEmpty()) {
      threads++;
      process.start(name + "-" + ++number, this::work);
    }
  }

  private void work() {
    for (Runnable next = queue.poll(); next != null; next = threads > limit ? null : queue.poll()) {
      next.run();
      if (!queue.isEmpty()) {
        process.world().pass();
      }
    }
    threads--;
  }

  @Override
  public void shutdown() {
    shutDown = true;
  }

  @Override
  public List<Runnable> shutdownNow() {
    shutDown = true;
    List<Runnable> left = List.copyOf(queue);
    queue.clear();
    return left;
  }

  @Override
  public boolean isShutdown() {
    return shutDown;
  }

  @Override
  public boolean isTerminated() {
    return shutDown && threads == 0 && queue.isEmpty();
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    return process.world().awaits(this::isTerminated, unit.toNanos(timeout));
  }
}
