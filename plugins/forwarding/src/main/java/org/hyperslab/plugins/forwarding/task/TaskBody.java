package org.hyperslab.plugins.forwarding.task;

import java.util.concurrent.CompletionStage;

/**
 * What a task does.
 *
 * <p>Thread rule: called once, in a thread of the engine.
 */
@FunctionalInterface
public interface TaskBody {

  /**
   * Does it, or starts it.
   *
   * @return null if it is done when this returns; otherwise a stage: the task runs until that
   *     completes, and occupies no thread meanwhile
   * @throws Exception if it fails; the task fails with that as its cause
   */
  CompletionStage<?> run() throws Exception;

  /** A body that is done when it returns. */
  static TaskBody of(Runnable action) {
    return () -> {
      action.run();
      return null;
    };
  }

  /** A body that does nothing, for a task that only joins others. */
  static TaskBody nothing() {
    return () -> null;
  }
}
