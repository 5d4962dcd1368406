package org.hyperslab.testkit.world;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Executor;

/**
 * A virtual thread whose scheduler is a world. It runs only when the world steps it, and stops
 * wherever it waits: in a lock, a monitor, a future or a queue.
 *
 * <p>Uses what Java 25 has inside; the JVM needs {@code --add-opens
 * java.base/java.lang=ALL-UNNAMED} and should have {@code -Djdk.trackAllThreads=false}, or threads
 * that were killed are kept.
 *
 * <p>Thread rule: confined to the world, except {@link #execute}.
 */
final class SteppedThread implements Executor {

  /** What the JVM has inside; found when the first world is made. */
  private static final class Inside {
    static final MethodHandle MAKE;
    static final VarHandle ON_WAITING_LIST;
    static final Thread UNBLOCKER;

    static {
      try {
        MethodHandles.Lookup own = MethodHandles.lookup();
        Class<?> builders = Class.forName("java.lang.ThreadBuilders");
        MAKE =
            MethodHandles.privateLookupIn(builders, own)
                .findStatic(
                    builders,
                    "newVirtualThread",
                    MethodType.methodType(
                        Thread.class, Executor.class, String.class, int.class, Runnable.class));
        Class<?> threads = Class.forName("java.lang.VirtualThread");
        ON_WAITING_LIST =
            MethodHandles.privateLookupIn(threads, own)
                .findVarHandle(threads, "onWaitingList", boolean.class);
        UNBLOCKER =
            Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("VirtualThread-unblocker"))
                .findFirst()
                .orElseThrow();
      } catch (ReflectiveOperationException closed) {
        throw new WorldError(
            "worlds need Java 25 with --add-opens java.base/java.lang=ALL-UNNAMED", closed);
      }
    }
  }

  private final WorldProcess process;
  private final int number;
  private final int priority;
  private final Thread thread;
  private volatile Runnable next;

  SteppedThread(WorldProcess process, int number, int priority, String name, Runnable task) {
    this.process = process;
    this.number = number;
    this.priority = priority;
    try {
      this.thread =
          (Thread) Inside.MAKE.invokeExact((Executor) this, name, 0, process.guarded(task));
    } catch (Throwable failure) {
      throw new WorldError("no thread", failure);
    }
  }

  WorldProcess process() {
    return process;
  }

  int number() {
    return number;
  }

  int priority() {
    return priority;
  }

  Thread thread() {
    return thread;
  }

  /** Called by the JVM when the thread can go on. */
  @Override
  public void execute(Runnable continuation) {
    if (next == null) { // the JVM submits a thread again after reading its stack
      process.world().ready(this);
    }
    next = continuation; // last, because it says that the world knows of it
  }

  /** Lets the thread run until it waits, yields or ends. */
  void step() {
    Runnable continuation = next;
    next = null;
    continuation.run();
  }

  private boolean isQueued() {
    return next != null;
  }

  boolean isOver() {
    return thread.getState() == Thread.State.TERMINATED;
  }

  /**
   * Waits until the JVM has passed on every thread that may enter a monitor. It does so by a thread
   * of its own, which is quick but not at once.
   */
  static void settle(Iterable<SteppedThread> all) {
    while (isPending(all)) {
      Thread.onSpinWait();
    }
  }

  private static boolean isPending(Iterable<SteppedThread> all) {
    boolean anyBlocked = false;
    for (SteppedThread each : all) {
      switch (each.thread.getState()) {
        case BLOCKED -> {
          anyBlocked = true;
          if ((boolean) Inside.ON_WAITING_LIST.getVolatile(each.thread)) {
            return true;
          }
        }
        case RUNNABLE -> {
          if (!each.isQueued()) {
            return true;
          }
        }
        default -> {}
      }
    }
    return anyBlocked && isUnblocking();
  }

  /** {@return whether a thread is the JVM's that passes on threads that may enter a monitor} */
  static boolean isUnblocker(Thread thread) {
    return thread == Inside.UNBLOCKER;
  }

  private static boolean isUnblocking() {
    StackTraceElement[] stack = Inside.UNBLOCKER.getStackTrace();
    return stack.length == 0 || !stack[0].getMethodName().equals("takeVirtualThreadListToUnblock");
  }
}
