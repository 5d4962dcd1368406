package org.hyperslab.netcdf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.netcdf.time.CfCalendar;
import org.hyperslab.netcdf.time.CfDateTime;
import org.hyperslab.netcdf.time.CfTime;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Numbers become the dates of cftime, and dates its numbers, in every calendar. */
final class CfTimeTest {

  private static final String[] CALENDARS = {
    "standard",
    "gregorian",
    "proleptic_gregorian",
    "julian",
    "noleap",
    "365_day",
    "all_leap",
    "366_day",
    "360_day"
  };
  private static final String[] UNITS = {
    "microseconds", "milliseconds", "msecs", "seconds", "s", "minutes", "hours", "hr", "days", "d"
  };
  private static final String[] TIMES = {
    "",
    " 12:00",
    " 06:30:15",
    "T23:59:59.5",
    " 00:00:00 UTC",
    " 03:00:00 +02:30",
    " 12:00 -0600",
    "T12:00:00Z"
  };

  @TempDir Path folder;

  /** A number in units. */
  private record Sample(Number value, String units, String calendar) {
    @Override
    public String toString() {
      return value + "|" + units + "|" + calendar;
    }
  }

  private static Sample sample(Random random) {
    String unit = UNITS[random.nextInt(UNITS.length)];
    int year = random.nextInt(4) == 0 ? 1500 + random.nextInt(120) : 1 + random.nextInt(2400);
    String date =
        "%s since %04d-%02d-%02d%s"
            .formatted(
                unit,
                year,
                1 + random.nextInt(12),
                1 + random.nextInt(28),
                TIMES[random.nextInt(TIMES.length)]);
    double days = random.nextGaussian() * (random.nextBoolean() ? 100 : 300_000);
    double perDay =
        86400e6
            / List.of(1, 1000, 1000, 1_000_000, 1_000_000, 60e6, 3600e6, 3600e6, 86400e6, 86400e6)
                .get(List.of(UNITS).indexOf(unit))
                .doubleValue();
    double value = days * perDay;
    boolean isWhole = random.nextBoolean() || Math.abs(value) > 1e14;
    return new Sample(
        isWhole ? (Number) (long) value : (Number) value,
        date,
        CALENDARS[random.nextInt(CALENDARS.length)]);
  }

  private static String date(Sample sample) {
    try {
      CfTime time = CfTime.of(sample.units, CfCalendar.of(sample.calendar));
      return (sample.value instanceof Long whole
              ? time.decode(whole)
              : time.decode(sample.value.doubleValue()))
          .toString();
    } catch (HyperslabException none) {
      return "none";
    }
  }

  @Test
  void numbersAreTheDatesOfCftime() throws IOException {
    long seed = Seeds.draw();
    Random random = Seeds.random(seed, 0);
    List<Sample> samples = new ArrayList<>();
    for (int i = 0; i < Effort.times(1_000, 50_000); i++) {
      samples.add(sample(random));
    }
    Path in = Files.write(folder.resolve("in"), samples.stream().map(Sample::toString).toList());
    List<String> expected = ValuesJudge.run("times", in.toString());
    List<String> wrong = new ArrayList<>();
    int dates = 0;
    for (int i = 0; i < samples.size(); i++) {
      String date = date(samples.get(i));
      dates += date.equals("none") ? 0 : 1;
      if (!isSame(date, expected.get(i))) {
        wrong.add(samples.get(i) + ": " + date + ", cftime " + expected.get(i));
      }
    }
    assertThat(wrong).as("seed %d", seed).isEmpty();
    assertThat(dates).isGreaterThan(samples.size() / 2);
  }

  /** cftime multiplies in long double, so that the last microsecond of a fraction may differ. */
  private static boolean isSame(String date, String expected) {
    if (date.equals(expected) || date.equals("none") || expected.equals("none")) {
      return date.equals(expected);
    }
    String[] ours = (date + ".0").split("\\.");
    String[] theirs = (expected + ".0").split("\\.");
    return ours[0].equals(theirs[0]) && Math.abs(micros(ours[1]) - micros(theirs[1])) <= 2;
  }

  private static int micros(String fraction) {
    return Integer.parseInt((fraction + "000000").substring(0, 6));
  }

  @Test
  void datesAreTheNumbersOfCftime() throws IOException {
    long seed = Seeds.draw();
    Random random = Seeds.random(seed, 0);
    List<String> lines = new ArrayList<>();
    List<Double> numbers = new ArrayList<>();
    while (lines.size() < Effort.times(500, 10_000)) {
      Sample sample = sample(random);
      String date = date(new Sample(random.nextInt(100_000), sample.units, sample.calendar));
      if (!date.equals("none")) {
        CfTime time = CfTime.of(sample.units, CfCalendar.of(sample.calendar));
        CfDateTime decoded = time.decode(random.nextInt(100_000) * 0.125);
        lines.add(decoded + "|" + sample.units + "|" + sample.calendar);
        numbers.add(time.encode(decoded));
      }
    }
    List<String> expected =
        ValuesJudge.run("numbers", Files.write(folder.resolve("in"), lines).toString());
    for (int i = 0; i < numbers.size(); i++) {
      double theirs = Double.parseDouble(expected.get(i));
      assertThat(numbers.get(i))
          .as("seed %d: %s", seed, lines.get(i))
          .isCloseTo(theirs, org.assertj.core.data.Offset.offset(1e-9 + Math.ulp(theirs) * 4));
    }
  }

