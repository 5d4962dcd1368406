package org.hyperslab.testkit.world;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.base.Scheduling;

/**
 * A process of a world: threads that can be killed together, at any place where one of them waits.
 *
 * <p>Thread rule: confined to the world.
 */
public final class WorldProcess implements Scheduling {

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final World world;
  private final String name;
  private final List<Runnable> atDeath = new ArrayList<>();
  private boolean killed;

  WorldProcess(World world, String name) {
    this.world = world;
    this.name = name;
  }

  /** {@return the world} */
  public World world() {
    return world;
  }

  /** {@return whether it was killed} */
  public boolean isKilled() {
    return killed;
  }

  /** Ends the process: none of its threads takes another step. */
  public void kill() {
    if (!killed) {
      killed = true;
      world.forget(this);
      List.copyOf(atDeath).forEach(Runnable::run);
    }
  }

  /**
   * Runs an action when the process is killed, as the operating system closes what it had open.
   *
   * @param action the action
   */
  public void atDeath(Runnable action) {
    atDeath.add(action);
  }

  Runnable guarded(Runnable task) {
    return () -> {
      try {
        task.run();
      } catch (Throwable failure) {
        world.failed(failure);
      }
    };
  }

  @Override
  public long nanoTime() {
    return world.nanoTime();
  }

  @Override
  public Pool pool(String threads, int count) {
    return new WorldPool(this, threads, count);
  }

  @Override
  public ExecutorService unbounded() {
    return new WorldPool(this, name + "-task", Integer.MAX_VALUE);
  }

  @Override
  public ScheduledExecutorService clock(String thread) {
    return new WorldClock(this, thread);
  }

  @Override
  public Thread start(String thread, Runnable task) {
    return world.begin(this, thread, task).thread();
  }

  @Override
  public void later(long nanoseconds, Executor executor, Runnable task) {
    world.alarm(this, nanoseconds, () -> executor.execute(task));
  }

  @Override
  public <T> CompletableFuture<T> limit(CompletableFuture<T> future, long nanoseconds) {
    World.Alarm alarm =
        world.alarm(
            this,
            nanoseconds,
            () -> start("limit", () -> future.completeExceptionally(new TimeoutException(name))));
    future.whenComplete((value, failure) -> alarm.cancel());
    return future;
  }

  @Override
  @SuppressWarnings("WaitNotInLoop") // it is
  public void await(Object monitor, BooleanSupplier holds, long milliseconds) {
    boolean limited = milliseconds < Long.MAX_VALUE / NANOS_PER_MILLI;
    long end = limited ? nanoTime() + milliseconds * NANOS_PER_MILLI : Long.MAX_VALUE;
    World.Alarm alarm = null;
    if (limited && holds.getAsBoolean()) {
      alarm =
          world.alarm(
              this,
              milliseconds * NANOS_PER_MILLI,
              () ->
                  start(
                      "awaken",
                      () -> {
                        synchronized (monitor) {
                          monitor.notifyAll();
                        }
                      }));
    }
    while (holds.getAsBoolean() && nanoTime() < end) {
      try {
        monitor.wait();
      } catch (InterruptedException e) {
        throw new WorldError("nobody interrupts in a world", e);
      }
    }
    if (alarm != null) {
      alarm.cancel();
    }
  }

  @Override
  public String toString() {
    return name;
  }

  /**
   * Returns a connector for the programs of this process. When the process was killed, it refuses
   * everything, so that nothing continues outside the world, such as the closing of lost files.
   *
   * @param below the connector that carries operations out
   * @return the connector
   */
  public Connector mortal(Connector below) {
    return new MortalConnector(this, below);
  }
}
