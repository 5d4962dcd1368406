package org.hyperslab.netcdf;

import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;

/**
 * What the attributes of a variable say about its elements: which mark missing values, whether
 * integers are unsigned, and how they are packed.
 *
 * <p>A stored number is examined as a double if the type has at most 53 bits, and otherwise as 64
 * bits, so that no two stored numbers become one. "Effective" is a stored number after {@code
 * _Unsigned} is applied; marks and limits are effective numbers.
 *
 * <p>Source: NetCDF Users Guide, Attribute Conventions; CF conventions, section "Packed Data".
 *
 * <p>Thread rule: immutable.
 */
final class Packing {

  private static final double END_OF_LONG = 0x1p63;

  private final Subject variable;
  private final boolean isFloat;
  private final int bits;
  private final boolean unsigned;

  /** Whether {@code _Unsigned} says the opposite of the stored type. */
  private final boolean reversed;

  private final List<BigDecimal> marks = new ArrayList<>();
  private final Optional<BigDecimal> least;
  private final Optional<BigDecimal> most;
  private final boolean marksNan;
  private final double scale;
  private final double offset;
  private final boolean packed;
  private final double[] markDoubles;
  private final long[] markBits;

  /** The variable, as far as its packing depends on it. */
  interface Subject {

    /** Returns the type of its elements. */
    Datatype type();

    /** Returns its path, for messages. */
    String path();

    /** Returns whether elements that were never written have a fill value. */
    boolean isFilled();

    /** Returns whether it has an attribute. */
    boolean hasAttribute(String name);

    /** Returns the value of an attribute. */
    Object attribute(String name);

    /** Returns the type of an attribute. */
    Datatype attributeType(String name);
  }

  Packing(Subject variable) {
    this.variable = variable;
    Datatype type = variable.type();
    if (!(type instanceof IntegerType) && !(type instanceof FloatType)) {
      throw new InvalidUseException(
          "decoded values: actual="
              + type.describe()
              + ", expected=a variable of numbers; read the others as they are, at="
              + variable.path());
    }
    this.isFloat = type instanceof FloatType;
    this.bits = 8 * type.size();
    boolean storedUnsigned = type instanceof IntegerType number && !number.signed();
    this.unsigned = isFloat ? false : isUnsigned(storedUnsigned);
    this.reversed = unsigned != storedUnsigned;
    boolean nan = addMarks("missing_value");
    if (variable.hasAttribute(NetcdfNames.FILL_VALUE)) {
      nan |= addMarks(NetcdfNames.FILL_VALUE);
    } else {
      addDefault();
    }
    this.marksNan = nan;
    List<BigDecimal> range = limits("valid_range");
    boolean hasRange = range.size() == 2;
    this.least = hasRange ? Optional.of(range.get(0)) : limits("valid_min").stream().findFirst();
    this.most = hasRange ? Optional.of(range.get(1)) : limits("valid_max").stream().findFirst();
    this.scale = factor("scale_factor", 1);
    this.offset = factor("add_offset", 0);
    this.packed = variable.hasAttribute("scale_factor") || variable.hasAttribute("add_offset");
    this.markBits = marks.stream().mapToLong(mark -> mark.toBigInteger().longValue()).toArray();
    this.markDoubles = marks.stream().mapToDouble(BigDecimal::doubleValue).toArray();
  }

  // --- attributes ---

  private boolean isUnsigned(boolean stored) {
    String word =
        variable.hasAttribute("_Unsigned") ? String.valueOf(variable.attribute("_Unsigned")) : "";
    return switch (word) {
      case "true", "True" -> true;
      case "false", "False" -> false;
      default -> stored;
    };
  }

  /** Adds the values of an attribute that the type can have; returns whether NaN is among them. */
  private boolean addMarks(String name) {
    boolean nan = false;
    for (Number value : numbers(name)) {
      nan |= Double.isNaN(value.doubleValue());
      stored(value).ifPresent(marks::add);
    }
    return nan;
  }

