package org.hyperslab.format.type.value;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.Temporal;
import java.util.Map;
import java.util.function.Function;
import org.hyperslab.error.InvalidUseException;

/**
 * Dates and times as the text of ISO 8601, to the nanosecond.
 *
 * <p>Thread rule: no state.
 */
final class IsoTimes {

  private record Form(DateTimeFormatter text, Function<String, Temporal> value) {}

  private static final Map<Class<?>, Form> FORMS =
      Map.of(
          Instant.class,
          new Form(DateTimeFormatter.ISO_INSTANT, IsoTimes::instant),
          OffsetDateTime.class,
          new Form(DateTimeFormatter.ISO_OFFSET_DATE_TIME, OffsetDateTime::parse),
          LocalDateTime.class,
          new Form(DateTimeFormatter.ISO_LOCAL_DATE_TIME, LocalDateTime::parse),
          LocalDate.class,
          new Form(DateTimeFormatter.ISO_LOCAL_DATE, LocalDate::parse),
          LocalTime.class,
          new Form(DateTimeFormatter.ISO_LOCAL_TIME, LocalTime::parse));

  private IsoTimes() {}

  /** Returns whether values of a class have a text here. */
  static boolean has(Class<?> type) {
    return FORMS.containsKey(type);
  }

  /** Returns the text of a value whose class has one. */
  static String text(Temporal value) {
    return FORMS.get(value.getClass()).text.format(value);
  }

  /** Returns the value of a class that a text states. */
  static Object value(String text, Class<?> type) {
    try {
      return FORMS.get(type).value.apply(text);
    } catch (DateTimeException wrong) {
      throw new InvalidUseException(
          "text of "
              + (type == Instant.class || type == OffsetDateTime.class ? "an " : "a ")
              + type.getSimpleName()
              + ": actual=\""
              + text
              + "\", expected=such as \""
              + example(type)
              + "\"; a time without a zone is a LocalDateTime, or read it as String",
          wrong);
    }
  }

  /** Returns the instant of a text with any offset, in any year that an Instant has. */
  private static Instant instant(String text) {
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException beyondItsYears) {
      return Instant.parse(text);
    }
  }

  private static String example(Class<?> type) {
    OffsetDateTime some = OffsetDateTime.parse("2024-02-29T12:30:00Z");
    return FORMS.get(type).text.format(some);
  }
}
