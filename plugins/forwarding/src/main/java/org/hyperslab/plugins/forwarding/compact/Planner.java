package org.hyperslab.plugins.forwarding.compact;

import java.util.List;

/**
 * Decides what is to be done for a batch of requests: a function from values to a value.
 *
 * <p>Thread rule: no state.
 */
public final class Planner {

  private final CompactorOptions options;

  /** A planner that follows the options about merging. */
  public Planner(CompactorOptions options) {
    this.options = options;
  }

  /**
   * Plans for as many of the requests, from the first, as can be planned together: {@code
   * plan.traces()} has one trace for each of them. At least one is.
   *
   * @param requests requests on one dataset in the order of their arrival
   */
  public Plan plan(List<? extends RawRequest> requests) {
    throw new org.hyperslab.error.UnsupportedFeatureException(
        "compactor: actual=" + options + ", expected=written soon");
  }
}
