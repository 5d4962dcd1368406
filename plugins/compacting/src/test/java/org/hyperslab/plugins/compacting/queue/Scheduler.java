package org.hyperslab.plugins.compacting.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executor;

/** Controls threads and a clock for a test: tasks wait until they are selected. */
final class Scheduler implements Executor, DelayScheduler {

  private final Random random;
  private final List<Runnable> waiting = new ArrayList<>();
  private final List<Runnable> timers = new ArrayList<>();

  Scheduler(Random random) {
    this.random = random;
  }

  @Override
  public void execute(Runnable action) {
    waiting.add(action);
  }

  @Override
  public void schedule(long nanoseconds, Runnable action) {
    timers.add(action);
  }

  /** Performs one pending action; returns false if there is none. */
  boolean step() {
    if (waiting.isEmpty()) {
      return false;
    }
    waiting.remove(random.nextInt(waiting.size())).run();
    return true;
  }

  /** Lets the time of one timer come; false if there is none. */
  boolean tick() {
    if (timers.isEmpty()) {
      return false;
    }
    timers.remove(random.nextInt(timers.size())).run();
    return true;
  }

  void runAll() {
    while (step()) {}
  }
}
