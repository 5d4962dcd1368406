package org.hyperslab.tools.stat;

import java.io.PrintStream;

/** The page on which statistics are printed. */
final class StatPage {

  private final PrintStream out;

  StatPage(PrintStream out) {
    this.out = out;
  }

  /** Prints a line; {@code \t} in it is a tab. */
  void line(String text) {
    out.println(text);
  }

  /** Prints a line with a number; a negative number means unknown. */
  void number(String label, long number) {
    line(label + ": " + known(number));
  }

  /** Formats a number; a negative number as "not known". */
  static String known(long number) {
    return number < 0 ? "not known" : Long.toString(number);
  }
}
