package org.hyperslab.netcdf.time;

import java.time.LocalDate;
import java.util.Locale;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;

/**
 * The calendars of the CF conventions. A calendar numbers its days: day 0 of the three that follow
 * the sun is 1970-01-01 of the Gregorian calendar, and day 0 of the others is their first day of
 * the year 0.
 *
 * <p>The calendars {@link #STANDARD} and {@link #JULIAN} have no year 0: the year before 1 is -1.
 *
 * <p>Thread rule: immutable.
 */
public enum CfCalendar {
  /** Julian up to 1582-10-04, and Gregorian from the next day on, which is 1582-10-15. */
  STANDARD("standard"),
  /** The Gregorian calendar for all years, as in {@code java.time}. */
  PROLEPTIC_GREGORIAN("proleptic_gregorian"),
  /** The Julian calendar for all years. */
  JULIAN("julian"),
  /** Years of 365 days. */
  NOLEAP("noleap"),
  /** Years of 366 days. */
  ALL_LEAP("all_leap"),
  /** Years of 12 months of 30 days. */
  DAYS_360("360_day");

  /** The most days from day 0 that dates are computed for, about 999 million years. */
  static final long MAX_DAYS = 364_000_000_000L;

  private static final int MAX_YEAR = 990_000_000;
  private static final long FIRST_GREGORIAN = LocalDate.of(1582, 10, 15).toEpochDay();

  /** The Julian day number of 1970-01-01 of the Gregorian calendar. */
  private static final long EPOCH = 2_440_588;

  private static final int[] BEFORE_MONTH = {
    0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365
  };

  private final String label;

  CfCalendar(String label) {
    this.label = label;
  }

  /**
   * Returns the calendar that an attribute {@code calendar} names.
   *
   * @param name its name in the conventions, in any case: standard, gregorian, proleptic_gregorian,
   *     julian, noleap, 365_day, all_leap, 366_day or 360_day
   * @return the calendar
   * @throws UnsupportedFeatureException if it is another, such as {@code none}, which has no dates
   */
  public static CfCalendar of(String name) {
    return switch (name.strip().toLowerCase(Locale.ROOT)) {
      case "standard", "gregorian", "" -> STANDARD;
      case "proleptic_gregorian" -> PROLEPTIC_GREGORIAN;
      case "julian" -> JULIAN;
      case "noleap", "365_day" -> NOLEAP;
      case "all_leap", "366_day" -> ALL_LEAP;
      case "360_day" -> DAYS_360;
      case "none" ->
          throw new UnsupportedFeatureException(
              "calendar: actual=none, which says that the times have no dates, expected=a calendar;"
                  + " read the numbers instead");
      default ->
          throw new UnsupportedFeatureException(
              "calendar: actual="
                  + name
                  + ", expected=standard, gregorian, proleptic_gregorian, julian, noleap, 365_day,"
                  + " all_leap, 366_day or 360_day");
    };
  }

  /**
   * Returns the name in the conventions.
   *
   * @return the value of the attribute {@code calendar}
   */
  public String label() {
    return label;
  }

  /**
   * Returns whether the calendar has a year 0.
   *
   * @return false if the year before 1 is -1
   */
  public boolean hasYearZero() {
    return this != STANDARD && this != JULIAN;
  }

  /** A day by its year, month (1 to 12) and day of the month (from 1). */
  record Day(int year, int month, int day) {}

  /**
   * Returns the number of a day.
   *
   * @throws InvalidUseException if the calendar has no such day
   */
  long number(Day day) {
    requireDay(day);
    return unchecked(day);
  }

  /**
   * Requires that a day exists.
   *
   * @throws InvalidUseException if the calendar has no such day
   */
  void requireDay(Day day) {
    boolean inRange = Math.abs((long) day.year) <= MAX_YEAR && day.month >= 1 && day.month <= 12;
    boolean isPossible = inRange && day.day >= 1 && (day.year != 0 || hasYearZero());
    if (!isPossible || !day(unchecked(day)).equals(day)) {
      throw new InvalidUseException(
          "date: actual=%d-%02d-%02d, expected=a day of the calendar %s"
              .formatted(day.year, day.month, day.day, label));
    }
  }

  /** A day that does not exist has a number whose day is another. */
  private long unchecked(Day day) {
    long year = !hasYearZero() && day.year < 0 ? day.year + 1L : day.year;
    return switch (this) {
      case STANDARD -> {
        long gregorian = gregorian(year, day);
        yield gregorian >= FIRST_GREGORIAN ? gregorian : julian(year, day);
      }
      case PROLEPTIC_GREGORIAN -> gregorian(year, day);
      case JULIAN -> julian(year, day);
      case NOLEAP -> year * 365 + BEFORE_MONTH[day.month - 1] + day.day - 1;
      case ALL_LEAP -> year * 366 + beforeLeapMonth(day.month) + day.day - 1;
      case DAYS_360 -> year * 360 + (day.month - 1) * 30L + day.day - 1;
    };
  }

  private static long gregorian(long year, Day day) {
    return LocalDate.of((int) year, day.month, 1).toEpochDay() + day.day - 1;
  }

  private static int beforeLeapMonth(int month) {
    return BEFORE_MONTH[month - 1] + (month > 2 ? 1 : 0);
  }

  /** Counts from March, so that the leap day is the last of a year. */
  private static long julian(long year, Day day) {
    int before = (14 - day.month) / 12;
    long shifted = year + 4800 - before;
    int month = day.month + 12 * before - 3;
    long number = day.day + (153 * month + 2) / 5 + 365 * shifted + Math.floorDiv(shifted, 4L);
    return number - 32_083 - EPOCH;
  }

  /** Returns the day of a number within {@link #MAX_DAYS}. */
  Day day(long number) {
    return switch (this) {
      case STANDARD -> number >= FIRST_GREGORIAN ? gregorian(number) : julian(number);
      case PROLEPTIC_GREGORIAN -> gregorian(number);
      case JULIAN -> julian(number);
      case NOLEAP -> {
        int within = (int) Math.floorMod(number, 365L);
        int month = 1;
        while (BEFORE_MONTH[month] <= within) {
          month++;
        }
        yield day(Math.floorDiv(number, 365L), month, within - BEFORE_MONTH[month - 1]);
      }
      case ALL_LEAP -> {
        int within = (int) Math.floorMod(number, 366L);
        int month = 1;
        while (month < 12 && beforeLeapMonth(month + 1) <= within) {
          month++;
        }
        yield day(Math.floorDiv(number, 366L), month, within - beforeLeapMonth(month));
      }
      case DAYS_360 -> {
        int within = (int) Math.floorMod(number, 360L);
        yield day(Math.floorDiv(number, 360L), within / 30 + 1, within % 30);
      }
    };
  }

  private static Day day(long year, int month, int dayFromZero) {
    return new Day((int) year, month, dayFromZero + 1);
  }

  private static Day gregorian(long number) {
    LocalDate date = LocalDate.ofEpochDay(number);
    return new Day(date.getYear(), date.getMonthValue(), date.getDayOfMonth());
  }

  private static Day julian(long number) {
    long count = number + EPOCH + 32_082;
    long fourths = Math.floorDiv(4 * count + 3, 1461L);
    int within = (int) (count - Math.floorDiv(1461 * fourths, 4L));
    int month = (5 * within + 2) / 153;
    long year = fourths - 4800 + month / 10;
    int day = within - (153 * month + 2) / 5 + 1;
    return new Day((int) (year <= 0 ? year - 1 : year), month + 3 - 12 * (month / 10), day);
  }
}
