package org.hyperslab.plugins.forwarding.task;

/** The status of a task. The last three are final. */
public enum TaskStatus {
  /** A task that it waits for has not ended. */
  WAITING,
  /** It waits for a thread only. */
  SCHEDULED,
  /** Its body runs, or the stage that the body returned has not completed. */
  RUNNING,
  /** Its body has completed. */
  DONE,
  /** It was cancelled before it ran. */
  CANCELLED,
  /** Its body failed, or a task that it needed failed or was cancelled. */
  FAILED;

  /** {@return whether the status is final} */
  public boolean isEnd() {
    return this == DONE || this == CANCELLED || this == FAILED;
  }
}
