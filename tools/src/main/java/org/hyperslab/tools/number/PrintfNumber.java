package org.hyperslab.tools.number;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Formats floating-point numbers as C's {@code printf} does, with one conversion such as {@code %g}
 * or {@code %.7f}.
 *
 * <p>Thread rule: immutable.
 */
public final class PrintfNumber {

  private static final Pattern CONVERSION =
      Pattern.compile(
          "((?:[^%]|%%)*)%([-+ 0#]*)(\\d*)(?:\\.(\\d*))?[lL]*([aAfFeEgG])((?:[^%]|%%)*)");
  private static final int MAX_DIGITS = 1000;
  private static final int DEFAULT_PRECISION = 6;

  /** The format {@code %g}, as C's printf writes it. */
  public static final PrintfNumber SHORTEST = of("%g");

  private final String before;
  private final String flags;
  private final int width;
  private final int precision;
  private final boolean precise;
  private final char kind;
  private final String after;
  private final boolean isSigned;

  /** Whether {@link RoundedDigits} can format most numbers. */
  private final boolean isTold;

  /** Whether it can, and nothing but a sign goes with the digits. */
  private final boolean isPlain;

  private PrintfNumber(Matcher parts) {
    before = parts.group(1).replace("%%", "%");
    flags = parts.group(2);
    width = number(parts.group(3), 0);
    precision = number(parts.group(4), DEFAULT_PRECISION);
    precise = parts.group(4) != null;
    kind = parts.group(5).charAt(0);
    after = parts.group(6).replace("%%", "%");
    isSigned = flags.contains("+") || flags.contains(" ");
    isTold = kind == 'g' && precision <= RoundedDigits.MAX_PRECISION && !flags.contains("#");
    isPlain = isTold && width == 0 && before.isEmpty() && after.isEmpty();
  }

  private static int number(String digits, int otherwise) {
    if (digits == null) {
      return otherwise;
    }
    return digits.isEmpty() ? 0 : (int) Math.min(MAX_DIGITS, Long.parseLong(digits));
  }

  /**
   * Parses a format of {@code printf}.
   *
   * @param format the format
   * @return its first conversion; {@code %g} if it has no supported one
   */
  public static PrintfNumber of(String format) {
    Matcher parts = CONVERSION.matcher(format);
    return parts.matches() && parts.group(3).length() < 18 && shortEnough(parts.group(4))
        ? new PrintfNumber(parts)
        : SHORTEST;
  }

  private static boolean shortEnough(String digits) {
    return digits == null || digits.length() < 18;
  }

  /** {@return whether all texts are of ASCII characters} */
  public boolean isAscii() {
    return before.chars().allMatch(c -> c < 128) && after.chars().allMatch(c -> c < 128);
  }

  /**
   * Appends a number of double precision.
   *
   * @param out receives the text
   * @param value the number
   */
  public void appendTo(StringBuilder out, double value) {
    RoundedDigits digits = new RoundedDigits();
    int length = isBare(value) ? digits.general(Math.abs(value), Math.max(1, precision)) : 0;
    if (length == 0) {
      out.append(text(value));
    } else {
      out.append(value < 0 ? "-" : "").append(string(digits, length));
    }
  }

  /**
   * Appends a number of double precision to a text of ASCII characters.
   *
   * @param out receives the text
   * @param value the number
   * @param digits what formats most numbers
   */
  public void appendTo(AsciiText out, double value, RoundedDigits digits) {
    int length = isBare(value) ? digits.general(Math.abs(value), Math.max(1, precision)) : 0;
    if (length == 0) {
      out.append(text(value));
      return;
    }
    if (value < 0) {
      out.append('-');
    }
    out.append(digits.text(), length);
  }

  /** {@return whether a number's text is that of its magnitude, behind a sign if it is negative} */
  private boolean isBare(double value) {
    return isPlain
        && value != 0
        && Math.abs(value) < Double.POSITIVE_INFINITY
        && (value < 0 || !isSigned);
  }

  private static String string(RoundedDigits digits, int length) {
    return new String(digits.text(), 0, length, StandardCharsets.ISO_8859_1);
  }

