package org.hyperslab.convert.table.cell;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Recognises and decodes the numbers of a table. Spaces around a number are ignored. Codes, which
 * are integers with leading zeros or a plus sign, are text.
 *
 * <p>Thread rule: stateless.
 */
public final class CellNumber {

  /** A cell is no number. */
  public static final int NONE = 0;

  /** A cell is a floating-point number. */
  public static final int REAL = 1;

  /** A cell is an integer of 64 bits. */
  public static final int INTEGER = 2;

  /** A cell is an integer of 64 bits without a sign that is not one with a sign. */
  public static final int UNSIGNED = 3;

  /** A cell is another integer. */
  public static final int WIDE = 4;

  /** Added to the kind of a number that a double does not represent exactly or at all. */
  public static final int INEXACT = 8;

  /** The digits of every number of so many fit 63 bits. */
  private static final int SAFE_DIGITS = 18;

  /** The digits of every number of so many fit 64 bits. */
  private static final int UNSIGNED_DIGITS = 19;

  private static final long EXACT_INTEGERS = 1L << 53;

  /** Integers of so many digits are finite doubles. */
  private static final int MAX_INTEGER_DIGITS = 308;

  private static final int MAX_EXPONENT_DIGITS = 5;

  /** Digits and exponents whose sum is less than this are no infinity. */
  static final int FINITE_EXPONENT = 300;

  private CellNumber() {}

  /** Returns the kind of a cell, to which {@link #INEXACT} may be added. */
  public static int kind(byte[] bytes, int start, int end) {
    int from = start;
    int to = end;
    while (from < to && isSpace(bytes[from])) {
      from++;
    }
    while (to > from && isSpace(bytes[to - 1])) {
      to--;
    }
    if (from == to) {
      return NONE;
    }
    boolean isSigned = bytes[from] == '-' || bytes[from] == '+';
    int digits = isSigned ? from + 1 : from;
    if (digits == to) {
      return NONE;
    }
    byte first = bytes[digits];
    if (!isDigit(first) && first != '.') {
      return isSpecial(bytes, digits, to) ? REAL : NONE;
    }
    int at = digits;
    while (at < to && isDigit(bytes[at])) {
      at++;
    }
    boolean hasZeros = first == '0' && at - digits > 1;
    if (hasZeros) {
      return NONE;
    }
    if (at == to) {
      return bytes[from] == '+' ? NONE : integer(bytes, from, digits, to);
    }
    return real(bytes, from, digits, at, to);
  }

  /**
   * Returns whether a cell that is no number has the form of one but for leading zeros, a plus sign
   * or a decimal comma.
   */
  public static boolean isNear(byte[] bytes, int start, int end) {
    int at = start;
    if (at < end && (bytes[at] == '-' || bytes[at] == '+')) {
      at++;
    }
    int digits = at;
    int points = 0;
    for (; at < end; at++) {
      boolean isPoint = bytes[at] == '.' || bytes[at] == ',';
      if (!isDigit(bytes[at]) && !isPoint) {
        return false;
      }
      points += isPoint ? 1 : 0;
    }
    return end > digits && points <= 1 && isDigit(bytes[digits]) && isDigit(bytes[end - 1]);
  }

  private static boolean isSpace(byte b) {
    return b == ' ' || b == '\t';
  }

