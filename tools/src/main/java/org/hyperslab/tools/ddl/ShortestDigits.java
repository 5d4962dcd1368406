package org.hyperslab.tools.ddl;

/**
 * The decimal digits of a double, rounded as {@code %g} rounds, without arithmetic of any
 * precision. They come from {@link Double#toString}, whose digits are the fewest that no other
 * double is nearer to. If those are more than are wanted, rounding them is rounding the double
 * itself, but where what is cut off is exactly a 5: then only the double's own value can tell.
 *
 * <p>Thread rule: confined to one thread.
 */
final class ShortestDigits {

  /** A decimal of at most this many digits is nearer to one double than to every other. */
  static final int MOST_PRECISION = 15;

  private final char[] digits = new char[32];
  private int count;
  private int exponent;

  /**
   * Appends a number as {@code %.Pg} writes it, if that is possible.
   *
   * @param value positive and finite
   * @param precision P, from 1 to {@link #MOST_PRECISION}
   * @return whether that could be told; if not, nothing was appended
   */
  boolean general(double value, int precision, StringBuilder out) {
    if (value < Double.MIN_NORMAL) {
      return false;
    }
    take(Double.toString(value));
    if (count > precision && !round(precision)) {
      return false;
    }
    strip();
    if (exponent < -4 || exponent >= precision) {
      scientific(out);
    } else if (exponent < 0) {
      out.append("0.").repeat('0', -exponent - 1).append(digits, 0, count);
    } else {
      int whole = Math.min(count, exponent + 1);
      out.append(digits, 0, whole).repeat('0', exponent + 1 - whole);
      if (count > whole) {
        out.append('.').append(digits, whole, count - whole);
      }
    }
    return true;
  }

  /** Extracts the significant digits of a text such as 0.00123 or 1.23E-7. */
  private void take(String text) {
    count = 0;
    int point = -1;
    int seen = 0;
    int power = 0;
    int firstSignificant = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '.') {
        point = seen;
      } else if (c == 'E') {
        power = Integer.parseInt(text, i + 1, text.length(), 10);
        break;
      } else {
        if (count == 0 && c == '0') {
          firstSignificant = seen + 1;
        } else {
          digits[count++] = c;
        }
        seen++;
      }
    }
    exponent = power + point - firstSignificant - 1;
    strip();
  }

  private void strip() {
    while (count > 1 && digits[count - 1] == '0') {
      count--;
    }
  }

  /**
   * Rounds to fewer digits.
   *
   * @return whether that was possible; not where the digits end half-way
   */
  private boolean round(int precision) {
    char next = digits[precision];
    if (next == '5' && count == precision + 1) {
      return false;
    }
    count = precision;
    if (next < '5') {
      return true;
    }
    int at = count - 1;
    while (at >= 0 && digits[at] == '9') {
      digits[at--] = '0';
    }
    if (at >= 0) {
      digits[at]++;
    } else {
      digits[0] = '1';
      exponent++;
    }
    return true;
  }

  private void scientific(StringBuilder out) {
    out.append(digits[0]);
    if (count > 1) {
      out.append('.').append(digits, 1, count - 1);
    }
    int size = Math.abs(exponent);
    out.append(exponent < 0 ? "e-" : "e+").append(size < 10 ? "0" : "").append(size);
  }
}
