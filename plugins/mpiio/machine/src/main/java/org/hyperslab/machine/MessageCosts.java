package org.hyperslab.machine;

import org.hyperslab.error.InvalidUseException;

/**
 * The costs of a message besides its latency and its bytes, by which many short messages are dearer
 * than few long ones: o and g of LogGP.
 *
 * @param overheadNanos the time for which a message occupies the processor of its sender, and again
 *     that of its receiver, in nanoseconds
 * @param gapNanos the least time between two messages that leave a node, or reach one, in
 *     nanoseconds
 */
public record MessageCosts(double overheadNanos, double gapNanos) {

  /** No costs besides latency and bytes. */
  public static final MessageCosts NONE = new MessageCosts(0, 0);

  /**
   * Checks the times.
   *
   * @throws InvalidUseException if one is negative or not finite
   */
  public MessageCosts {
    if (!(overheadNanos >= 0 && gapNanos >= 0) || Double.isInfinite(overheadNanos + gapNanos)) {
      throw new InvalidUseException(
          "messages: actual=overhead of %s ns, gap of %s ns, expected=times of at least 0"
              .formatted(overheadNanos, gapNanos));
    }
  }
}
