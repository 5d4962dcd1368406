package org.hyperslab.netcdf.cdl;

import java.util.List;

/**
 * The calendars of the CF conventions, as ncdump counts in them: hours since the beginning of 1970.
 *
 * <p>Thread rule: immutable.
 */
enum TimeCalendar {
  /** Julian before 1582-10-15, Gregorian from then on. */
  MIXED(List.of("gregorian", "standard")),
  /** Gregorian at all times. */
  GREGORIAN(List.of("proleptic_gregorian")),
  /** Every year has 365 days. */
  NO_LEAP(List.of("noleap", "no_leap", "365_day")),
  /** Every year has 366 days. */
  ALL_LEAP(List.of("allleap", "all_leap", "366_day")),
  /** Every month has 30 days. */
  DAYS_360(List.of("360_day")),
  /** Julian at all times. */
  JULIAN(List.of("julian"));

  private static final int[] MONTHS = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  private static final double DAY_HOURS = 24;
  private static final long BASE_YEAR = 1970;

  private final List<String> names;

  TimeCalendar(List<String> names) {
    this.names = names;
  }

  /**
   * A time in a calendar.
   *
   * @param year the year, of which there is a year 0
   * @param month 1 to 12
   * @param day from 1
   * @param hour the hour of the day with its fraction
   */
  record Moment(long year, int month, int day, double hour) {

    /** The first day that {@link #MIXED} counts in the Gregorian calendar, and its Julian name. */
    static final Moment GREGORIAN_FROM = new Moment(1582, 10, 15, 0);

    static final Moment JULIAN_UNTIL = new Moment(1582, 10, 5, 0);

    boolean isBefore(Moment other) {
      if (year != other.year) {
        return year < other.year;
      }
      if (month != other.month) {
        return month < other.month;
      }
      return day != other.day ? day < other.day : hour < other.hour;
    }
  }

  /** Returns the calendar of a name, of which ncdump compares the given characters only. */
  static TimeCalendar of(String name) {
    for (TimeCalendar calendar : values()) {
      if (!name.isEmpty() && calendar.names.stream().anyMatch(known -> known.startsWith(name))) {
        return calendar;
      }
    }
    return MIXED;
  }

  private boolean isLeap(long year) {
    return switch (this) {
      case MIXED, GREGORIAN -> year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
      case JULIAN -> year % 4 == 0;
      case ALL_LEAP -> true;
      case NO_LEAP, DAYS_360 -> false;
    };
  }

  private int daysOfMonth(long year, int month) {
    if (this == DAYS_360) {
      return 30;
    }
    return month == 2 && isLeap(year) ? 29 : MONTHS[month - 1];
  }

  /** Returns the number of days from the beginning of year 0 to that of another. */
  private long daysBefore(long year) {
    return switch (this) {
      case DAYS_360 -> 360 * year;
      case NO_LEAP -> 365 * year;
      case ALL_LEAP -> 366 * year;
      case JULIAN -> 365 * year + Math.floorDiv(year + 3, 4);
      case MIXED, GREGORIAN ->
          365 * year
              + Math.floorDiv(year + 3, 4)
              - Math.floorDiv(year + 99, 100)
              + Math.floorDiv(year + 399, 400);
    };
  }

  /** Returns the hours from the beginning of 1970; not for {@link #MIXED}. */
  double hours(Moment moment) {
    long days = daysBefore(moment.year) - daysBefore(BASE_YEAR);
    for (int month = 1; month < moment.month; month++) {
      days += daysOfMonth(moment.year, month);
    }
    return (days + moment.day - 1) * DAY_HOURS + moment.hour;
  }

  /** Returns the time some hours after the beginning of 1970; not for {@link #MIXED}. */
  Moment moment(double hours) {
    double whole = Math.floor(hours / DAY_HOURS);
    double hour = hours - whole * DAY_HOURS;
    if (hour >= DAY_HOURS) {
      whole++;
      hour -= DAY_HOURS;
    }
    long days = (long) whole + daysBefore(BASE_YEAR);
    long year = days < 0 ? Math.floorDiv(days, 360) - 1 : days / 366; // not too late
    while (daysBefore(year + 1) <= days) {
      year += Math.max(1, (days - daysBefore(year + 1)) / 366);
    }
    long rest = days - daysBefore(year);
    int month = 1;
    while (rest >= daysOfMonth(year, month)) {
      rest -= daysOfMonth(year, month);
      month++;
    }
    return new Moment(year, month, (int) rest + 1, hour);
  }

  /** Returns the time some hours after another one. */
  Moment plus(Moment moment, double hours) {
    if (this != MIXED) {
      return moment(hours(moment) + hours);
    }
    if (moment.isBefore(Moment.GREGORIAN_FROM)) {
      double left = JULIAN.since1979(Moment.JULIAN_UNTIL) - JULIAN.since1979(moment);
      return hours <= left
          ? JULIAN.plusSince1979(moment, hours)
          : GREGORIAN.plusSince1979(Moment.GREGORIAN_FROM, hours - left);
    }
    double back = GREGORIAN.since1979(Moment.GREGORIAN_FROM) - GREGORIAN.since1979(moment);
    return hours > back
        ? GREGORIAN.plusSince1979(moment, hours)
        : JULIAN.plusSince1979(Moment.JULIAN_UNTIL, hours - back);
  }

  /** As ncdump adds in the mixed calendar: the order of the sums determines the last digits. */
  private Moment plusSince1979(Moment moment, double hours) {
    return moment(hours(new Moment(1979, 1, 1, 0)) + (since1979(moment) + hours));
  }

  private double since1979(Moment moment) {
    return hours(moment) - hours(new Moment(1979, 1, 1, 0));
  }

  /** Returns the first day of a month, some months after that of a time. */
  Moment plusMonths(Moment moment, long months) {
    long all = Math.addExact(months, moment.month - 1);
    long year = moment.year + Math.floorDiv(all, 12);
    return new Moment(year, Math.floorMod(all, 12) + 1, 1, 0);
  }
}
