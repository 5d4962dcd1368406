package org.hyperslab.netcdf.time;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.LocalDateTime;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;

/**
 * The units of a time coordinate, such as {@code hours since 1990-01-01 00:00:00 -6:00}, and its
 * calendar: converts numbers to dates, and back.
 *
 * <p>Whole numbers are exact. Others are rounded to the microsecond, because a number such as 0.1
 * days has no exact binary form. A time zone of the reference is subtracted: all dates are in UTC.
 *
 * <p>Thread rule: immutable.
 */
public final class CfTime {

  private static final long MICRO = 1000;
  private static final long SECOND = 1_000_000_000;
  private static final int MAX_TEXT = 200;
  private static final Pattern UNITS =
      Pattern.compile("(?i)\\s*([a-z_]+)\\s+since\\s+(\\S.*?)\\s*");
  private static final Pattern REFERENCE =
      Pattern.compile(
          "(?<year>[+-]?\\d{1,9})-(?<month>\\d{1,2})-(?<day>\\d{1,2})"
              + "(?:(?:T|\\s+)(?<hour>\\d{1,2})(?::(?<minute>\\d{1,2})"
              + "(?::(?<second>\\d{1,2})(?:\\.(?<fraction>\\d*))?)?)?)?"
              + "\\s*(?<zone>(?i:Z|UTC|GMT)|(?<sign>[+-])(?<east>\\d{1,2})(?::?(?<more>\\d{2}))?)?");

  private final String units;
  private final CfCalendar calendar;
  private final long unitNanos;
  private final long referenceDay;
  private final long referenceNanos;

  private CfTime(String units, CfCalendar calendar, long unitNanos, long[] reference) {
    this.units = units;
    this.calendar = calendar;
    this.unitNanos = unitNanos;
    this.referenceDay = reference[0];
    this.referenceNanos = reference[1];
  }

  /**
   * Reads the attributes {@code units} and {@code calendar}.
   *
   * @param units a unit from nanoseconds to weeks, the word "since", and a date with or without a
   *     time and a time zone
   * @param calendar the calendar
   * @return the units
   * @throws InvalidUseException if the text has another form, or the calendar has no such date
   * @throws UnsupportedFeatureException if the unit is a month or a year, whose length varies;
   *     months of the calendar 360_day and common_years of noleap are supported
   */
  public static CfTime of(String units, CfCalendar calendar) {
    Matcher parts = UNITS.matcher(units);
    if (units.length() > MAX_TEXT || !parts.matches()) {
      throw wrong(units);
    }
    long unitNanos = unitNanos(parts.group(1).toLowerCase(Locale.ROOT), calendar, units);
    Matcher reference = REFERENCE.matcher(parts.group(2));
    if (!reference.matches()) {
      throw wrong(units);
    }
    try {
      return new CfTime(units, calendar, unitNanos, reference(reference, calendar));
    } catch (InvalidUseException none) {
      throw new InvalidUseException(none.getMessage() + ", at=units \"" + units + "\"", none);
    }
  }

  private static InvalidUseException wrong(String units) {
    String shown = units.length() > MAX_TEXT ? units.substring(0, MAX_TEXT) + "…" : units;
    return new InvalidUseException(
        "units of time: actual=\""
            + shown
            + "\", expected=such as \"days since 2000-01-01\" or \"seconds since 1970-01-01"
            + " 00:00:00 +01:00\"");
  }

  private static long unitNanos(String unit, CfCalendar calendar, String units) {
    return switch (unit) {
      case "nanosecond", "nanoseconds", "nanosec", "nanosecs", "ns" -> 1;
      case "microsecond", "microseconds", "microsec", "microsecs" -> MICRO;
      case "millisecond", "milliseconds", "millisec", "millisecs", "msec", "msecs", "ms" ->
          1000 * MICRO;
      case "second", "seconds", "sec", "secs", "s" -> SECOND;
      case "minute", "minutes", "min", "mins" -> 60 * SECOND;
      case "hour", "hours", "hr", "hrs", "h" -> 3600 * SECOND;
      case "day", "days", "d" -> CfDateTime.DAY_NANOS;
      case "week", "weeks" -> 7 * CfDateTime.DAY_NANOS;
      case "month", "months" -> {
        requireFixed(calendar == CfCalendar.DAYS_360, calendar, units);
        yield 30 * CfDateTime.DAY_NANOS;
      }
      case "common_year", "common_years" -> {
        requireFixed(calendar == CfCalendar.NOLEAP, calendar, units);
        yield 365 * CfDateTime.DAY_NANOS;
      }
      case "year", "years" -> {
        requireFixed(false, calendar, units);
        yield 0;
      }
      default -> throw wrong(units);
    };
  }

  private static void requireFixed(boolean isFixed, CfCalendar calendar, String units) {
    if (!isFixed) {
      throw new UnsupportedFeatureException(
          "units of time: actual=\""
              + units
              + "\", whose unit has no fixed length in the calendar "
              + calendar.label()
              + ", expected=days or a shorter unit; read the numbers instead");
    }
  }

