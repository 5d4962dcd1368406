package org.hyperslab.plugins.forwarding.task;

/**
 * Where a task is in its life. The last three are ends: a task in one of them never moves again.
 */
public enum TaskStatus {
  /** Some task that it waits for has not ended. */
  WAITING,
  /** Nothing is missing; it stands in the queue of the threads. */
  SCHEDULED,
  /** Its body runs, or the stage that the body returned has not completed. */
  RUNNING,
  /** Its body completed. */
  DONE,
  /** It was cancelled before it ran. */
  CANCELLED,
  /** Its body failed, or a task that it needed failed or was cancelled. */
  FAILED;

  /** Whether the task has ended, in whatever way. */
  public boolean isEnd() {
    return this == DONE || this == CANCELLED || this == FAILED;
  }
}
