package org.hyperslab.netcdf.time;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import org.hyperslab.error.InvalidUseException;

/**
 * A date and time of a calendar of the CF conventions, which may have days that {@code java.time}
 * does not have, such as February 30.
 *
 * @param calendar the calendar
 * @param year the year
 * @param month the month, 1 to 12
 * @param day the day of the month, from 1
 * @param hour 0 to 23
 * @param minute 0 to 59
 * @param second 0 to 59
 * @param nano the nanoseconds of the second
 */
public record CfDateTime(
    CfCalendar calendar, int year, int month, int day, int hour, int minute, int second, int nano)
    implements Comparable<CfDateTime> {

  static final long DAY_NANOS = 86_400_000_000_000L;

  private static final long SECOND_NANOS = 1_000_000_000;

  /** Checks that the calendar has such a day, and the day such a time. */
  public CfDateTime {
    calendar.requireDay(new CfCalendar.Day(year, month, day));
    boolean isTime = isWithin(hour, 24) && isWithin(minute, 60) && isWithin(second, 60);
    if (!isTime || !isWithin(nano, SECOND_NANOS)) {
      throw new InvalidUseException(
          "time: actual=%02d:%02d:%02d and %d nanoseconds, expected=00:00:00 to 23:59:59"
              .formatted(hour, minute, second, nano));
    }
  }

  private static boolean isWithin(long value, long limit) {
    return value >= 0 && value < limit;
  }

  /**
   * Returns the date and time of a calendar that has the same year, month, day and time of day.
   *
   * @param calendar the calendar
   * @param time the date and time
   * @return the same in that calendar
   * @throws InvalidUseException if the calendar has no such day, as February 29 without leap years
   */
  public static CfDateTime of(CfCalendar calendar, LocalDateTime time) {
    return new CfDateTime(
        calendar,
        time.getYear(),
        time.getMonthValue(),
        time.getDayOfMonth(),
        time.getHour(),
        time.getMinute(),
        time.getSecond(),
        time.getNano());
  }

  /** Returns the date and time of the number of a day, and of nanoseconds of it. */
  static CfDateTime of(CfCalendar calendar, long number, long nanos) {
    CfCalendar.Day day = calendar.day(number);
    long seconds = nanos / SECOND_NANOS;
    return new CfDateTime(
        calendar,
        day.year(),
        day.month(),
        day.day(),
        (int) (seconds / 3600),
        (int) (seconds / 60 % 60),
        (int) (seconds % 60),
        (int) (nanos % SECOND_NANOS));
  }

  /**
   * Returns the date and time of {@code java.time} with the same year, month, day and time of day.
   * In a calendar other than the Gregorian one, it is not the same instant.
   *
   * @return the date and time
   * @throws InvalidUseException if {@code java.time} has no such day, or numbers the years before 1
   *     differently
   */
  public LocalDateTime toLocalDateTime() {
    if (year > 0 || calendar.hasYearZero()) {
      try {
        return LocalDateTime.of(year, month, day, hour, minute, second, nano);
      } catch (DateTimeException none) {
        throw new InvalidUseException(none(), none);
      }
    }
    throw new InvalidUseException(none());
  }

  private String none() {
    return "date: actual="
        + this
        + " of the calendar "
        + calendar.label()
        + ", which java.time does not have, expected=another day; use the CfDateTime";
  }

  /** Returns the number of the day in the calendar. */
  long dayNumber() {
    return calendar.number(new CfCalendar.Day(year, month, day));
  }

  /** Returns the nanoseconds from midnight. */
  long nanoOfDay() {
    return ((hour * 60L + minute) * 60 + second) * SECOND_NANOS + nano;
  }

  /**
   * Returns the time from another date and time of the same calendar to this one.
   *
   * @param from the other
   * @return the time in microseconds, negative if this is earlier
   * @throws InvalidUseException if it is of another calendar
   * @throws ArithmeticException if it is more than 292,000 years
   */
  public long microsSince(CfDateTime from) {
    if (from.calendar != calendar) {
      throw new InvalidUseException(
          "date: actual=" + from.calendar.label() + ", expected=the calendar " + calendar.label());
    }
    long days = Math.multiplyExact(dayNumber() - from.dayNumber(), DAY_NANOS / 1000);
    return Math.addExact(days, Math.floorDiv(nanoOfDay() - from.nanoOfDay(), 1000L));
  }

  @Override
  public int compareTo(CfDateTime other) {
    int days = Long.compare(dayNumber(), other.dayNumber());
    return days != 0 ? days : Long.compare(nanoOfDay(), other.nanoOfDay());
  }

  /** Returns the form of ISO 8601, such as {@code 2000-02-30T06:00:00}, with a fraction if any. */
  @Override
  public String toString() {
    String text =
        "%s%04d-%02d-%02dT%02d:%02d:%02d"
            .formatted(
                year < 0 ? "-" : "", Math.abs((long) year), month, day, hour, minute, second);
    return nano == 0 ? text : text + ("." + "%09d".formatted(nano)).replaceAll("(000)+$", "");
  }
}
