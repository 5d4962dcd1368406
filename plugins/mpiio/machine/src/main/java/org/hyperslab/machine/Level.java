package org.hyperslab.machine;

import org.hyperslab.error.InvalidUseException;

/**
 * A class of equal connections, such as those between processors of one package, nodes of one rack,
 * or groups of a dragonfly.
 *
 * @param name what the two ends share, such as {@code package} or {@code rack}
 * @param bytesPerSecond the bandwidth of a connection; positive and finite
 * @param latencyNanos the time that an empty message takes, for each hop, in nanoseconds; at least
 *     0 and finite
 */
public record Level(String name, double bytesPerSecond, double latencyNanos) {

  /**
   * Checks the figures.
   *
   * @throws InvalidUseException if one is not positive or not finite
   */
  public Level {
    if (!(bytesPerSecond > 0) || Double.isInfinite(bytesPerSecond)) {
      throw new InvalidUseException(
          "level " + name + ": actual=" + bytesPerSecond + " bytes/s, expected=more than 0");
    }
    if (!(latencyNanos >= 0) || Double.isInfinite(latencyNanos)) {
      throw new InvalidUseException(
          "level " + name + ": actual=latency of " + latencyNanos + " ns, expected=at least 0");
    }
  }
}
