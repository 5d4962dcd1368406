package org.hyperslab.plugins.compacting.queue;

/**
 * Runs actions after a delay: the compactor's clock. Tests use a clock that they control.
 *
 * <p>Thread rule: called by any thread that may hold locks of the compactor, so the scheduler must
 * not run the action before it returns.
 */
@FunctionalInterface
public interface DelayScheduler {

  /**
   * Schedules an action to run once.
   *
   * @param nanoseconds the least delay until the action runs
   * @param action the action
   */
  void schedule(long nanoseconds, Runnable action);
}
