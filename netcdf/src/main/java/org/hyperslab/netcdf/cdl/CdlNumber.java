package org.hyperslab.netcdf.cdl;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Formats numbers as C's {@code printf} does, for the conversions that the attribute {@code
 * C_format} may have.
 *
 * <p>Thread rule: immutable.
 */
final class CdlNumber {

  private static final Pattern FORMAT =
      Pattern.compile(
          "((?:[^%]|%%)*)%([-+ 0#]*)(\\d{0,2})(?:\\.(\\d{0,2}))?[lh]*([diufFeEgG])((?:[^%]|%%)*)");

  /** Numbers below this are exact in a few digits, and have no exponent. */
  private static final double PLAIN = 1e6;

  private final String before;
  private final String flags;
  private final int width;
  private final int precision;
  private final char kind;
  private final String after;

  private CdlNumber(Matcher parts) {
    before = parts.group(1).replace("%%", "%");
    flags = parts.group(2);
    width = parts.group(3).isEmpty() ? 0 : Integer.parseInt(parts.group(3));
    String digits = parts.group(4);
    precision = digits == null ? 6 : digits.isEmpty() ? 0 : Integer.parseInt(digits);
    kind = parts.group(5).charAt(0);
    after = parts.group(6).replace("%%", "%");
  }

  /** Returns a format; empty if it is not one of those that are supported. */
  static Optional<CdlNumber> of(String format) {
    Matcher parts = FORMAT.matcher(format);
    return parts.matches() ? Optional.of(new CdlNumber(parts)) : Optional.empty();
  }

  /** Returns the format {@code %.Ng}, where N is the number of digits. */
  static CdlNumber digits(int digits) {
    return of("%." + digits + "g").orElseThrow();
  }

  boolean isInteger() {
    return kind == 'd' || kind == 'i' || kind == 'u';
  }

  String text(BigInteger value) {
    return framed(value.signum() < 0, value.abs().toString());
  }

  /** Formats a finite number. */
  String text(double value) {
    boolean negative = Double.doubleToRawLongBits(value) < 0;
    double magnitude = Math.abs(value);
    boolean isGeneral = kind == 'g' || kind == 'G';
    if (isGeneral && magnitude < PLAIN && magnitude == (int) magnitude && precision >= 6) {
      if (!flags.contains("#")) {
        return framed(negative, Integer.toString((int) magnitude));
      }
    }
    BigDecimal exact = new BigDecimal(magnitude);
    String digits =
        switch (kind) {
          case 'f', 'F' -> exact.setScale(precision, RoundingMode.HALF_EVEN).toPlainString();
          case 'e', 'E' -> scientific(exact, precision);
          case 'g', 'G' -> general(exact);
          default -> exact.toBigInteger().toString();
        };
    String shown = kind == 'E' || kind == 'G' ? digits.replace('e', 'E') : digits;
    return framed(negative, shown);
  }

  private String framed(boolean negative, String digits) {
    String sign = negative ? "-" : flags.contains("+") ? "+" : flags.contains(" ") ? " " : "";
    int pad = Math.max(0, width - sign.length() - digits.length());
    String filled =
        flags.contains("-")
            ? sign + digits + " ".repeat(pad)
            : flags.contains("0")
                ? sign + "0".repeat(pad) + digits
                : " ".repeat(pad) + sign + digits;
    return before + filled + after;
  }

  /** One digit before the point, some after it, and an exponent of at least two digits. */
  private static String scientific(BigDecimal exact, int decimals) {
    if (exact.signum() == 0) {
      return "0" + (decimals > 0 ? "." + "0".repeat(decimals) : "") + "e+00";
    }
    BigDecimal rounded = exact.round(new MathContext(decimals + 1, RoundingMode.HALF_EVEN));
    String digits = rounded.unscaledValue().toString();
    int exponent = digits.length() - 1 - rounded.scale();
    String all = (digits + "0".repeat(decimals + 1)).substring(0, decimals + 1);
    String fraction = decimals > 0 ? "." + all.substring(1) : "";
    return "%s%se%s%02d"
        .formatted(all.charAt(0), fraction, exponent < 0 ? "-" : "+", Math.abs(exponent));
  }

  /** The shorter of both forms, without zeros at the end unless the flag # asks for them. */
  private String general(BigDecimal exact) {
    int significant = Math.max(1, precision);
    String text;
    BigDecimal rounded = exact.round(new MathContext(significant, RoundingMode.HALF_EVEN));
    int exponent = rounded.signum() == 0 ? 0 : rounded.precision() - 1 - rounded.scale();
    if (exponent < -4 || exponent >= significant) {
      text = scientific(exact, significant - 1);
    } else {
      text = rounded.setScale(significant - 1 - exponent, RoundingMode.HALF_EVEN).toPlainString();
    }
    if (flags.contains("#")) {
      return text.contains(".") ? text : withPoint(text);
    }
    return trimmed(text, false);
  }

  private static String withPoint(String text) {
    int e = text.indexOf('e');
    return e < 0 ? text + "." : text.substring(0, e) + "." + text.substring(e);
  }

  /** Removes zeros from the end of the fraction, and a point without a fraction unless kept. */
  static String trimmed(String text, boolean keepsPoint) {
    int point = text.indexOf('.');
    if (point < 0) {
      return text;
    }
    int end = point + 1;
    while (end < text.length() && Character.isDigit(text.charAt(end))) {
      end++;
    }
    int last = end;
    while (last > point + 1 && text.charAt(last - 1) == '0') {
      last--;
    }
    if (last == point + 1 && !keepsPoint) {
      last--;
    }
    return text.substring(0, last) + text.substring(end);
  }
}
