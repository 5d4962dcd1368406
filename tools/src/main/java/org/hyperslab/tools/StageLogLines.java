package org.hyperslab.tools;

import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Writes the log of a staging server to standard error, a line for each event: the time in UTC, the
 * level, and pairs {@code key=value}.
 *
 * <p>Thread rule: any thread.
 */
final class StageLogLines extends Handler {

  /** Kept, because the logging framework forgets loggers that nobody has. */
  private static final Logger LOGGER = Logger.getLogger("org.hyperslab.stage");

  /** The levels that an option names. */
  enum Detail {
    /** Nothing. */
    OFF,
    /** What an operator has to act on. */
    WARNING,
    /** Sessions, too. */
    INFO,
    /** Everything. */
    DEBUG
  }

  private static final Formatter LINE =
      new Formatter() {
        @Override
        public String format(LogRecord entry) {
          return entry.getInstant() + " level=" + name(entry.getLevel()) + ' ' + entry.getMessage()
              + System.lineSeparator();
        }
      };

  private final Streams streams;

  private StageLogLines(Streams streams) {
    this.streams = streams;
  }

  private static String name(Level level) {
    return level.intValue() >= Level.SEVERE.intValue()
        ? "error"
        : level.intValue() >= Level.WARNING.intValue()
            ? "warning"
            : level.intValue() >= Level.INFO.intValue() ? "info" : "debug";
  }

  /**
   * Writes all that follows.
   *
   * @param streams where the lines go
   * @param detail how much is written
   */
  static void install(Streams streams, Detail detail) {
    LOGGER.setUseParentHandlers(false);
    for (Handler other : LOGGER.getHandlers()) {
      LOGGER.removeHandler(other);
    }
    LOGGER.addHandler(new StageLogLines(streams));
    LOGGER.setLevel(
        switch (detail) {
          case OFF -> Level.OFF;
          case WARNING -> Level.WARNING;
          case INFO -> Level.INFO;
          case DEBUG -> Level.ALL;
        });
  }

  @Override
  public void publish(LogRecord entry) {
    streams.err().print(LINE.format(entry));
  }

  @Override
  public void flush() {
    streams.err().flush();
  }

  @Override
  public void close() {
    flush();
  }
}
