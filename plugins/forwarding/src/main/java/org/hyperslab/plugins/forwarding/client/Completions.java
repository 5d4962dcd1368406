package org.hyperslab.plugins.forwarding.client;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Completes futures outside the network's threads: many in one thread, because starting a thread
 * for each costs more than completing it.
 *
 * <p>Dependents of a future run in the thread that completes it, and may block until another reply
 * has arrived. Therefore another thread takes over the queue before a future with dependents is
 * completed. If a dependent is added at that moment, {@link #check} starts another thread.
 *
 * <p>Thread rule: any thread.
 */
final class Completions {

  private record Task(CompletableFuture<?> future, Runnable completion) {}

  private final Executor threads;
  private final Queue<Task> queue = new ConcurrentLinkedQueue<>();

  /** Whether a thread is processing the queue. */
  private final AtomicBoolean served = new AtomicBoolean();

  private final AtomicLong begun = new AtomicLong();
  private long begunAtCheck;

  /**
   * Creates an empty queue that is processed in an executor with an unbounded number of threads.
   */
  Completions(Executor threads) {
    this.threads = threads;
  }

  /**
   * Queues the completion of a future.
   *
   * @param future the future
   * @param completion the action that completes it
   */
  void add(CompletableFuture<?> future, Runnable completion) {
    queue.add(new Task(future, completion));
    if (!handOver() && served.compareAndSet(false, true)) {
      run();
    }
  }

  /**
   * Lets another thread process the queue, and returns whether one does. None does if the executor
   * has been shut down: the connector is being closed, and the caller processes the queue.
   */
  private boolean handOver() {
    if (served.get() || !served.compareAndSet(false, true)) {
      return true;
    }
    try {
      threads.execute(this::run);
      return true;
    } catch (RejectedExecutionException closing) {
      served.set(false);
      return false;
    }
  }

  private void run() {
    do {
      for (Task next = queue.poll(); next != null; next = queue.poll()) {
        begun.incrementAndGet();
        if (next.future.getNumberOfDependents() == 0) {
          next.completion.run();
        } else if (!runApart(next)) {
          return;
        }
      }
      served.set(false);
    } while (!queue.isEmpty() && served.compareAndSet(false, true));
  }

  /**
   * Runs a completion that may block; returns whether this thread processes the queue again
   * afterwards.
   */
  private boolean runApart(Task task) {
    served.set(false);
    if (!queue.isEmpty()) {
      handOver();
    }
    task.completion.run();
    return served.compareAndSet(false, true);
  }

  /** Starts another thread if the one that processes the queue is blocked; called periodically. */
  void check() {
    long now = begun.get();
    if (now == begunAtCheck && served.get() && !queue.isEmpty()) {
      threads.execute(this::run);
    }
    begunAtCheck = now;
  }
}
