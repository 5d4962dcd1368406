package org.hyperslab.convert.table.cell;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Scans a number in the form that almost all numbers of tables have: digits with an optional minus
 * sign, fraction and exponent, without spaces, and with at most 19 digits. {@link CellNumber}
 * recognises all other forms.
 *
 * <p>Eight bytes are looked at together, as described by D. Lemire and W. Muła, "Number parsing at
 * a gigabyte per second", Software: Practice and Experience 51 (2021).
 *
 * <p>Thread rule: confined to one thread.
 */
final class NumberScan {

  /** The bytes that occur in numbers; none of them may separate cells that are scanned. */
  static final String BYTES_OF_NUMBERS = "0123456789+-.eE";

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long ZEROS = 0x3030303030303030L;
  private static final long LOW_SEVEN = 0x7F7F7F7F7F7F7F7FL;
  private static final long BEYOND_NINE = 0x7676767676767676L;
  private static final long HIGH_BITS = 0x8080808080808080L;

  private static final long[] POWERS = {
    1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000
  };

  /** The digits of every number of so many fit 63 bits. */
  private static final int INTEGER_DIGITS = 18;

  /** The digits of every number of so many fit 64 bits. */
  private static final int REAL_DIGITS = 19;

  private static final int EXPONENT_DIGITS = 3;

  private int kind;
  private long digits;
  private int exponent;
  private boolean isNegative;

  /**
   * Scans a number. The result is {@link #kind}.
   *
   * @param bytes the array
   * @param start where the number begins
   * @param end where the array's content ends, behind {@code start}
   * @return the first byte that is no part of the number, or was not looked at
   */
  int scan(byte[] bytes, int start, int end) {
    kind = CellNumber.NONE;
    digits = 0;
    exponent = 0;
    isNegative = bytes[start] == '-';
    int first = isNegative ? start + 1 : start;
    int at = scanDigits(bytes, first, end);
    int whole = at - first;
    if (whole == 0 || (whole > 1 && bytes[first] == '0') || whole > REAL_DIGITS) {
      return at;
    }
    if (at < end && (bytes[at] == '.' || (bytes[at] | 0x20) == 'e')) {
      return scanReal(bytes, at, end, whole);
    }
    if (whole <= INTEGER_DIGITS) {
      kind =
          digits == 0 && isNegative // an integer has no negative zero
              ? CellNumber.REAL
              : CellNumber.ofInteger(digits);
    }
    return at;
  }

  private int scanReal(byte[] bytes, int from, int end, int whole) {
    int at = from;
    int significant = digits == 0 ? 0 : whole;
    if (bytes[at] == '.') {
      at = scanDigits(bytes, from + 1, end);
      exponent = from + 1 - at;
      significant -= exponent;
    }
    if (significant > REAL_DIGITS) {
      return at;
    }
    if (at < end && (bytes[at] | 0x20) == 'e') {
      return scanExponent(bytes, at + 1, end, whole);
    }
    kind = CellNumber.REAL;
    return at;
  }

  private int scanExponent(byte[] bytes, int from, int end, int whole) {
    int at = from;
    boolean isBelow = at < end && bytes[at] == '-';
    if (isBelow || (at < end && bytes[at] == '+')) {
      at++;
    }
    int first = at;
    int value = 0;
    while (at < end && at - first <= EXPONENT_DIGITS && isDigit(bytes[at])) {
      value = 10 * value + (bytes[at++] - '0');
    }
    int length = at - first;
    if (length > 0 && length <= EXPONENT_DIGITS && whole + value < CellNumber.FINITE_EXPONENT) {
      exponent += isBelow ? -value : value;
      kind = CellNumber.REAL;
    }
    return at;
  }

  private static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }

  /** Adds digits to those that precede them; returns where they end. */
  private int scanDigits(byte[] bytes, int from, int end) {
    long value = digits;
    int at = from;
    while (at + Long.BYTES <= end) {
      long eight = (long) LONG.get(bytes, at) ^ ZEROS;
      long others = (((eight & LOW_SEVEN) + BEYOND_NINE) | eight) & HIGH_BITS;
      int count = Long.numberOfTrailingZeros(others) >>> 3; // 8 if all bytes are digits
      if (count > 0) {
        value = value * POWERS[count] + number(eight << (Long.SIZE - 8 * count));
        at += count;
      }
      if (count < Long.BYTES) {
        digits = value;
        return at;
      }
    }
    while (at < end && isDigit(bytes[at])) {
      value = 10 * value + (bytes[at++] - '0');
    }
    digits = value;
    return at;
  }

  /** Returns the number of eight digits, of which the lowest byte is the first. */
  private static long number(long eight) {
    long pairs = (eight * 10 + (eight >>> 8)) & 0x00FF00FF00FF00FFL;
    long fours = (pairs * 100 + (pairs >>> 16)) & 0x0000FFFF0000FFFFL;
    return (fours * 10_000 + (fours >>> 32)) & 0xFFFFFFFFL;
  }

  /**
   * Returns the kind of the number that was scanned, to which {@link CellNumber#INEXACT} may be
   * added; {@link CellNumber#NONE} if there was none in the usual form.
   */
  int kind() {
    return kind;
  }

  /** Returns whether there is a minus sign. */
  boolean isNegative() {
    return isNegative;
  }

  /** Returns all digits as an integer without sign. */
  long digits() {
    return digits;
  }

  /** Returns the exponent of ten by which the digits are multiplied. */
  int exponent() {
    return exponent;
  }
}
