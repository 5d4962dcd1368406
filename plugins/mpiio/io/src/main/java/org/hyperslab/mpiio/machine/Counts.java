package org.hyperslab.mpiio.machine;

import org.hyperslab.error.InvalidUseException;

/** Products of counts that come from outside, checked before anything is allocated. */
final class Counts {

  private Counts() {}

  /**
   * Multiplies.
   *
   * @param what for the message
   * @param most the greatest product allowed
   * @param counts each at least 1
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