  /** Every byte is a value, so that bytes have no default; nor has a number of another sign. */
  private void addDefault() {
    boolean hasDefault = bits > 8 && !reversed && variable.isFilled();
    if (hasDefault && GivenFill.defaultNumber(variable.type()) instanceof Number fill) {
      stored(fill).ifPresent(marks::add);
    }
  }

  private List<BigDecimal> limits(String name) {
    List<BigDecimal> limits = new ArrayList<>();
    numbers(name).forEach(value -> stored(value).ifPresent(limits::add));
    return limits;
  }

  private double factor(String name, double none) {
    if (!variable.hasAttribute(name)) {
      return none;
    }
    List<Number> numbers = numbers(name);
    if (numbers.size() != 1) {
      throw new InvalidUseException(
          "attribute "
              + name
              + ": actual="
              + variable.attributeType(name).describe()
              + ", expected=one number; read() gives the elements as they are stored, at="
              + variable.path());
    }
    return numbers.getFirst().doubleValue();
  }

  private List<Number> numbers(String name) {
    if (!variable.hasAttribute(name)) {
      return List.of();
    }
    Object value = variable.attribute(name);
    List<Number> numbers = new ArrayList<>();
    if (value instanceof Number one) {
      numbers.add(one);
    } else if (value.getClass().isArray()) {
      for (int i = 0; i < Array.getLength(value); i++) {
        if (Array.get(value, i) instanceof Number one) {
          numbers.add(one);
        }
      }
    }
    return numbers;
  }

  /** Returns a number as the type has it, effective; empty if the type cannot have it. */
  private Optional<BigDecimal> stored(Number value) {
    double number = value.doubleValue();
    if (isFloat) {
      double rounded = bits == 32 ? (double) (float) number : number;
      return Double.isFinite(rounded) ? Optional.of(new BigDecimal(rounded)) : Optional.empty();
    }
    if (!Double.isFinite(number)) {
      return Optional.empty();
    }
    BigDecimal exact =
        value instanceof Float || value instanceof Double
            ? new BigDecimal(number)
            : new BigDecimal(value.toString());
    BigDecimal all = BigDecimal.TWO.pow(bits);
    BigDecimal half = BigDecimal.TWO.pow(bits - 1);
    boolean isWhole = exact.stripTrailingZeros().scale() <= 0;
    if (!isWhole || exact.compareTo(half.negate()) < 0 || exact.compareTo(all) >= 0) {
      return Optional.empty();
    }
    if (reversed && unsigned && exact.signum() < 0) {
      return Optional.of(exact.add(all));
    }
    if (reversed && !unsigned && exact.compareTo(half) >= 0) {
      return Optional.of(exact.subtract(all));
    }
    return Optional.of(exact);
  }

  // --- decoding ---

  /** Returns whether the stored numbers need all of their 64 bits. */
  boolean isLong() {
    return !isFloat && bits == 64;
  }

  boolean isStoredUnsigned() {
    return unsigned != reversed;
  }

  /** Returns whether elements are stored as the numbers that they stand for. */
  boolean isPlain() {
    return !packed && !reversed;
  }

  boolean isInteger() {
    return !isFloat;
  }

  /** Returns the value of a stored number; NaN if it marks a missing value. */
  double decode(double stored) {
    double number = effective(stored);
    return isMissing(number) ? Double.NaN : packed ? number * scale + offset : number;
  }

  /** Returns the value of 64 stored bits; NaN if they mark a missing value. */
  double decode(long stored) {
    return isMissing(stored)
        ? Double.NaN
        : packed ? magnitude(stored) * scale + offset : magnitude(stored);
  }

