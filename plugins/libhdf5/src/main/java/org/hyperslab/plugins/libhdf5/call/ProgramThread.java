package org.hyperslab.plugins.libhdf5.call;

import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.Operation;

/**
 * Executes functions of the program and of libhdf5 that an engine's threads need, such as filters
 * of the program: in the thread of the program that waits for the operation. libhdf5 permits one
 * thread at a time, and that thread is inside the library while it waits.
 *
 * <p>Connectors may use the calling thread, and wait for their own threads in it. Once the program
 * has filters, operations are therefore handed to connectors by a thread of the bridge ({@link
 * #HAND}), except those of several ranks, because MPI may permit only the program's thread. While
 * that thread is inside a connector, calls are executed by the thread that needs them, one at a
 * time.
 *
 * <p>While no thread of the program waits, as when an operation is asynchronous, calls wait for the
 * program's next call of the connector. Every operation is waited for at the latest when its file
 * is closed.
 *
 * <p>Thread rule: any thread.
 */
public final class ProgramThread {

  /** The longest time between two looks at whether an operation has ended. */
  private static final int POLL_MILLIS = 50;

  /** How often a call finds the program's thread inside a connector until it gives up. */
  private static final int BUSY_LOOKS = 100;

  private static final Queue<Runnable> CALLS = new ConcurrentLinkedQueue<>();

  /** How many times a thread has entered as one of the program, without leaving. */
  private static final ThreadLocal<int[]> INSIDE = ThreadLocal.withInitial(() -> new int[1]);

  /** The threads of the program that are inside a connector. */
  private static final AtomicInteger IN_CONNECTORS = new AtomicInteger();

  /** How often a call finds no thread of the program that waits until it gives up. */
  private static final int DESERTED_LOOKS = 600;

  /** The threads of the program that wait for operations, and execute calls meanwhile. */
  private static final AtomicInteger SERVING = new AtomicInteger();

