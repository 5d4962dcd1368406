package org.hyperslab.machine;

import org.hyperslab.error.InvalidUseException;

/** Multiplies counts from outside with checks, before anything is allocated. */
final class CheckedCounts {

  private CheckedCounts() {}

  /**
   * Returns the product of counts from outside, checked against a limit.
   *
   * @param what the name of the product in messages
   * @param most the greatest allowed product
   * @param counts the factors, each at least 1
   * @return the product
   * @throws InvalidUseException if a count is less than 1 or the product is too large
   */
  static int product(String what, int most, int... counts) {
    long product = 1;
    for (int count : counts) {
      if (count < 1) {
        throw new InvalidUseException(what + ": actual=" + count + ", expected=at least 1");
      }
      product *= count;
      if (product > most) {
        throw new InvalidUseException(
            what + ": actual=more than " + most + " in all, expected=at most that");
      }
    }
    return (int) product;
  }
}
