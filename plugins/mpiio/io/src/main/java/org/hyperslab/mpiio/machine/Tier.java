package org.hyperslab.mpiio.machine;

import org.hyperslab.error.InvalidUseException;

/**
 * The switches of one height in a tree of switches.
 *
 * @param arity how many nodes, or switches of the tier below, a switch of this tier connects
 * @param width how many cables each of them is connected by
 * @param level what messages meet at this tier, on one cable
 */
record Tier(int arity, int width, Level level) {

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
