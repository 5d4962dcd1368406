package org.hyperslab.netcdf.cdl;

import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.format.type.StringType;
import org.hyperslab.netcdf.cdl.TimeCalendar.Moment;

/**
 * Formats numbers of a variable whose units are those of a time, such as "days since 2000-01-01",
 * as dates, to the precision that the number has.
 *
 * <p>Source: ncdump of netCDF-C 4.9; CF Conventions, section 4.4.
 *
 * <p>Thread rule: immutable.
 *
 * @param unit the unit
 * @param calendar the calendar
 * @param origin the time of the number 0
 */
record TimeText(Unit unit, TimeCalendar calendar, Moment origin) {

  private static final Pattern UNITS = Pattern.compile("\\s*(\\S+)\\s+since\\s*(\\S.*)");
  private static final Pattern DATE =
      Pattern.compile("([+-]?\\d{1,6})(?:-(\\d{1,2}))?(?:-(\\d{1,2}))?(?:\\s+(\\S.*))?.*");
  private static final Pattern ISO_SEPARATOR = Pattern.compile("^([^\\sT]+)T(\\S)");
  private static final Pattern CLOCK =
      Pattern.compile("(\\d{1,2})(?::(\\d{1,2}))?(?::(\\d{1,2}(?:\\.\\d*)?))?.*");
  private static final double MICROS_OF_HOUR = 3.6e9;

  /** The largest number of hours that is formatted as a date. */
  private static final double MOST_HOURS = 24.0 * Integer.MAX_VALUE;

  /** The units, by the letters with which their names begin, and short names. */
  enum Unit {
    SECOND("sec", "s", 1 / 3600.0, 0),
    MINUTE("min", "mn", 1 / 60.0, 0),
    HOUR("hour", "hr", 1, 0),
    DAY("day", "dy", 24, 0),
    WEEK("week", "wk", 168, 0),
    MONTH("month", "mo", 0, 1),
    SEASON("season", "season", 0, 3),
    YEAR("year", "yr", 0, 12);

    private final String begin;
    private final String brief;
    private final double hours;
    private final int months;

    Unit(String begin, String brief, double hours, int months) {
      this.begin = begin;
      this.brief = brief;
      this.hours = hours;
      this.months = months;
    }

    static Optional<Unit> of(String name) {
      for (Unit unit : values()) {
        if (name.startsWith(unit.begin) || name.equals(unit.brief)) {
          return Optional.of(unit);
        }
      }
      return Optional.empty();
    }

    /** Divides where the factor is a fraction, because the quotient has other last digits. */
    private double hours(double value) {
      return switch (this) {
        case SECOND -> value / 3600;
        case MINUTE -> value / 60;
        default -> hours * value;
      };
    }
  }

  /**
   * Returns the format of a variable's numbers.
   *
   * @param variable a variable with the attributes {@code units} and {@code calendar}
   * @return the format; empty if the units are not those of a time, or the calendar is "none"
   */
  static Optional<TimeText> of(CdlFile.Variable variable) {
    Optional<String> units = text(variable, "units");
    String calendar = text(variable, "calendar").orElse("");
    Matcher parts = UNITS.matcher(units.orElse(""));
    if (!parts.matches() || calendar.equals("none")) {
      return Optional.empty();
    }
    return Unit.of(parts.group(1))
        .flatMap(unit ->
            origin(parts.group(2))
                .map(origin -> new TimeText(unit, TimeCalendar.of(calendar), origin)));
  }

  private static Optional<String> text(CdlFile.Variable variable, String name) {
    return variable.attributes().stream()
        .filter(each -> each.name().equals(name))
        .filter(each -> each.datatype() instanceof StringType && each.count() == 1)
        .findFirst()
        .map(each -> NameBytes.decode(each.data().elements().toArray(ValueLayout.JAVA_BYTE)))
        .map(text -> text.indexOf(0) < 0 ? text : text.substring(0, text.indexOf(0)));
  }

