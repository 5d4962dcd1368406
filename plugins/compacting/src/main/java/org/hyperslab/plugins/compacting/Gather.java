package org.hyperslab.plugins.compacting;

import org.hyperslab.error.InvalidUseException;

/**
 * The conditions for starting collected requests on an idle dataset. While a batch of a dataset is
 * under way, new requests are always collected.
 *
 * @param requests the number of waiting requests that starts them; 1 starts each at once
 * @param nanoseconds the time after which they start, counted from the arrival of the first, even
 *     if there are fewer; 0 means no time limit, in which case an incomplete batch waits for an
 *     ordered request, a full queue or {@link Compactor#release}
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
