package org.hyperslab.tools.number;

import java.util.Locale;

/** Formats non-negative numbers of double precision as glibc's {@code %a} does. */
final class HexadecimalNumber {

  private static final int MANTISSA_DIGITS = 13;
  private static final int MANTISSA_BITS = 52;
  private static final long MANTISSA = (1L << MANTISSA_BITS) - 1;

  private HexadecimalNumber() {}

  /**
   * Formats a number.
   *
   * @param value the number, 0 or greater, finite
   * @param digits the number of digits after the point; negative for as many as are needed
   * @param point whether to print the point even without digits
   */
  static String of(double value, int digits, boolean point) {
    long mantissa = Double.doubleToRawLongBits(value) & MANTISSA;
    int exponent = 0;
    if (value != 0) {
      boolean subnormal = value < Double.MIN_NORMAL;
      exponent = subnormal ? Double.MIN_EXPONENT : Math.getExponent(value);
      mantissa |= subnormal ? 0 : 1L << MANTISSA_BITS;
    }
    mantissa = rounded(mantissa, digits);
    String fraction = String.format(Locale.ROOT, "%013x", mantissa & MANTISSA);
    if (digits < 0) {
      fraction = fraction.replaceAll("0+$", "");
    } else {
      fraction =
          (fraction + "0".repeat(Math.max(0, digits - MANTISSA_DIGITS))).substring(0, digits);
    }
    return "0x"
        + (mantissa >>> MANTISSA_BITS)
        + (fraction.isEmpty() && !point ? "" : ".")
        + fraction
        + (exponent < 0 ? "p-" : "p+")
        + Math.abs(exponent);
  }

  /** Rounds to the nearest number, and half-way cases to the even digit. */
  private static long rounded(long mantissa, int digits) {
    if (digits < 0 || digits >= MANTISSA_DIGITS) {
      return mantissa;
    }
    int dropped = 4 * (MANTISSA_DIGITS - digits);
    long half = 1L << (dropped - 1);
    long rest = mantissa & ((1L << dropped) - 1);
    long kept = mantissa >>> dropped;
    boolean up = rest > half || (rest == half && (kept & 1) != 0);
    return (kept + (up ? 1 : 0)) << dropped;
  }
}
