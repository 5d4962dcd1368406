package org.hyperslab.plugins.compacting;

import org.hyperslab.error.InvalidUseException;

/**
 * How long the requests on an idle dataset are collected before they are carried out. While a batch
 * of a dataset is under way, new requests are collected in any case.
 *
 * @param requests start when this number of requests waits; 1 starts at once
 * @param nanoseconds start when the first of the requests has waited this long, however few there
 *     are; 0 means no time limit, in which case an incomplete batch waits for an ordered request, a
 *     full queue or {@link Compactor#release}
 */
public record Gather(int requests, long nanoseconds) {

  /** Starts requests on an idle dataset at once. */
  public static final Gather NONE = new Gather(1, 0);

  /**
   * Checks the bounds.
   *
   * @throws InvalidUseException if {@code requests} is not positive or {@code nanoseconds} is
   *     negative
   */
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
