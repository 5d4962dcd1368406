package org.hyperslab.remote;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.OptionalLong;

/**
 * The header by which a server says when to ask again: a number of seconds, or a date (RFC 9110,
 * section 10.2.3).
 */
final class RetryAfter {

  static final String NAME = "Retry-After";

  private RetryAfter() {}

  /**
   * Returns the milliseconds to wait, at least 0; empty if the header is malformed.
   *
   * @param text the value of the header
   * @param now the present time
   */
  static OptionalLong millis(String text, Instant now) {
    String value = text.strip();
    if (value.matches("[0-9]{1,12}")) {
      return OptionalLong.of(1000 * Long.parseLong(value));
    }
    try {
      Instant then = DateTimeFormatter.RFC_1123_DATE_TIME.parse(value, Instant::from);
      return OptionalLong.of(Math.max(0, Duration.between(now, then).toMillis()));
    } catch (DateTimeException | ArithmeticException malformed) {
      return OptionalLong.empty();
    }
  }
}
