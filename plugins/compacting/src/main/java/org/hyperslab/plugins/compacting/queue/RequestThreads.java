package org.hyperslab.plugins.compacting.queue;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Runs actions in the threads of an executor, some of them before all other waiting actions.
 *
 * <p>Thread rule: any thread.
 */
final class RequestThreads {

  private final Executor executor;
  private final Queue<Runnable> first = new ConcurrentLinkedQueue<>();

  RequestThreads(Executor executor) {
    this.executor = executor;
  }

  /** Runs an action in a thread of the executor. */
  void execute(Runnable action) {
    run(() -> {
      runFirst();
      action.run();
    });
  }

  /** Runs an action in a thread of the executor, before all waiting actions. */
  void executeFirst(Runnable action) {
    first.add(action);
    run(this::runFirst);
  }

  private void runFirst() {
    Runnable next = first.poll();
    if (next != null) {
      next.run();
    }
  }

  private void run(Runnable action) {
    try {
      executor.execute(action);
    } catch (RejectedExecutionException shutDown) {
      // Every request must get its reply, even after the executor was shut down.
      action.run();
    }
  }
}
