package org.hyperslab.plugins.forwarding;

import java.lang.System.Logger.Level;

/**
 * Writes what happens to a server as lines of an event and of pairs {@code key=value}, by the
 * platform's logger {@value #NAME}. No line has a secret.
 *
 * <p>Thread rule: any thread.
 */
final class StageLog {

  /** The name of the logger. */
  static final String NAME = "org.hyperslab.stage";

  private static final System.Logger LOGGER = System.getLogger(NAME);

  private StageLog() {}

  /**
   * Writes a line.
   *
   * @param level the level
   * @param event what has happened
   * @param pairs keys and values by turns; a pair without a value is left out
   */
  static void log(Level level, String event, Object... pairs) {
    if (LOGGER.isLoggable(level)) {
      LOGGER.log(level, line(event, pairs));
    }
  }

  /** {@return a line as it is written} */
  static String line(String event, Object... pairs) {
    StringBuilder line = new StringBuilder("event=").append(event);
    for (int i = 0; i + 1 < pairs.length; i += 2) {
      if (pairs[i + 1] != null) {
        line.append(' ').append(pairs[i]).append('=').append(value(pairs[i + 1].toString()));
      }
    }
    return line.toString();
  }

  /** Returns a value in quotes if it needs them; it never continues on another line. */
  private static String value(String text) {
    if (text.matches("[A-Za-z0-9._:/@+-]+")) {
      return text;
    }
    StringBuilder quoted = new StringBuilder("\"");
    text.chars().forEach(c -> {
      if (c == '"' || c == '\\') {
        quoted.append('\\');
      }
      quoted.append(c < ' ' || c == 0x7F ? ' ' : (char) c);
    });
    return quoted.append('"').toString();
  }
}
