package org.hyperslab;

import java.util.Locale;

/** What is reported of files that a program does not close, as a system property says. */
enum Leaks {
  /** Nothing is reported. */
  OFF,
  /** Files that may be edited, whose data could have been lost, with the place of opening. */
  WARN,
  /** Every file, with the calls that opened it. */
  TRACE;

  /** The system property that chooses. */
  static final String PROPERTY = "hyperslab.leaks";

  /** The system property with the seconds that closing files may take when the JVM ends. */
  static final String SECONDS = "hyperslab.exitSeconds";

  private static final int DEFAULT_SECONDS = 30;

  /** Returns what the property says; {@link #WARN} if it says nothing that is known. */
  static Leaks chosen() {
    String text = System.getProperty(PROPERTY, "");
    for (Leaks each : values()) {
      if (each.name().equals(text.strip().toUpperCase(Locale.ROOT))) {
        return each;
      }
    }
    return WARN;
  }

  /** Returns for how many seconds files are closed when the JVM ends; 0 leaves them as they are. */
  static int seconds() {
    return Math.max(0, Integer.getInteger(SECONDS, DEFAULT_SECONDS));
  }

  /** Returns whether a file is reported. */
  boolean reports(boolean writable) {
    return this == TRACE || (this == WARN && writable);
  }
}
