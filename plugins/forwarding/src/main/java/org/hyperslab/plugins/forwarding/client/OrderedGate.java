package org.hyperslab.plugins.forwarding.client;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.hyperslab.vol.Uninterrupted;

/**
 * Starts actions in the order of submission: at once while the gate is open; later, in another
 * thread, if an earlier action must end first. If too many actions are queued, submitting blocks.
 *
 * <p>Thread rule: any thread; actions run without the lock.
 */
final class OrderedGate {

  private static final int MAX_WAITING = 8192;

  private final Deque<Supplier<CompletableFuture<?>>> waiting = new ArrayDeque<>();
  private int stops;
  private boolean draining;

  /**
   * Starts an action at once, or after the actions before it.
   *
   * @param work the action, which must not throw; it returns the future that must complete before
   *     the next action is started, or null
   */
  void go(Supplier<CompletableFuture<?>> work) {
    synchronized (this) {
      Uninterrupted.await(this, () -> isStopped() && waiting.size() >= MAX_WAITING);
      if (isStopped()) {
        waiting.add(work);
        return;
      }
    }
    run(work);
  }

  private boolean isStopped() {
    return stops > 0 || draining;
  }

  private void run(Supplier<CompletableFuture<?>> work) {
    CompletableFuture<?> until = work.get();
    if (until != null && !until.isDone()) {
      synchronized (this) {
        stops++;
      }
      until.handle((done, failure) -> done).thenRun(this::proceed);
    }
  }

  private void proceed() {
    synchronized (this) {
      stops--;
      if (isStopped()) {
        return;
      }
      draining = true;
    }
    while (true) {
      Supplier<CompletableFuture<?>> next;
      synchronized (this) {
        next = stops > 0 ? null : waiting.poll();
        draining = next != null;
        notifyAll();
      }
      if (next == null) {
        return;
      }
      run(next);
    }
  }
}