  boolean isMissing(long stored) {
    for (long mark : markBits) {
      if (mark == stored) {
        return true;
      }
    }
    if (least.isEmpty() && most.isEmpty()) {
      return false;
    }
    BigDecimal number = new BigDecimal(whole(stored));
    return least.isPresent() && number.compareTo(least.get()) < 0
        || most.isPresent() && number.compareTo(most.get()) > 0;
  }

  private boolean isMissing(double number) {
    if (Double.isNaN(number)) {
      return marksNan || isFloat;
    }
    for (double mark : markDoubles) {
      if (mark == number) {
        return true;
      }
    }
    return least.isPresent() && number < least.get().doubleValue()
        || most.isPresent() && number > most.get().doubleValue();
  }

  private double effective(double stored) {
    if (!reversed) {
      return stored;
    }
    double all = Math.scalb(1.0, bits);
    if (unsigned) {
      return stored < 0 ? stored + all : stored;
    }
    return stored >= all / 2 ? stored - all : stored;
  }

  /** Returns 64 stored bits as the number that they stand for. */
  BigInteger whole(long stored) {
    BigInteger signed = BigInteger.valueOf(stored);
    return unsigned && stored < 0 ? signed.add(BigInteger.TWO.pow(64)) : signed;
  }

  private double magnitude(long stored) {
    return unsigned && stored < 0 ? whole(stored).doubleValue() : stored;
  }

  // --- encoding ---

  /**
   * Returns the stored number of a value, of a type of floating-point numbers; NaN becomes the mark
   * of missing values.
   *
   * @param index the index of the value in row-major order, for errors
   */
  double encodeFloat(double value, int index) {
    if (Double.isNaN(value)) {
      return marks.isEmpty() || marksNan ? Double.NaN : marks.getLast().doubleValue();
    }
    double number = packed ? (value - offset) / scale : value;
    double rounded = bits == 32 ? (double) (float) number : number;
    requireValue(isMissing(rounded), value, index);
    return number;
  }

  /**
   * Returns the stored number of a value, of a type of integers; NaN becomes the mark of missing
   * values. Unsigned numbers of 64 bits are returned as their bits.
   *
   * @param index the index of the value in row-major order, for errors
   */
  long encodeInteger(double value, int index) {
    if (Double.isNaN(value)) {
      return inStoredForm(markBits[lastMark(index)]);
    }
    double number = packed ? (value - offset) / scale : value;
    double whole = Math.rint(number);
    double end = Math.scalb(1.0, unsigned ? bits : bits - 1);
    if (!(whole >= (unsigned ? 0 : -end) && whole < end)) {
      throw new InvalidUseException(
          "value: actual="
              + value
              + (packed ? ", packed " + number : "")
              + ", expected=what "
              + variable.type().describe()
              + " holds"
              + (packed ? "; choose another scale_factor and add_offset" : "")
              + at(index));
    }
    long integer =
        whole < END_OF_LONG ? (long) whole : (long) (whole - END_OF_LONG) | Long.MIN_VALUE;
    requireValue(isLong() ? isMissing(integer) : isMissing(whole), value, index);
    return inStoredForm(integer);
  }

  private int lastMark(int index) {
    if (marks.isEmpty()) {
      throw new InvalidUseException(
          "value: actual=NaN, expected=a number, because the variable has no mark of missing"
              + " values: create it with VariableOptions.withFill, or set missing_value"
              + at(index));
    }
    return markBits.length - 1;
  }

  private long inStoredForm(long effective) {
    if (!reversed) {
      return effective;
    }
    int above = Long.SIZE - bits;
    return unsigned ? effective << above >> above : effective << above >>> above;
  }

  private void requireValue(boolean missing, double value, int index) {
    if (missing) {
      throw new InvalidUseException(
          "value: actual="
              + value
              + ", which would be read as missing, expected=NaN for a missing value, or a value"
              + " other than _FillValue and missing_value and within the valid range"
              + at(index));
    }
  }

  private String at(int index) {
    return ", at=element " + index + " of " + variable.path();
  }
}
