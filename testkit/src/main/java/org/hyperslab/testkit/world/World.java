package org.hyperslab.testkit.world;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/**
 * A world of processes whose threads run one at a time. Whenever the running thread waits, yields
 * or ends, the seed chooses which one runs next. Time is virtual: it passes a little with every
 * step, and jumps to the next alarm when nothing can run.
 *
 * <p>Two runs of the same program with the same seed make the same steps ({@link #fingerprint}).
 *
 * <p>Thread rule: {@link #run} is called by one platform thread; all else by threads of the world.
 */
public final class World {

  /** The number of steps after which a world is taken for one that never ends. */
  private static final long MOST_STEPS = 400_000;

  private static final int MOST_STEP_NANOS = 20_000;

  /** Prints every step, so that two runs can be compared. */
  private static final boolean TRACE = Boolean.getBoolean("hyperslab.world.trace");

  private final SplittableRandom random;
  private final Policy policy;
  private final List<SteppedThread> ready = new ArrayList<>();
  private final List<SteppedThread> unblocked = new ArrayList<>();
  private final Set<SteppedThread> alive = new LinkedHashSet<>();
  private final PriorityQueue<Alarm> alarms =
      new PriorityQueue<>(
          Comparator.comparingLong((Alarm alarm) -> alarm.at).thenComparingLong(a -> a.number));
  private final List<Throwable> failures = new ArrayList<>();
  private SteppedThread running;
  private Thread carrier = Thread.currentThread();
  private long now = 1_000_000_000L;
  private long deadline = Long.MAX_VALUE;
  private long numbers;
  private long steps;
  private long fingerprint;

  /** How the next thread is chosen. */
  private enum Policy {
    /** Each with the same probability. */
    EVEN,
    /** Mostly the thread that ran last or was woken last. */
    STICKY,
    /** Mostly the one with the greatest priority, which is given at random. */
    RANKED
  }

  /** Something that happens at an instant. */
  final class Alarm {
    private final long at;
    private final long number = ++numbers;
    private final WorldProcess process;
    private final Runnable action;
    private boolean cancelled;

    Alarm(long at, WorldProcess process, Runnable action) {
      this.at = at;
      this.process = process;
      this.action = action;
    }

    void cancel() {
      cancelled = true;
      alarms.remove(this);
    }
  }

  /**
   * Creates a world in which nothing runs.
   *
   * @param seed decides everything that may happen in one order or another
   */
  public World(long seed) {
    this.random = new SplittableRandom(seed);
    this.policy = Policy.values()[random.nextInt(Policy.values().length)];
  }

  /**
   * Creates a process without threads.
   *
   * @param name the name of the process, for messages
   * @return the process
   */
  public WorldProcess process(String name) {
    return new WorldProcess(this, name);
  }

  /** {@return the source of the world's random numbers} */
  public RandomGenerator random() {
    return random;
  }

  /** {@return the virtual time in nanoseconds} */
  public long nanoTime() {
    return now;
  }

  /** {@return the number of steps so far} */
  public long steps() {
    return steps;
  }

  /** {@return a number that differs, most likely, if two runs made different steps} */
  public long fingerprint() {
    return fingerprint;
  }

  /**
   * Runs a task in a process, and everything that it causes, until the task has ended.
   *
   * @param process the process of the task
   * @param task the task
   * @throws WorldError if the task or another thread of the world failed, nothing can run, or the
   *     deadline has passed
   */
  public void run(WorldProcess process, Runnable task) {
    carrier = Thread.currentThread();
    AtomicBoolean done = new AtomicBoolean();
    process.start(
        "main",
        () -> {
          task.run();
          done.set(true);
        });
    while (!done.get() && failures.isEmpty()) {
      turn();
    }
    if (!failures.isEmpty()) {
      Throwable first = failures.getFirst();
      throw first instanceof WorldError error ? error : new WorldError("thread failed", first);
    }
  }

  private void turn() {
    SteppedThread.settle(alive);
    while (!alarms.isEmpty() && alarms.peek().at <= now) {
      fire(alarms.poll());
    }
    if (now > deadline || steps > MOST_STEPS) {
      throw new WorldError("what has begun does not end\n" + waiting());
    }
    SteppedThread next = choose();
    if (next == null) {
      if (alarms.isEmpty()) {
        throw new WorldError("deadlock: nothing can run\n" + waiting());
      }
      now = Math.max(now, alarms.peek().at);
      return;
    }
    step(next);
  }

