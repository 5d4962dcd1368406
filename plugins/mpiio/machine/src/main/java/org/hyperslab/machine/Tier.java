package org.hyperslab.machine;

import org.hyperslab.error.InvalidUseException;

/**
 * The switches of one height in a tree of switches.
 *
 * @param arity the number of nodes, or switches of the tier below, that a switch of this tier
 *     connects
 * @param width the number of cables that connect each of them
 * @param level the bandwidth and latency at this tier, for one cable
 */
public record Tier(int arity, int width, Level level) {

  /**
   * Checks the numbers.
   *
   * @throws InvalidUseException if one is less than 1
   */
  public Tier {
    if (arity < 1 || width < 1) {
      throw new InvalidUseException(
          "tier "
              + level.name()
              + ": actual="
              + arity
              + " below, "
              + width
              + " cables,"
              + " expected=at least 1 of both");
    }
  }
}
