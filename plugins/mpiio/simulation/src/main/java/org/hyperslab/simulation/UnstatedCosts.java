package org.hyperslab.simulation;

import org.hyperslab.error.InvalidUseException;

/**
 * The costs of accesses to a file that the description of a machine does not state.
 *
 * <p>Thread rule: immutable.
 *
 * @param requestNanos the time for which a request occupies a storage server without its bytes, in
 *     nanoseconds
 * @param storageBytesPerSecond the bandwidth of a storage server, if the machine does not state it
 * @param copyBytesPerSecond the bandwidth of copies in a rank's memory
 */
public record UnstatedCosts(
    long requestNanos, double storageBytesPerSecond, double copyBytesPerSecond) {

  /** Half a millisecond for a request, a server of 1 GB/s, copies of 10 GB/s. */
  public static final UnstatedCosts DEFAULT = new UnstatedCosts(500_000, 1e9, 10e9);

  /**
   * Checks the figures.
   *
   * @throws InvalidUseException if a time is negative or a bandwidth not positive
   */
  public UnstatedCosts {
    if (requestNanos < 0 || !(storageBytesPerSecond > 0) || !(copyBytesPerSecond > 0)) {
      throw new InvalidUseException(
          "simulated costs: actual=%d ns, %s and %s bytes/s, expected=positive ones"
              .formatted(requestNanos, storageBytesPerSecond, copyBytesPerSecond));
    }
  }
}