  /** Hands operations to connectors, in their order. */
  private static final Executor HAND =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().daemon().name("hyperslab-bridge").factory());

  /** The thread that began to wait last. */
  private static final AtomicReference<Thread> WAITING = new AtomicReference<>();

  private ProgramThread() {}

  /** Hands an operation to a connector, in this thread of the program. */
  public static <R> CompletionStage<R> submit(Connector connector, Operation<R> operation) {
    IN_CONNECTORS.incrementAndGet();
    try {
      return inside(() -> connector.submit(operation));
    } finally {
      IN_CONNECTORS.decrementAndGet();
    }
  }

  /**
   * Runs what may need the program, in this thread of the program. Calls of other threads wait
   * meanwhile: a library with a lock has given it to this thread.
   */
  public static <T> T inside(Supplier<T> action) {
    int[] inside = INSIDE.get();
    inside[0]++;
    try {
      return action.get();
    } finally {
      inside[0]--;
    }
  }

  /** Returns whether this thread may call libhdf5: it is one that the library has called. */
  public static boolean mayCall() {
    return INSIDE.get()[0] > 0;
  }

  /** Runs what hands an operation to a connector, in the thread of the bridge. */
  public static <T> CompletableFuture<T> aside(Supplier<CompletableFuture<T>> action) {
    return CompletableFuture.supplyAsync(action, HAND).thenCompose(stage -> stage);
  }

  /**
   * Executes a call in a thread of the program, and waits for it. While that thread is inside a
   * connector, this thread executes the call, which must not need the lock of libhdf5.
   *
   * @throws InvalidUseException if this thread is interrupted
   */
  public static <T> T execute(Callable<T> call) {
    FutureTask<T> task = handed(call);
    while (true) {
      if (IN_CONNECTORS.get() > 0) {
        runAlone(task);
      }
      Optional<T> result = looked(task);
      if (result.isPresent() || task.isDone()) {
        return result.orElse(null);
      }
    }
  }

  /**
   * Executes a call in a thread of the program, and waits for it. Unlike {@link #execute}, it is
   * never executed by another thread: the caller must have handed its operation to a thread of the
   * bridge, so that the program's thread is not inside a connector.
   *
   * @param call may return null
   * @throws InvalidUseException if this thread is interrupted, or no thread of the program waits
   */
  public static <T> T call(Callable<T> call) {
    FutureTask<T> task = handed(call);
    int deserted = 0;
    while (true) {
      Optional<T> result = looked(task);
      if (result.isPresent() || task.isDone()) {
        return result.orElse(null);
      }
      deserted = SERVING.get() > 0 ? 0 : deserted + 1;
      if (deserted > DESERTED_LOOKS && task.cancel(false)) {
        throw new InvalidUseException(
            "call of the program: actual=no thread of it waits for the operation, expected=one");
      }
    }
  }

  /**
   * Executes a call of libhdf5 in a thread of the program, and waits for it. A thread of the
   * program that is inside a connector may hold the lock of libhdf5 and wait for this thread; then
   * the result is what another action finds, which does not need the lock.
   *
   * @param call returns null if there is nothing
   * @param withoutLock returns null if there is nothing
   * @throws InvalidUseException if this thread is interrupted
   */
  public static <T> Optional<T> find(Callable<T> call, Supplier<T> withoutLock) {
    FutureTask<T> task = handed(call);
    for (int busy = 0; busy < BUSY_LOOKS; ) {
      Optional<T> result = looked(task);
      if (result.isPresent() || task.isDone()) {
        return result;
      }
      if (IN_CONNECTORS.get() > 0) {
        T found = withoutLock.get();
        if (found != null) {
          task.cancel(false);
          return Optional.of(found);
        }
        busy++;
      }
    }
    task.cancel(false);
    return Optional.empty();
  }

  /** Runs a call if this thread may, or hands it to a thread of the program. */
  private static <T> FutureTask<T> handed(Callable<T> call) {
    FutureTask<T> task = new FutureTask<>(call);
    if (mayCall()) {
      task.run();
    } else {
      CALLS.add(task);
      LockSupport.unpark(WAITING.get());
    }
    return task;
  }

  /** Waits for a task until it is time to look again at who can execute it. */
  private static <T> Optional<T> looked(FutureTask<T> task) {
    try {
      return Optional.ofNullable(task.get(POLL_MILLIS, TimeUnit.MILLISECONDS));
    } catch (TimeoutException stillWaiting) {
      return Optional.empty();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InvalidUseException("call of libhdf5: actual=interrupted, expected=done", e);
    }
  }

  private static void runAsProgram(Runnable call) {
    int[] inside = INSIDE.get();
    inside[0]++;
    try {
      call.run();
    } finally {
      inside[0]--;
    }
  }

  /** Runs a task, unless it runs or has run; one at a time. */
  private static void runAlone(FutureTask<?> task) {
    synchronized (IN_CONNECTORS) {
      task.run();
    }
  }

  /**
   * Executes calls until a stage has completed.
   *
   * @param nanos the longest time, in nanoseconds, as an unsigned number
   */
  public static void serve(CompletableFuture<?> stage, long nanos) throws InterruptedException {
    if (stage.isDone()) {
      return;
    }
    SERVING.incrementAndGet();
    try {
      serveUntil(stage, nanos);
    } finally {
      SERVING.decrementAndGet();
    }
  }

  private static void serveUntil(CompletableFuture<?> stage, long nanos)
      throws InterruptedException {
    Thread me = Thread.currentThread();
    WAITING.set(me);
    if (nanos != 0) {
      stage.whenComplete((done, failure) -> LockSupport.unpark(me));
    }
    long start = System.nanoTime();
    while (!stage.isDone()) {
      Runnable call = CALLS.poll();
      if (call != null) {
        runAsProgram(call);
        continue;
      }
      long left = nanos < 0 ? Long.MAX_VALUE : nanos - (System.nanoTime() - start);
      if (left <= 0) {
        return;
      }
      LockSupport.parkNanos(Math.min(left, TimeUnit.MILLISECONDS.toNanos(POLL_MILLIS)));
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }
}
