package org.hyperslab.convert;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.StringPadding;

/**
 * Determines the type of a column: the narrowest of boolean, 64-bit integer, double and text that
 * holds every cell. Integers with a plus sign or leading zeros count as text, so that codes such as
 * 007 are preserved.
 *
 * <p>Thread rule: confined to one thread until all cells are seen.
 */
final class Column {

  private static final int MAX_FIXED_BYTES = 256;
  private static final Pattern INTEGER = Pattern.compile("-?(0|[1-9][0-9]{0,308})");
  private static final Pattern REAL =
      Pattern.compile("[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]{1,5})?");
  private static final Pattern CODE = Pattern.compile("[-+]?0[0-9].*|\\+.*");

  private final String name;
  private boolean truth = true;
  private boolean integer = true;
  private boolean real = true;

  /**
   * Whether an integer or a number was found that cannot be represented exactly, or at all, as a
   * double.
   */
  private boolean inexact;

  private boolean empty;
  private boolean any;
  private int textBytes = 1;

  Column(String name) {
    this.name = name;
  }

  String name() {
    return name;
  }

  /** Returns whether a cell is a number. */
  static boolean isNumber(String cell) {
    return (REAL.matcher(cell).matches() && !CODE.matcher(cell).matches()) || isSpecial(cell);
  }

  private static boolean isSpecial(String cell) {
    return switch (cell.toLowerCase(Locale.ROOT)) {
      case "nan", "inf", "-inf", "infinity", "-infinity" -> true;
      default -> false;
    };
  }

  /** Adds one cell. */
  void see(String cell) {
    textBytes = Math.max(textBytes, cell.getBytes(StandardCharsets.UTF_8).length);
    if (cell.isEmpty()) {
      empty = true;
      return;
    }
    any = true;
    truth &= isTruth(cell);
    if (INTEGER.matcher(cell).matches()) {
      BigInteger value = new BigInteger(cell);
      integer &= value.bitLength() <= 63 && !cell.equals("-0");
      inexact |= !isDouble(value);
    } else {
      integer = false;
      inexact |= REAL.matcher(cell).matches() && Double.isInfinite(Double.parseDouble(cell));
    }
    real &= isNumber(cell);
  }

  private static boolean isDouble(BigInteger value) {
    double nearest = value.doubleValue();
    return !Double.isInfinite(nearest)
        && new BigDecimal(value).compareTo(new BigDecimal(nearest)) == 0;
  }

  private static boolean isTruth(String cell) {
    return cell.equalsIgnoreCase("true") || cell.equalsIgnoreCase("false");
  }

  private enum Kind {
    TRUTH,
    INTEGER,
    REAL,
    TEXT
  }

  private Kind kind() {
    if (!any) {
      return Kind.TEXT;
    }
    if (truth && !empty) {
      return Kind.TRUTH;
    }
    if (integer && !empty) {
      return Kind.INTEGER;
    }
    return real && !inexact ? Kind.REAL : Kind.TEXT;
  }

  boolean isNumeric() {
    return kind() == Kind.INTEGER || kind() == Kind.REAL;
  }

  Datatype type() {
    return switch (kind()) {
      case TRUTH -> Datatypes.BOOLEAN;
      case INTEGER -> Datatypes.I64LE;
      case REAL -> Datatypes.F64LE;
      case TEXT ->
          textBytes > MAX_FIXED_BYTES
              ? Datatypes.vlenString()
              : Datatypes.fixedString(textBytes, StringPadding.NULLPAD, CharacterSet.UTF8);
    };
  }

  /** Returns a cell as a Java value of the column's type. */
  Object value(String cell) {
    return switch (kind()) {
      case TRUTH -> cell.equalsIgnoreCase("true");
      case INTEGER -> Long.valueOf(cell);
      case REAL -> number(cell);
      case TEXT -> cell;
    };
  }

  private static Double number(String cell) {
    return switch (cell.toLowerCase(Locale.ROOT)) {
      case "", "nan" -> Double.NaN;
      case "inf", "infinity" -> Double.POSITIVE_INFINITY;
      case "-inf", "-infinity" -> Double.NEGATIVE_INFINITY;
      default -> Double.valueOf(cell);
    };
  }
}
