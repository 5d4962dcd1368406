package org.hyperslab.tools.stat;

import java.io.PrintStream;

/** Where statistics are printed. */
final class StatPage {

  private final PrintStream out;

  StatPage(PrintStream out) {
    this.out = out;
  }

  /** A line; {@code \t} in it is a tabulator. */
  void line(String text) {
    out.println(text);
  }

  /** A line with a number; a negative one is not known. */
  void number(String label, long number) {
    line(label + ": " + known(number));
  }

  /** A number, or that it is not known. */
  static String known(long number) {
    return number < 0 ? "not known" : Long.toString(number);
  }
}
