package org.hyperslab.plugins.forwarding.task;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A task of a {@link TaskEngine}. It holds no references to the tasks that it waited for, so that
 * tasks that have ended can be collected.
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

  /** {@return the name of the task} */
  public String label() {
    return node.label();
  }

  /** {@return the current status} */
  public TaskStatus status() {
    return node.status();
  }

  /**
   * Cancels the task if its body has not started. Tasks that need it fail.
   *
   * @return whether the task is cancelled; false if it runs or has ended otherwise
   */
  public boolean cancel() {
    return node.cancel();
  }

  /**
   * Returns the failure of the task: what its body threw; for a task that could not run, a {@link
   * java.util.concurrent.CompletionException} that names the task whose end was the reason, with
   * that task's failure as its cause; for a cancelled task, a {@link
   * java.util.concurrent.CancellationException}.
   *
   * @return the failure; empty if the task has not failed
   */
  public Optional<Throwable> failure() {
    return Optional.ofNullable(node.failure());
  }

  /** {@return completes when the task ends: with null if it is done, else with its failure} */
  public CompletionStage<Void> completion() {
    return node.completion().minimalCompletionStage();
  }

  /**
   * Waits until the task has ended.
   *
   * @return the final status
   * @throws InterruptedException if the waiting thread is interrupted; the task is not affected
   */
  public TaskStatus await() throws InterruptedException {
    TaskWait.await(node.completion());
    return node.status();
  }

  /**
   * Waits until the task has ended or a time has passed.
   *
   * @param longest the longest time to wait
   * @return the status, which is final unless the time has passed
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