  private void fire(Alarm alarm) {
    if (!alarm.cancelled && !alarm.process.isKilled()) {
      alarm.action.run();
    }
  }

  private void step(SteppedThread next) {
    steps++;
    now += random.nextInt(MOST_STEP_NANOS);
    fingerprint = fingerprint * 31 + next.number() * 7919L + (now & 0xFFFF);
    if (TRACE) {
      System.err.println(steps + " " + now + " " + next.process() + " " + next.thread().getName());
    }
    running = next;
    next.step();
    running = null;
    if (next.isOver()) {
      alive.remove(next);
    }
  }

  private synchronized SteppedThread choose() {
    unblocked.sort(Comparator.comparingInt(SteppedThread::number));
    ready.addAll(unblocked);
    unblocked.clear();
    ready.removeIf(each -> each.process().isKilled());
    int count = ready.size();
    if (count == 0) {
      return null;
    }
    int index =
        switch (policy) {
          case EVEN -> random.nextInt(count);
          case STICKY -> random.nextInt(8) == 0 ? random.nextInt(count) : count - 1;
          case RANKED -> random.nextInt(16) == 0 ? random.nextInt(count) : highest();
        };
    return ready.remove(index);
  }

  private int highest() {
    int best = 0;
    for (int i = 1; i < ready.size(); i++) {
      best = ready.get(i).priority() > ready.get(best).priority() ? i : best;
    }
    return best;
  }

  synchronized void ready(SteppedThread thread) {
    Thread by = Thread.currentThread();
    if (SteppedThread.isUnblocker(by)) {
      unblocked.add(thread); // at any moment of a step: put in order before the next one
      return;
    }
    if (!by.isVirtual() && by != carrier) {
      failures.add(
          new WorldError(
              "a thread outside the world wakes " + thread.thread().getName() + ": " + by.getName(),
              new Throwable("waker")));
    }
    ready.add(thread);
  }

  SteppedThread begin(WorldProcess process, String name, Runnable task) {
    SteppedThread thread =
        new SteppedThread(process, (int) ++numbers, random.nextInt(1 << 20), name, task);
    alive.add(thread);
    thread.thread().start();
    return thread;
  }

  /** Forgets the threads of a killed process; they stay where they are and never run again. */
  void forget(WorldProcess process) {
    alive.removeIf(each -> each.process() == process);
    alarms.removeIf(each -> each.process == process);
  }

  Alarm alarm(WorldProcess process, long nanoseconds, Runnable action) {
    Alarm alarm = new Alarm(now + Math.max(0, nanoseconds), process, action);
    alarms.add(alarm);
    return alarm;
  }

  /** {@return the process of the running thread; null outside} */
  WorldProcess current() {
    return running == null ? null : running.process();
  }

  void failed(Throwable failure) {
    failures.add(failure);
  }

  /** Lets other threads run, perhaps. */
  public void pass() {
    if (Thread.currentThread().isVirtual() && random.nextInt(4) != 0) {
      Thread.yield();
    }
  }

  /**
   * Lets time pass for the running thread.
   *
   * @param nanoseconds how much
   */
  public void pause(long nanoseconds) {
    Thread sleeper = Thread.currentThread();
    boolean[] over = {false};
    alarm(
        current(),
        nanoseconds,
        () -> {
          over[0] = true;
          LockSupport.unpark(sleeper);
        });
    while (!over[0]) {
      LockSupport.park();
    }
  }

  /**
   * Waits until a condition holds, which is asked now and then.
   *
   * @param condition the condition
   * @param nanoseconds the longest time
   * @return whether it holds
   */
  public boolean awaits(BooleanSupplier condition, long nanoseconds) {
    long end = now + nanoseconds;
    while (!condition.getAsBoolean() && now < end) {
      pause(Math.max(1_000_000, nanoseconds / 1000));
    }
    return condition.getAsBoolean();
  }

  /**
   * Requires that {@link #run} ends in time.
   *
   * @param nanoseconds the virtual time that is left
   */
  public void within(long nanoseconds) {
    deadline = now + nanoseconds;
  }

  /** {@return the threads that have not ended, with their stacks} */
  public String waiting() {
    StringBuilder text = new StringBuilder();
    for (SteppedThread each : alive) {
      text.append(each.process()).append(": ").append(each.thread().getName()).append(' ');
      text.append(each.thread().getState()).append('\n');
      for (StackTraceElement frame : each.thread().getStackTrace()) {
        if (!frame.getClassName().startsWith("java.")) {
          text.append("    ").append(frame).append('\n');
        }
      }
    }
    return text.toString();
  }
}
