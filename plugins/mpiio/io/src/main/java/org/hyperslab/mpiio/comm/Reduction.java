package org.hyperslab.mpiio.comm;

/** How the values of several ranks become one. All are associative and commutative. */
public enum Reduction {
  /** The least, as signed numbers. */
  MIN(Long.MAX_VALUE),
  /** The greatest, as signed numbers. */
  MAX(Long.MIN_VALUE),
  /** The sum, modulo 2^64. */
  SUM(0),
  /** Bitwise and. */
  AND(-1),
  /** Bitwise or. */
  OR(0);

  private final long identity;

  Reduction(long identity) {
    this.identity = identity;
  }

  /** {@return the value that changes nothing when reduced with another} */
  public long identity() {
    return identity;
  }

  /**
   * {@return the outcome of two values}
   *
   * @param a a value
   * @param b another value
   */
  public long apply(long a, long b) {
    return switch (this) {
      case MIN -> Math.min(a, b);
      case MAX -> Math.max(a, b);
      case SUM -> a + b;
      case AND -> a & b;
      case OR -> a | b;
    };
  }

  /**
   * Reduces each of {@code more} into its place in {@code into}, which is as long.
   *
   * @param into values that become the outcome
   * @param more as many values
   */
  public void accumulate(long[] into, long[] more) {
    for (int i = 0; i < into.length; i++) {
      into[i] = apply(into[i], more[i]);
    }
  }
}