  @Test
  void everyDayOfEveryCalendarIsFoundAgain() {
    int step = Effort.times(7, 1);
    for (CfCalendar calendar : CfCalendar.values()) {
      CfTime time = CfTime.of("days since 1500-01-01", calendar);
      CfDateTime before = time.decode(-600_000L);
      for (long day = -599_999; day < 200_000; day += step) {
        CfDateTime date = time.decode(day);
        assertThat(date).isGreaterThan(before);
        assertThat(time.encodeWhole(date)).hasValue(day);
        before = date;
      }
    }
  }

  @Test
  void calendarsDifferAtTheirEdges() {
    CfTime standard = CfTime.of("days since 1582-10-04", CfCalendar.STANDARD);
    assertThat(standard.decode(1L)).hasToString("1582-10-15T00:00:00");
    CfTime days360 = CfTime.of("months since 2000-01-30", CfCalendar.DAYS_360);
    assertThat(days360.decode(1L)).hasToString("2000-02-30T00:00:00");
    assertThatThrownBy(() -> days360.decode(1L).toLocalDateTime())
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("2000-02-30T00:00:00 of the calendar 360_day, which java.time does");
    CfTime noLeap = CfTime.of("days since 2000-02-28", CfCalendar.NOLEAP);
    assertThat(noLeap.decode(1.5).toLocalDateTime()).isEqualTo(LocalDateTime.of(2000, 3, 1, 12, 0));
    assertThatThrownBy(() -> noLeap.encode(LocalDateTime.of(2000, 2, 29, 0, 0)))
        .hasMessageContaining("date: actual=2000-02-29, expected=a day of the calendar noleap");
    assertThat(CfTime.of("days since 0001-01-01", CfCalendar.JULIAN).decode(-1L))
        .hasToString("-0001-12-31T00:00:00");
    assertThat(CfTime.of("common_years since 2000-01-01", CfCalendar.NOLEAP).decode(1.5))
        .hasToString("2001-07-02T12:00:00");
  }

  @Test
  void unitsWithoutDatesAreRefusedWithAdvice() {
    for (String units : List.of("months since 2000-01-01", "years since 2000-1-1")) {
      assertThatThrownBy(() -> CfTime.of(units, CfCalendar.STANDARD))
          .isInstanceOf(UnsupportedFeatureException.class)
          .hasMessageContaining("no fixed length in the calendar standard, expected=days");
    }
    for (String units :
        List.of(
            "",
            "days",
            "days since",
            "days since 20000101",
            "K since 2000-01-01",
            "days since " + "1".repeat(300),
            "days since 2000-13-01",
            "days since 2000-01-01 24:00")) {
      assertThatThrownBy(() -> CfTime.of(units, CfCalendar.STANDARD))
          .as(units)
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("expected=");
    }
    assertThatThrownBy(() -> CfCalendar.of("none")).hasMessageContaining("read the numbers");
    assertThatThrownBy(() -> CfCalendar.of("lunar")).hasMessageContaining("expected=standard");
    CfTime days = CfTime.of("days since 2000-01-01", CfCalendar.STANDARD);
    for (double far : new double[] {1e12, -1e300, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> days.decode(far)).hasMessageContaining("990 million years");
    }
    assertThatThrownBy(() -> days.decode(Long.MIN_VALUE)).hasMessageContaining("990 million");
  }

  @Test
  void datesAreWrittenAndReadThroughVariables() {
    Path path = folder.resolve("times.nc");
    LocalDateTime noon = LocalDateTime.of(2026, 11, 29, 12, 0);
    try (NetcdfFile file = NetcdfFile.create(path)) {
      NetcdfGroup root = file.root();
      root.createDimension("time", 3);
      for (String type : List.of("int", "long", "double")) {
        NetcdfVariable v =
            root.createVariable(
                type,
                type.equals("int")
                    ? NetcdfTypes.INT
                    : type.equals("long") ? NetcdfTypes.INT64 : NetcdfTypes.DOUBLE,
                "time");
        v.setAttribute("units", "hours since 2026-01-01");
        v.all().decoded().writeTimes(noon, null, noon.plusHours(1));
        assertThat(v.all().decoded().readTimes()).containsExactly(noon, null, noon.plusHours(1));
      }
      assertThatThrownBy(() ->
              root.variable("int").all().decoded().writeTimes(noon, noon.plusMinutes(1), noon))
          .hasMessageContaining("whole number of \"hours since 2026-01-01 (standard)\"")
          .hasMessageContaining("element 1 of /int");
      assertThatThrownBy(() -> root.createVariable("none", NetcdfTypes.INT).time())
          .hasMessageContaining("units of time: actual=\"\"")
          .hasMessageContaining("at=/none");
    }
  }
}
