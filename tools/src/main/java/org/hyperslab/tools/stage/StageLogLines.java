package org.hyperslab.tools.stage;

import java.io.PrintStream;
import java.text.MessageFormat;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.ResourceBundle;

/**
 * Writes the log of a staging server to a stream, a line for each event: the time in UTC, the
 * level, and pairs {@code key=value}. The platform's logging is not used, because it stops when the
 * JVM begins to end, which is when a server logs how it has ended.
 *
 * <p>Thread rule: any thread.
 */
final class StageLogLines implements System.Logger {

  /** How much is written. */
  enum Detail {
    /** No line is written. */
    OFF(Level.OFF),
    /** What an operator has to act on. */
    WARNING(Level.WARNING),
    /** Every event is written. */
    INFO(Level.ALL);

    private final Level least;

    Detail(Level least) {
      this.least = least;
    }
  }

  private final PrintStream to;
  private final Detail detail;

  /**
   * Creates a log.
   *
   * @param to where the lines go
   * @param detail how much is written
   */
  StageLogLines(PrintStream to, Detail detail) {
    this.to = to;
    this.detail = detail;
  }

  @Override
  public String getName() {
    return "org.hyperslab.stage";
  }

  @Override
  public boolean isLoggable(Level level) {
    return level.getSeverity() >= detail.least.getSeverity() && detail != Detail.OFF;
  }

  private static String name(Level level) {
    boolean isUsual = level.getSeverity() < Level.WARNING.getSeverity();
    return isUsual ? "info" : level.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {
    log(level, bundle, thrown == null ? message : message + " cause=\"" + thrown + '"');
  }

  @Override
  public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
    if (isLoggable(level)) {
      boolean isPlain = parameters == null || parameters.length == 0;
      to.println(
          Instant.now().truncatedTo(ChronoUnit.MILLIS)
              + " level="
              + name(level)
              + ' '
              + (isPlain ? format : MessageFormat.format(format, parameters)));
      to.flush();
    }
  }
}
