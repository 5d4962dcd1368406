package org.hyperslab.convert.table.cell;

import java.math.BigInteger;

/**
 * Finds the double nearest to a decimal number, as {@link Double#parseDouble} does, by the
 * algorithm of M. Eisel and D. Lemire ("Number parsing at a gigabyte per second", Software:
 * Practice and Experience 51, 2021): digits are multiplied by the first 128 bits of a power of
 * five.
 *
 * <p>Thread rule: stateless.
 */
final class NearestDouble {

  /** The greatest magnitude of the exponents of ten for which {@link #of} has a result. */
  static final int MAX_EXPONENT = 64;

  private static final long EXACT_INTEGERS = 1L << 53;
  private static final int MANTISSA_BITS = 52;
  private static final int EXPONENT_BIAS = 1023;

  /** The bits of a product below those that decide: mantissa, its rounding bit and one more. */
  private static final int LOWER_BITS = Long.SIZE - MANTISSA_BITS - 3;

  private static final long LOWER_MASK = (1L << LOWER_BITS) - 1;

  /** Powers whose first 128 bits are all bits, so that a product can be exactly between doubles. */
  private static final int LEAST_TIE = -4;

  private static final int GREATEST_TIE = 23;

  /** The powers of ten that a double represents exactly. */
  private static final double[] POWERS = new double[23];

  static {
    double power = 1;
    for (int i = 0; i < POWERS.length; i++) {
      POWERS[i] = power;
      power *= 10;
    }
  }

  private NearestDouble() {}

  /**
   * Returns the double nearest to digits times a power of ten; NaN if it must be found otherwise.
   *
   * @param digits an integer of 64 bits without sign
   * @param exponent the exponent of ten
   */
  static double of(long digits, int exponent) {
    if (digits >= 0 && digits <= EXACT_INTEGERS && Math.abs(exponent) < POWERS.length) {
      // Both operands are exact, so that the result is rounded once.
      return exponent < 0 ? digits / POWERS[-exponent] : digits * POWERS[exponent];
    }
    if (digits == 0) {
      return 0;
    }
    return Math.abs(exponent) > MAX_EXPONENT ? Double.NaN : product(digits, exponent);
  }

  private static double product(long digits, int exponent) {
    int zeros = Long.numberOfLeadingZeros(digits);
    long factor = digits << zeros;
    long high = Math.unsignedMultiplyHigh(factor, Fives.high(exponent));
    long low = factor * Fives.high(exponent);
    if ((high & LOWER_MASK) == LOWER_MASK) { // what follows could carry into the bits that decide
      long rest = Math.unsignedMultiplyHigh(factor, Fives.low(exponent));
      low += rest;
      high += Long.compareUnsigned(low, rest) < 0 ? 1 : 0;
      if (low == -1) {
        return Double.NaN;
      }
    }
    int top = (int) (high >>> (Long.SIZE - 1));
    long mantissa = high >>> (top + LOWER_BITS);
    boolean mayBeTie = exponent >= LEAST_TIE && exponent <= GREATEST_TIE;
    if (mayBeTie
        && (low == 0 || low == 1)
        && (mantissa & 3) == 1
        && mantissa << (top + LOWER_BITS) == high) {
      mantissa--; // exactly between two doubles, and the lower one is even
    }
    mantissa = (mantissa + (mantissa & 1)) >>> 1;
    int binary = Fives.binaryExponent(exponent) + top - zeros;
    // Adding the mantissa with its leading bit also carries into the exponent if it was rounded up.
    return Double.longBitsToDouble(
        ((long) (binary + EXPONENT_BIAS - 1) << MANTISSA_BITS) + mantissa);
  }

  /** The first 128 bits of powers of five, whose highest bit is set. */
  private static final class Fives {

    private static final int BITS = 2 * Long.SIZE;

    /** The reciprocals of larger powers are truncated once more. */
    private static final int LEAST_WHOLE = -27;

    private static final BigInteger FIVE = BigInteger.valueOf(5);
    private static final long[] HIGH = new long[2 * MAX_EXPONENT + 1];
    private static final long[] LOW = new long[2 * MAX_EXPONENT + 1];

    static {
      for (int exponent = -MAX_EXPONENT; exponent <= MAX_EXPONENT; exponent++) {
        BigInteger bits = exponent < 0 ? reciprocal(-exponent) : power(exponent);
        HIGH[exponent + MAX_EXPONENT] = bits.shiftRight(Long.SIZE).longValue();
        LOW[exponent + MAX_EXPONENT] = bits.longValue();
      }
    }

    static long high(int exponent) {
      return HIGH[exponent + MAX_EXPONENT];
    }

    static long low(int exponent) {
      return LOW[exponent + MAX_EXPONENT];
    }

    private static BigInteger power(int exponent) {
      return firstBits(FIVE.pow(exponent));
    }

    /** Reciprocals are rounded up, as the algorithm requires. */
    private static BigInteger reciprocal(int exponent) {
      BigInteger power = FIVE.pow(exponent);
      int length = power.bitLength(); // no power of five but 1 is a power of two
      int bits = -exponent >= LEAST_WHOLE ? length + BITS - 1 : 2 * (length + Long.SIZE);
      return firstBits(BigInteger.ONE.shiftLeft(bits).divide(power).add(BigInteger.ONE));
    }

    private static BigInteger firstBits(BigInteger number) {
      return number.shiftRight(number.bitLength() - BITS); // to the left if it is shorter
    }

    /** Returns the exponent of two of a power of ten: the floor of its logarithm, plus 63. */
    static int binaryExponent(int exponent) {
      return ((217_706 * exponent) >> 16) + Long.SIZE - 1;
    }
  }
}