  /** Returns the number of the day, and nanoseconds of it, of a reference. */
  private static long[] reference(Matcher parts, CfCalendar calendar) {
    CfDateTime local =
        new CfDateTime(
            calendar,
            number(parts, "year"),
            number(parts, "month"),
            number(parts, "day"),
            number(parts, "hour"),
            number(parts, "minute"),
            number(parts, "second"),
            fraction(parts.group("fraction")));
    long minutesEast = number(parts, "east") * 60L + number(parts, "more");
    long east = ("-".equals(parts.group("sign")) ? -1 : 1) * minutesEast * 60 * SECOND;
    long nanos = local.nanoOfDay() - east;
    return new long[] {
      local.dayNumber() + Math.floorDiv(nanos, CfDateTime.DAY_NANOS),
      Math.floorMod(nanos, CfDateTime.DAY_NANOS)
    };
  }

  private static int number(Matcher parts, String name) {
    String digits = parts.group(name);
    return digits == null ? 0 : Integer.parseInt(digits);
  }

  private static int fraction(String digits) {
    return digits == null ? 0 : Integer.parseInt((digits + "000000000").substring(0, 9));
  }

  /**
   * Returns the calendar.
   *
   * @return the calendar of the dates
   */
  public CfCalendar calendar() {
    return calendar;
  }

  /**
   * Returns the date and time of a whole number of units.
   *
   * @param value the number, as stored
   * @return the date and time, exact
   * @throws InvalidUseException if it is more than 990 million years away
   */
  public CfDateTime decode(long value) {
    if (unitNanos >= CfDateTime.DAY_NANOS) {
      long unitDays = unitNanos / CfDateTime.DAY_NANOS;
      requireNear(value, Math.abs((double) value) * unitDays);
      return date(value * unitDays, 0);
    }
    long unitsPerDay = CfDateTime.DAY_NANOS / unitNanos;
    long days = Math.floorDiv(value, unitsPerDay);
    requireNear(value, Math.abs((double) days));
    return date(days, Math.floorMod(value, unitsPerDay) * unitNanos);
  }

  /**
   * Returns the date and time of a number of units.
   *
   * @param value the number, as stored
   * @return the date and time, rounded to the microsecond unless the number is whole
   * @throws InvalidUseException if the number is not finite, or the date is more than 990 million
   *     years away
   */
  public CfDateTime decode(double value) {
    if (value == Math.rint(value) && Math.abs(value) < 0x1p63) {
      return decode((long) value);
    }
    requireNear(value, Math.abs(value) * ((double) unitNanos / CfDateTime.DAY_NANOS));
    BigDecimal nanos = new BigDecimal(value).multiply(BigDecimal.valueOf(unitNanos));
    BigDecimal step = BigDecimal.valueOf(Math.min(unitNanos, MICRO));
    BigInteger rounded =
        nanos.divide(step, 0, RoundingMode.HALF_EVEN).toBigInteger().multiply(step.toBigInteger());
    BigInteger day = BigInteger.valueOf(CfDateTime.DAY_NANOS);
    long within = rounded.mod(day).longValue();
    return date(rounded.subtract(BigInteger.valueOf(within)).divide(day).longValue(), within);
  }

  private void requireNear(Number value, double days) {
    if (!(days + Math.abs(referenceDay) <= CfCalendar.MAX_DAYS - 2)) {
      throw new InvalidUseException(
          "time: actual="
              + value
              + " "
              + units
              + ", expected=a date within 990 million years; read the numbers instead");
    }
  }

  private CfDateTime date(long days, long nanos) {
    long sum = referenceNanos + nanos;
    long day = referenceDay + days + sum / CfDateTime.DAY_NANOS;
    return CfDateTime.of(calendar, day, sum % CfDateTime.DAY_NANOS);
  }

  /**
   * Returns the number of units of a date and time.
   *
   * @param time a date and time of this calendar
   * @return the nearest number
   * @throws InvalidUseException if it is of another calendar
   */
  public double encode(CfDateTime time) {
    OptionalLong whole = encodeWhole(time);
    if (whole.isPresent()) {
      return whole.getAsLong();
    }
    BigDecimal nanos = new BigDecimal(nanos(time));
    return nanos.divide(BigDecimal.valueOf(unitNanos), MathContext.DECIMAL128).doubleValue();
  }

  /**
   * Returns the number of units of a date and time of {@code java.time}.
   *
   * @param time the date and time, whose year, month and day this calendar must have
   * @return the nearest number
   * @throws InvalidUseException if the calendar has no such day
   */
  public double encode(LocalDateTime time) {
    return encode(CfDateTime.of(calendar, time));
  }

  /**
   * Returns the number of units of a date and time, for variables of integers.
   *
   * @param time a date and time of this calendar
   * @return the number; empty if it is not whole
   * @throws InvalidUseException if it is of another calendar
   */
  public OptionalLong encodeWhole(CfDateTime time) {
    BigInteger[] parts = nanos(time).divideAndRemainder(BigInteger.valueOf(unitNanos));
    boolean isWhole = parts[1].signum() == 0 && parts[0].bitLength() < Long.SIZE;
    return isWhole ? OptionalLong.of(parts[0].longValue()) : OptionalLong.empty();
  }

  private BigInteger nanos(CfDateTime time) {
    if (time.calendar() != calendar) {
      throw new InvalidUseException(
          "date: actual="
              + time.calendar().label()
              + ", expected=the calendar "
              + calendar.label());
    }
    return BigInteger.valueOf(time.dayNumber() - referenceDay)
        .multiply(BigInteger.valueOf(CfDateTime.DAY_NANOS))
        .add(BigInteger.valueOf(time.nanoOfDay() - referenceNanos));
  }

  /** Returns the units and the calendar. */
  @Override
  public String toString() {
    return units + " (" + calendar.label() + ")";
  }
}
