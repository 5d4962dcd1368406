package org.hyperslab.tools;

import java.io.PrintStream;

/** Collects what a comparison has found so far, and prints it. */
final class DiffOutcome {

  final DiffOptions options;
  private final PrintStream out;
  private final PrintStream errors;
  long differences;
  boolean contentsDiffer;
  boolean failed;
  private boolean notComparable;

  DiffOutcome(DiffOptions options, PrintStream out, PrintStream errors) {
    this.options = options;
    this.out = out;
    this.errors = errors;
  }

  void line(String text) {
    out.println(text);
  }

  void print(String text) {
    out.print(text);
  }

  void fails(String text) {
    failed = true;
    errors.println(text);
  }

  /** Records that something cannot be compared; prints the reason if the options ask for it. */
  void notComparable(String reason) {
    notComparable = true;
    if ((options.verbose || options.listNotComparable) && reason != null) {
      line("Not comparable: " + reason);
    }
  }

  void heading(String what, String first, String second) {
    String blank = options.verbose && options.level >= 1 && !what.equals("attribute") ? "\n" : "";
    String padded = what + " ".repeat(Math.max(0, 7 - what.length()));
    line(blank + padded + ": <" + first + "> and <" + second + ">");
  }

  void found(long count) {
    line(count + " differences found");
  }

  /** Prints the last lines and returns the exit code: 0 equal, 1 different, 2 failed. */
  int end() {
    if (!options.quiet && !failed && notComparable && !options.listNotComparable) {
      line("--------------------------------");
      line("Some objects are not comparable");
      line("--------------------------------");
      line(
          options.verbose
              ? "Use -c for a list of objects without details of differences."
              : "Use -c for a list of objects.");
    }
    out.flush();
    return failed ? 2 : differences > 0 || contentsDiffer ? 1 : 0;
  }
}