  /** Reads a date and a time, which a T or spaces separate; what follows is ignored. */
  private static Optional<Moment> origin(String given) {
    String text = ISO_SEPARATOR.matcher(given).replaceFirst("$1 $2");
    Matcher date = DATE.matcher(text);
    if (!date.matches()) {
      return Optional.empty();
    }
    int month = date.group(2) == null ? 1 : Integer.parseInt(date.group(2));
    int day = date.group(3) == null ? 1 : Integer.parseInt(date.group(3));
    if (month < 1 || month > 12 || day < 1 || day > 31) {
      return Optional.empty();
    }
    double hour = date.group(4) == null ? 0 : hour(date.group(4).split("\\s", 2)[0]);
    return Optional.of(new Moment(Long.parseLong(date.group(1)), month, day, hour));
  }

  /** Returns the hour that a clock shows, up to the first part that no clock shows. */
  private static double hour(String text) {
    Matcher clock = CLOCK.matcher(text);
    if (!clock.matches() || Integer.parseInt(clock.group(1)) > 23) {
      return 0;
    }
    double hour = Integer.parseInt(clock.group(1));
    if (clock.group(2) == null || Integer.parseInt(clock.group(2)) > 59) {
      return hour;
    }
    hour += Integer.parseInt(clock.group(2)) / 60.0;
    boolean hasSeconds = clock.group(3) != null && Double.parseDouble(clock.group(3)) <= 60;
    return hasSeconds ? hour + Double.parseDouble(clock.group(3)) / 3600 : hour;
  }

  /**
   * Returns the date of a number.
   *
   * @param value a finite number
   * @return the date with its quotation marks; empty if it is out of range
   */
  Optional<String> text(double value) {
    double far = unit.months > 0 ? value * unit.months * 744 : unit.hours(value);
    return Math.abs(far) < MOST_HOURS
        ? Optional.of('"' + shown(moment(value)) + '"')
        : Optional.empty();
  }

  private Moment moment(double value) {
    if (unit.months == 0) {
      return calendar.plus(origin, unit.hours(value));
    }
    TimeCalendar months = calendar == TimeCalendar.MIXED ? TimeCalendar.GREGORIAN : calendar;
    long whole = (long) (value * unit.months + (value < 0 ? -1e-10 : 1e-10));
    return value == 0 ? origin : months.plusMonths(months.moment(months.hours(origin)), whole);
  }

  private String shown(Moment given) {
    Moment moment = given;
    long micros = Math.round(moment.hour() * MICROS_OF_HOUR);
    if (micros >= 24 * (long) MICROS_OF_HOUR) {
      moment = calendar.plus(new Moment(given.year(), given.month(), given.day(), 0), 24);
      micros = 0;
    }
    String date =
        (moment.year() < 0 ? "-" : "")
            + String.format(
                Locale.ROOT,
                "%04d-%02d-%02d",
                Math.abs(moment.year()),
                moment.month(),
                moment.day());
    long seconds = micros / 1_000_000;
    long fraction = micros % 1_000_000;
    String hour = String.format(Locale.ROOT, "%s %02d", date, seconds / 3600);
    String minute = String.format(Locale.ROOT, "%s:%02d", hour, seconds / 60 % 60);
    if (fraction > 0) {
      return minute + ":" + exactSeconds(moment.hour());
    }
    if (seconds % 60 > 0) {
      return String.format(Locale.ROOT, "%s:%02d", minute, seconds % 60);
    }
    return seconds % 3600 > 0 ? minute : seconds > 0 ? hour : date;
  }

  /** Returns the seconds of a minute as printf prints them, which rounds the exact number. */
  private static String exactSeconds(double hour) {
    double minutes = 60 * (hour - Math.floor(hour));
    double seconds = 60 * (minutes - Math.floor(minutes));
    return new BigDecimal(seconds).setScale(6, RoundingMode.HALF_EVEN).toPlainString();
  }
}
