package org.hyperslab.tools.number;

import java.math.BigInteger;

/**
 * The decimal digits of doubles, rounded as {@code %g} rounds, by two multiplications of 64 bits.
 *
 * <p>A double is m·2^e, and 10^j is g·2^s, where g is known to 64 bits. The high half of m·g has
 * the digits that are wanted, and below them bits that determine how to round, unless these are too
 * near to a half for the error of g: then only arithmetic of any precision can decide. For small j,
 * which most numbers need, g is exact and always decides.
 *
 * <p>The idea of a product that is exact enough to round is that of Ulf Adams, Ryū revisited:
 * printf floating point conversion (2019).
 *
 * <p>Thread rule: confined to one thread.
 */
public final class RoundedDigits {

  /** The largest precision for which the bits below the digits are enough to round. */
  public static final int MAX_PRECISION = 15;

  /** 10^27 is the largest power of ten of which 64 bits are exact. */
  private static final int STEP = 27;

  /** Powers of ten that are multiples of the step begin with 10^(-LOWEST·STEP). */
  private static final int LOWEST = 12;

  /**
   * The greatest error of the product, in units of its high half: m·g is cut off by less than 1,
   * and g, of two factors that are cut off, by less than 4.
   */
  private static final int SHORT_BY = 5;

  private static final long[] STEPS = steps();
  private static final long[] FINE = fine();
  private static final long[] POWERS = powers();

  private final byte[] digits = new byte[24];
  private final byte[] text = new byte[32];

  /** The product of a double and a power of ten: 128 bits, and how many are behind the point. */
  private long high;

  private long low;
  private int fractionBits;
  private boolean isExact;

  /** {@return 64 bits of 10^(27·q), cut off, with the highest set} */
  private static long[] steps() {
    long[] steps = new long[2 * LOWEST + 1];
    for (int i = 0; i < steps.length; i++) {
      int power = (i - LOWEST) * STEP;
      BigInteger ten = BigInteger.TEN.pow(Math.abs(power));
      int bits = ten.bitLength();
      BigInteger significand =
          power < 0
              ? BigInteger.ONE.shiftLeft(bits + 63).divide(ten)
              : ten.shiftLeft(64).shiftRight(bits);
      steps[i] = significand.longValue();
    }
    return steps;
  }

  /** {@return 10^r for r below the step, shifted until the highest bit is set} */
  private static long[] fine() {
    long[] fine = new long[STEP];
    long five = 1;
    for (int i = 0; i < STEP; i++) {
      fine[i] = five << Long.numberOfLeadingZeros(five);
      five *= 5;
    }
    return fine;
  }

  /** Creates an object without digits. */
  public RoundedDigits() {}

  private static long[] powers() {
    long[] powers = new long[MAX_PRECISION + 1];
    powers[0] = 1;
    for (int i = 1; i < powers.length; i++) {
      powers[i] = 10 * powers[i - 1];
    }
    return powers;
  }

  /** {@return the characters of the text that was made last, at its beginning} */
  public byte[] text() {
    return text;
  }

  /**
   * Makes the text of a number as {@code %.Pg} writes it, if that is possible.
   *
   * @param value positive and finite
   * @param precision P, from 1 to {@link #MAX_PRECISION}
   * @return the number of characters in {@link #text()}; 0 if rounding needs more bits
   */
  public int general(double value, int precision) {
    if (value < Double.MIN_NORMAL) {
      return 0;
    }
    long bits = Double.doubleToRawLongBits(value);
    int binary = (int) (bits >>> 52) - 1023;
    long significand = bits << 11 | Long.MIN_VALUE;
    int decimal = binary * 315_653 >> 20; // floor(log10(2^binary)): the value's own, or one less
    multiply(significand, binary, precision - 1 - decimal);
    if (high >>> fractionBits >= POWERS[precision]) {
      decimal++;
      multiply(significand, binary, precision - 1 - decimal);
    }
    long rounded = rounded();
    if (rounded < 0) {
      return 0;
    }
    if (rounded == POWERS[precision]) {
      decimal++;
      rounded = POWERS[precision - 1];
    }
    return layOut(rounded, precision, decimal);
  }

  /** Multiplies by 10^power. */
  private void multiply(long significand, int binary, int power) {
    int step = Math.floorDiv(power, STEP);
    long fine = FINE[power - step * STEP];
    isExact = step == 0;
    long ten = fine;
    if (!isExact) {
      long coarse = STEPS[step + LOWEST];
      ten = Math.unsignedMultiplyHigh(coarse, fine);
      if (ten > 0) {
        ten = ten << 1 | coarse * fine >>> 63;
      }
    }
    high = Math.unsignedMultiplyHigh(significand, ten);
    low = significand * ten;
    int tenBinary = power * 217_706 >> 16; // floor(log2(10^power))
    fractionBits = 62 - binary - tenBinary;
  }

  /** {@return the product, rounded half to even; -1 if it is not known well enough} */
  private long rounded() {
    long half = 1L << fractionBits - 1;
    long whole = high >>> fractionBits;
    long fraction = high & 2 * half - 1;
    if (isExact) {
      boolean tie = fraction == half && low == 0;
      return tie ? whole + (whole & 1) : fraction >= half ? whole + 1 : whole;
    }
    if (fraction > half || fraction == half && low != 0) {
      return whole + 1;
    }
    return fraction + SHORT_BY < half ? whole : -1;
  }

  /** Lays out digits as {@code %g} does, without the zeros at their end. */
  private int layOut(long rounded, int precision, int exponent) {
    DecimalDigits.write(rounded, precision, digits, 0);
    int count = precision;
    while (count > 1 && digits[count - 1] == '0') {
      count--;
    }
    if (exponent < -4 || exponent >= precision) {
      return scientific(count, exponent);
    }
    int at = 0;
    if (exponent < 0) {
      text[at++] = '0';
      text[at++] = '.';
      for (int i = -1; i > exponent; i--) {
        text[at++] = '0';
      }
      return digits(0, count, at);
    }
    int whole = Math.min(count, exponent + 1);
    at = digits(0, whole, at);
    for (int i = whole; i <= exponent; i++) {
      text[at++] = '0';
    }
    if (count > whole) {
      text[at++] = '.';
      at = digits(whole, count, at);
    }
    return at;
  }

  private int digits(int from, int to, int at) {
    System.arraycopy(digits, from, text, at, to - from);
    return at + to - from;
  }

  private int scientific(int count, int exponent) {
    int at = digits(0, 1, 0);
    if (count > 1) {
      text[at++] = '.';
      at = digits(1, count, at);
    }
    int size = Math.abs(exponent);
    text[at++] = 'e';
    text[at++] = (byte) (exponent < 0 ? '-' : '+');
    return at + DecimalDigits.write(size, size < 100 ? 2 : 3, text, at);
  }
}
