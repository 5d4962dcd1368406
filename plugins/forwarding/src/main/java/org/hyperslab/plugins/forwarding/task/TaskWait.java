package org.hyperslab.plugins.forwarding.task;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waiting for the end of a task, whatever the end is. */
final class TaskWait {

  private TaskWait() {}

  static void await(CompletableFuture<Void> completion) throws InterruptedException {
    try {
      completion.exceptionally(failure -> null).get();
    } catch (ExecutionException impossible) {
      throw new AssertionError(impossible);
    }
  }

  static boolean await(CompletableFuture<Void> completion, Duration longest)
      throws InterruptedException {
    try {
      completion.exceptionally(failure -> null).get(longest.toNanos(), TimeUnit.NANOSECONDS);
      return true;
    } catch (TimeoutException late) {
      return false;
    } catch (ExecutionException impossible) {
      throw new AssertionError(impossible);
    }
  }
}