  private static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }

  /** Not a number and infinity, after the sign. */
  private static boolean isSpecial(byte[] bytes, int from, int to) {
    byte first = bytes[from];
    if (to - from > 8 || (first != 'i' && first != 'I' && first != 'n' && first != 'N')) {
      return false;
    }
    return switch (text(bytes, from, to).toLowerCase(Locale.ROOT)) {
      case "inf", "infinity", "nan" -> true;
      default -> false;
    };
  }

  private static int integer(byte[] bytes, int from, int digits, int to) {
    boolean isNegative = bytes[from] == '-';
    if (to - digits <= SAFE_DIGITS) {
      long value = digits(bytes, digits, to);
      if (isNegative && value == 0) {
        return REAL; // an integer has no negative zero
      }
      return ofInteger(value);
    }
    if (to - digits > MAX_INTEGER_DIGITS) {
      return NONE;
    }
    BigInteger value = new BigInteger(text(bytes, from, to));
    int kind =
        value.bitLength() <= 63
            ? INTEGER
            : value.bitLength() == 64 && value.signum() > 0 ? UNSIGNED : WIDE;
    return isDouble(value) ? kind : kind | INEXACT;
  }

  /** Returns the kind of an integer of at most 63 bits. */
  static int ofInteger(long magnitude) {
    return magnitude <= EXACT_INTEGERS || isExact(magnitude) ? INTEGER : INTEGER | INEXACT;
  }

  private static boolean isExact(long value) {
    int bits = Long.SIZE - Long.numberOfLeadingZeros(value) - Long.numberOfTrailingZeros(value);
    return bits <= 53;
  }

  private static boolean isDouble(BigInteger value) {
    return new BigDecimal(value).compareTo(new BigDecimal(value.doubleValue())) == 0;
  }

  private static int real(byte[] bytes, int from, int digits, int afterDigits, int to) {
    int at = afterDigits;
    int whole = at - digits;
    int fraction = 0;
    if (bytes[at] == '.') {
      at++;
      while (at < to && isDigit(bytes[at])) {
        at++;
        fraction++;
      }
    }
    if (whole + fraction == 0) {
      return NONE;
    }
    if (at == to) {
      return whole < FINITE_EXPONENT ? REAL : finite(bytes, from, to);
    }
    if (bytes[at] != 'e' && bytes[at] != 'E') {
      return NONE;
    }
    at++;
    if (at < to && (bytes[at] == '-' || bytes[at] == '+')) {
      at++;
    }
    int exponent = at;
    while (at < to && isDigit(bytes[at])) {
      at++;
    }
    if (at != to || at == exponent || at - exponent > MAX_EXPONENT_DIGITS) {
      return NONE;
    }
    boolean isSmall = digits(bytes, exponent, to) + whole < FINITE_EXPONENT;
    return isSmall ? REAL : finite(bytes, from, to);
  }

  private static int finite(byte[] bytes, int from, int to) {
    boolean isInfinite = Double.isInfinite(Double.parseDouble(text(bytes, from, to)));
    return isInfinite ? REAL | INEXACT : REAL;
  }

  private static long digits(byte[] bytes, int from, int to) {
    long value = 0;
    for (int at = from; at < to; at++) {
      value = 10 * value + (bytes[at] - '0');
    }
    return value;
  }

  private static String text(byte[] bytes, int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
  }

  /** Decodes a cell whose kind is {@link #INTEGER} or {@link #UNSIGNED}. */
  static long integer(byte[] bytes, int start, int end) {
    int at = start;
    while (isSpace(bytes[at])) {
      at++;
    }
    boolean isNegative = bytes[at] == '-';
    if (isNegative) {
      at++;
    }
    long value = 0;
    for (; at < end && isDigit(bytes[at]); at++) {
      value = 10 * value + (bytes[at] - '0'); // the two's complement has all 64 bits
    }
    return isNegative ? -value : value;
  }

  /** Decodes a cell of any kind of number. */
  public static double real(byte[] bytes, int start, int end) {
    int at = start;
    while (isSpace(bytes[at])) {
      at++;
    }
    boolean isNegative = bytes[at] == '-';
    if (isNegative || bytes[at] == '+') {
      at++;
    }
    long value = 0;
    int digits = 0;
    int point = -1;
    for (; at < end; at++) {
      byte b = bytes[at];
      if (isDigit(b)) {
        value = 10 * value + (b - '0');
        digits += value == 0 ? 0 : 1;
      } else if (b == '.') {
        point = at;
      } else {
        break;
      }
    }
    int exponent = point < 0 ? 0 : point + 1 - at;
    if (at < end && (bytes[at] == 'e' || bytes[at] == 'E')) {
      exponent += exponent(bytes, at + 1, end);
    } else if (digits == 0 && point < 0 && at < end && !isDigit(bytes[Math.max(start, at - 1)])) {
      return special(bytes, start, end);
    }
    double magnitude = digits <= UNSIGNED_DIGITS ? NearestDouble.of(value, exponent) : Double.NaN;
    if (Double.isNaN(magnitude)) {
      return Double.parseDouble(text(bytes, start, end).strip());
    }
    return isNegative ? -magnitude : magnitude;
  }

  private static int exponent(byte[] bytes, int from, int end) {
    int at = from;
    boolean isNegative = bytes[at] == '-';
    if (isNegative || bytes[at] == '+') {
      at++;
    }
    int value = 0;
    for (; at < end && isDigit(bytes[at]); at++) {
      value = 10 * value + (bytes[at] - '0');
    }
    return isNegative ? -value : value;
  }

  private static double special(byte[] bytes, int start, int end) {
    String word = text(bytes, start, end).strip().toLowerCase(Locale.ROOT);
    double magnitude = word.endsWith("nan") ? Double.NaN : Double.POSITIVE_INFINITY;
    return word.startsWith("-") ? -magnitude : magnitude;
  }
}
