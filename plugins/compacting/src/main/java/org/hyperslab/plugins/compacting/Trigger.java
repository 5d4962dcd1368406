package org.hyperslab.plugins.compacting;

/**
 * Calls back later: the compactor's clock. Tests inject one that they turn by hand.
 *
 * <p>Thread rule: called by any thread, while locks of the compactor are held: it must not call the
 * action itself before it returns.
 */
@FunctionalInterface
public interface Trigger {

  /** Runs the action once, not before so many nanoseconds from now. */
  void after(long nanoseconds, Runnable action);
}
