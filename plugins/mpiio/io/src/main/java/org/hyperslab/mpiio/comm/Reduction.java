package org.hyperslab.mpiio.comm;

/** The operation that combines the values of several ranks. All are associative and commutative. */
public enum Reduction {
  /** The minimum of signed numbers. */
  MIN(Long.MAX_VALUE),
  /** The maximum of signed numbers. */
  MAX(Long.MIN_VALUE),
  /** The sum, modulo 2^64. */
  SUM(0),
  /** Bitwise and of the values. */
  AND(-1),
  /** Bitwise or of the values. */
  OR(0);

  private final long identity;

  Reduction(long identity) {
    this.identity = identity;
  }

  /** {@return the identity element, which leaves a value unchanged} */
  public long identity() {
    return identity;
  }

  /**
   * {@return the result for two values}
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
   * Reduces each element of {@code more} into the corresponding element of {@code into}.
   *
   * @param into the values that become the result
   * @param more the other values, of equal number
   */
  public void accumulate(long[] into, long[] more) {
    for (int i = 0; i < into.length; i++) {
      into[i] = apply(into[i], more[i]);
    }
  }
}
