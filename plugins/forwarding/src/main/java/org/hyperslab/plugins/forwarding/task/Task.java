package org.hyperslab.plugins.forwarding.task;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * One task of a {@link TaskEngine}. It holds no reference to the tasks that it waited for, so that
 * what has ended and is named by nobody can be collected.
 *
 * <p>Thread rule: any thread.
 */
public final class Task {

  private final TaskNode node;

  Task(TaskNode node) {
    this.node = node;
  }

  TaskNode node() {
    return node;
  }

  /** The name that it was given. */
  public String label() {
    return node.label();
  }

  /** Where it is now. */
  public TaskStatus status() {
    return node.status();
  }

  /**
   * Cancels it if its body has not started. Tasks that need it fail.
   *
   * @return whether it is cancelled now; false if it runs or has ended otherwise
   */
  public boolean cancel() {
    return node.cancel();
  }

  /**
   * Why it failed: what its body threw; for a task that could not run, a {@link
   * java.util.concurrent.CompletionException} that names the task whose end was the reason and has
   * that one's failure as its cause; for a cancelled one, a {@link
   * java.util.concurrent.CancellationException}. Empty if it has not failed.
   */
  public Optional<Throwable> failure() {
    return Optional.ofNullable(node.failure());
  }

  /** Completes when the task ends: with null if it is done, otherwise with {@link #failure}. */
  public CompletionStage<Void> completion() {
    return node.completion().minimalCompletionStage();
  }

  /**
   * Waits until it has ended.
   *
   * @return how it ended
   * @throws InterruptedException if the waiting thread is interrupted; the task is not affected
   */
  public TaskStatus await() throws InterruptedException {
    TaskWait.await(node.completion());
    return node.status();
  }

  /**
   * Waits until it has ended, no longer than a time.
   *
   * @return how it stands: an end, or not if the time has passed
   * @throws InterruptedException if the waiting thread is interrupted; the task is not affected
   */
  public TaskStatus await(Duration longest) throws InterruptedException {
    TaskWait.await(node.completion(), longest);
    return node.status();
  }

  CompletableFuture<Void> future() {
    return node.completion();
  }

  @Override
  public String toString() {
    return node.toString();
  }
}
