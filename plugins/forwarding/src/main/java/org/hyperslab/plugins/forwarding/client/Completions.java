package org.hyperslab.plugins.forwarding.client;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Completes futures away from the network's threads, many in a row in one thread, for starting a
 * thread for each costs more than completing it.
 *
 * <p>What depends on a future runs where it is completed, and may block until another reply has
 * come. So before a future that something depends on, the others' turn goes to another thread; and
 * should something have come to depend on it just then, {@link #check} helps.
 *
 * <p>Thread rule: any thread.
 */
final class Completions {

  private record Task(CompletableFuture<?> future, Runnable completion) {}

  private final Executor threads;
  private final Queue<Task> queue = new ConcurrentLinkedQueue<>();

  /** Whether a thread is at the queue. */
  private final AtomicBoolean served = new AtomicBoolean();

  private final AtomicLong begun = new AtomicLong();
  private long begunAtCheck;

  /** Completes in threads of an executor that has as many as are asked for. */
  Completions(Executor threads) {
    this.threads = threads;
  }

  /**
   * Has a future completed soon.
   *
   * @param completion completes it
   */
  void add(CompletableFuture<?> future, Runnable completion) {
    queue.add(new Task(future, completion));
    serve();
  }

  private void serve() {
    if (!served.get() && served.compareAndSet(false, true)) {
      threads.execute(this::run);
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

  /** Runs what may block; returns whether this thread is at the queue again. */
  private boolean runApart(Task task) {
    served.set(false);
    if (!queue.isEmpty()) {
      serve();
    }
    task.completion.run();
    return served.compareAndSet(false, true);
  }

  /** Called now and then, by one thread: sends another thread if the one at the queue is stuck. */
  void check() {
    long now = begun.get();
    if (now == begunAtCheck && served.get() && !queue.isEmpty()) {
      threads.execute(this::run);
    }
    begunAtCheck = now;
  }
}
