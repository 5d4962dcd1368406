package org.hyperslab.format.type.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import org.hyperslab.error.InvalidUseException;

/** Converts numbers to other Java number classes, with one rule for those out of range. */
final class Numbers {

  private static final BigInteger MIN_LONG = BigInteger.valueOf(Long.MIN_VALUE);
  private static final BigInteger GREATEST_LONG = BigInteger.valueOf(Long.MAX_VALUE);

  /** The least and the greatest value of an integer class. */
  private record Bounds(long least, long greatest) {}

  private static final Map<Class<?>, Bounds> INTEGERS =
      Map.of(
          Byte.class, new Bounds(Byte.MIN_VALUE, Byte.MAX_VALUE),
          Short.class, new Bounds(Short.MIN_VALUE, Short.MAX_VALUE),
          Character.class, new Bounds(Character.MIN_VALUE, Character.MAX_VALUE),
          Integer.class, new Bounds(Integer.MIN_VALUE, Integer.MAX_VALUE),
          Long.class, new Bounds(Long.MIN_VALUE, Long.MAX_VALUE));

  private static final Map<Class<?>, Class<?>> BOXED =
      Map.of(
          byte.class, Byte.class,
          short.class, Short.class,
          char.class, Character.class,
          int.class, Integer.class,
          long.class, Long.class,
          float.class, Float.class,
          double.class, Double.class,
          boolean.class, Boolean.class);

  private Numbers() {}

  /** Returns whether values of a class are numbers, including characters. */
  static boolean isNumber(Class<?> c) {
    Class<?> boxed = boxed(c);
    return boxed != Boolean.class
        && (INTEGERS.containsKey(boxed) || Number.class.isAssignableFrom(boxed));
  }

  static Class<?> boxed(Class<?> c) {
    return BOXED.getOrDefault(c, c);
  }

  /**
   * Returns a number as another class; fractions are truncated if that is an integer class.
   *
   * @throws InvalidUseException if it is out of range and the rule refuses that, or the class is
   *     not a number class
   */
  static Object to(Number value, Class<?> target, OutOfRange rule) {
    Class<?> boxed = boxed(target);
    Bounds bounds = INTEGERS.get(boxed);
    if (bounds != null) {
      return boxed(integer(value, bounds, boxed, rule), boxed);
    } else if (boxed == Float.class) {
      return real(value, value.floatValue(), boxed, rule).floatValue();
    } else if (boxed == Double.class) {
      return real(value, value.doubleValue(), boxed, rule);
    } else if (boxed == Boolean.class) {
      return flag(value, rule);
    } else if (boxed == BigInteger.class) {
      return whole(value);
    } else if (boxed == BigDecimal.class && isFinite(value)) {
      return new BigDecimal(value.toString());
    }
    throw JavaTypes.refusal(value, target);
  }

  /** Returns 0 and 1 as boolean; other numbers as the nearer one, if they are not refused. */
  private static boolean flag(Number value, OutOfRange rule) {
    double number = value.doubleValue();
    if (rule == OutOfRange.REFUSE && number != 0 && number != 1) {
      throw new InvalidUseException(
          "no boolean: actual="
              + value
              + ", expected=0 or 1; read numbers, for example with readInts() or readDoubles(), and"
              + " compare them");
    }
    return number > 0.5;
  }

  private static Object boxed(long value, Class<?> boxed) {
    if (boxed == Byte.class) {
      return (byte) value;
    } else if (boxed == Short.class) {
      return (short) value;
    } else if (boxed == Character.class) {
      return (char) value;
    } else if (boxed == Integer.class) {
      return (int) value;
    }
    return value;
  }

  private static long integer(Number value, Bounds bounds, Class<?> boxed, OutOfRange rule) {
    long number;
    boolean inside = true;
    if (value instanceof Double || value instanceof Float) {
      double real = value.doubleValue();
      number = (long) real;
      inside = real >= -0x1p63 && real < 0x1p63;
    } else if (value instanceof BigInteger || value instanceof BigDecimal) {
      BigInteger whole = whole(value);
      number = whole.max(MIN_LONG).min(GREATEST_LONG).longValue();
      inside = whole.bitLength() < 64;
    } else {
      number = value.longValue();
    }
    long clamped = Math.clamp(number, bounds.least(), bounds.greatest());
    if (rule == OutOfRange.REFUSE && (!inside || clamped != number)) {
      throw outside(value, bounds.least() + ".." + bounds.greatest(), boxed);
    }
    return clamped;
  }

  /** Returns a number rounded to a float class; infinite only if the number was infinite. */
  private static Double real(Number value, double rounded, Class<?> boxed, OutOfRange rule) {
    double original = value.doubleValue();
    boolean tooGreat = boxed == Float.class && Math.abs(original) > Float.MAX_VALUE;
    boolean outside = isFinite(value) && (tooGreat || Double.isInfinite(rounded));
    if (!outside) {
      return rounded;
    }
    if (rule == OutOfRange.REFUSE) {
      throw outside(value, "a finite " + boxed.getSimpleName(), boxed);
    }
    return original > 0 ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
  }

  private static boolean isFinite(Number value) {
    return !(value instanceof Double || value instanceof Float)
        || Double.isFinite(value.doubleValue());
  }

  /** Returns a number without its fraction. */
  static BigInteger whole(Number value) {
    return switch (value) {
      case BigInteger v -> v;
      case BigDecimal v -> v.toBigInteger();
      case Double v when isFinite(v) -> new BigDecimal(v).toBigInteger();
      case Float v when isFinite(v) -> new BigDecimal(v).toBigInteger();
      case Double v -> throw outside(v, "a finite number", BigInteger.class);
      case Float v -> throw outside(v, "a finite number", BigInteger.class);
      default -> BigInteger.valueOf(value.longValue());
    };
  }

  private static InvalidUseException outside(Number value, String range, Class<?> target) {
    return new InvalidUseException(
        "number out of range: actual="
            + value
            + ", expected="
            + range
            + " for "
            + target.getSimpleName()
            + "; take a wider Java type, or clamp");
  }
}
