package org.hyperslab.plugins.forwarding.task;

import java.util.concurrent.CompletionStage;

/**
 * The action of a task.
 *
 * <p>Thread rule: called once, in a thread of the engine.
 */
@FunctionalInterface
public interface TaskBody {

  /**
   * Carries out the action, or starts it.
   *
   * @return null if the action has ended; otherwise a stage: the task runs until it completes, and
   *     occupies no thread meanwhile
   * @throws Exception if the action fails; the task fails with it
   */
  CompletionStage<?> run() throws Exception;

  /**
   * Makes a body that has ended when the action returns.
   *
   * @param action the action
   * @return the body
   */
  static TaskBody of(Runnable action) {
    return () -> {
      action.run();
      return null;
    };
  }

  /** {@return a body that does nothing, for a task that only joins others} */
  static TaskBody nothing() {
    return () -> null;
  }
}
