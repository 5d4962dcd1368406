package org.hyperslab.plugins.compacting;

import org.hyperslab.error.InvalidUseException;

/**
 * How long the requests on an idle dataset gather before they are carried out. While a batch of a
 * dataset is under way, those that come gather in any case.
 *
 * @param requests start when so many wait; 1 for at once
 * @param nanoseconds start when the first of them has waited so long, however few there are; 0 for
 *     no limit in time, in which case an incomplete batch waits for an ordered request, a full
 *     queue or {@link Compactor#release}
 */
public record Gather(int requests, long nanoseconds) {

  /** No waiting on an idle dataset. */
  public static final Gather NONE = new Gather(1, 0);

  /** Checks the bounds. */
  public Gather {
    if (requests < 1 || nanoseconds < 0) {
      throw new InvalidUseException(
          "gathering: actual="
              + requests
              + " requests, "
              + nanoseconds
              + " ns, expected=at least 1 request and 0 ns");
    }
  }
}