  /**
   * Formats a number of double precision.
   *
   * @param value the number
   * @return its text
   */
  public String text(double value) {
    boolean negative = Double.doubleToRawLongBits(value) < 0;
    if (Double.isNaN(value)) {
      return framed(negative, "nan", false);
    }
    if (Double.isInfinite(value)) {
      return framed(negative, "inf", false);
    }
    if (kind == 'a' || kind == 'A') {
      return framed(
          negative,
          cased(
              HexadecimalNumber.of(Math.abs(value), precise ? precision : -1, flags.contains("#"))),
          true);
    }
    return framed(negative, finite(Math.abs(value)), true);
  }

  /** Formats the digits of a non-negative number, in most cases without arithmetic. */
  private String finite(double value) {
    int significant = Math.max(1, precision);
    if (isTold) {
      RoundedDigits digits = new RoundedDigits();
      int length = digits.general(value, significant);
      if (length > 0) {
        return string(digits, length);
      }
    }
    return digits(new BigDecimal(value));
  }

  /**
   * Formats a number of any precision.
   *
   * @param value the number
   * @return its text
   */
  public String text(BigDecimal value) {
    return kind == 'a' || kind == 'A'
        ? text(value.doubleValue())
        : framed(value.signum() < 0, digits(value.abs()), true);
  }

  private String framed(boolean negative, String digits, boolean finite) {
    String sign = negative ? "-" : flags.contains("+") ? "+" : flags.contains(" ") ? " " : "";
    int room = width - sign.length() - digits.length();
    if (room <= 0 && before.isEmpty() && after.isEmpty()) {
      return sign.isEmpty() ? digits : sign + digits;
    }
    String padding = " ".repeat(Math.max(0, room));
    String padded =
        flags.contains("-")
            ? sign + digits + padding
            : flags.contains("0") && finite
                ? sign + "0".repeat(Math.max(0, room)) + digits
                : padding + sign + digits;
    return before + padded + after;
  }

  private String digits(BigDecimal value) {
    return switch (kind) {
      case 'f', 'F' -> value.setScale(precision, RoundingMode.HALF_EVEN).toPlainString();
      case 'e', 'E' -> cased(scientific(value, precision, false));
      default -> cased(general(value));
    };
  }

  private String cased(String text) {
    return Character.isUpperCase(kind) ? text.toUpperCase(Locale.ROOT) : text;
  }

  private String general(BigDecimal value) {
    int significant = Math.max(1, precision);
    if (value.signum() == 0) {
      return flags.contains("#") ? "0." + "0".repeat(significant - 1) : "0";
    }
    BigDecimal rounded = value.round(new MathContext(significant, RoundingMode.HALF_EVEN));
    int exponent = rounded.precision() - rounded.scale() - 1;
    boolean strip = !flags.contains("#");
    if (exponent < -4 || exponent >= significant) {
      return scientific(rounded, significant - 1, strip);
    }
    String plain =
        rounded.setScale(significant - 1 - exponent, RoundingMode.HALF_EVEN).toPlainString();
    return strip ? stripped(plain) : plain;
  }

  private static String scientific(BigDecimal value, int decimals, boolean strip) {
    BigDecimal rounded = value.round(new MathContext(decimals + 1, RoundingMode.HALF_EVEN));
    int exponent = rounded.signum() == 0 ? 0 : rounded.precision() - rounded.scale() - 1;
    String mantissa =
        rounded.movePointLeft(exponent).setScale(decimals, RoundingMode.HALF_EVEN).toPlainString();
    int size = Math.abs(exponent);
    return (strip ? stripped(mantissa) : mantissa)
        + (exponent < 0 ? "e-" : "e+")
        + (size < 10 ? "0" : "")
        + size;
  }

  private static String stripped(String decimal) {
    if (decimal.indexOf('.') < 0) {
      return decimal;
    }
    int end = decimal.length();
    while (decimal.charAt(end - 1) == '0') {
      end--;
    }
    return decimal.substring(0, decimal.charAt(end - 1) == '.' ? end - 1 : end);
  }
}
