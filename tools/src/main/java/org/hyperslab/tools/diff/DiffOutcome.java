package org.hyperslab.tools.diff;

import java.io.PrintStream;

/** Collects what a comparison has found so far, and prints it. */
final class DiffOutcome {

  final DiffOptions options;
  private final PrintStream out;
  private final PrintStream errors;
  long differences;
  private boolean contentsDiffer;
  boolean failed;
  private boolean notComparable;

  /** Receives what is found instead of lines; null if lines are printed. */
  private final DiffRecord found;

  DiffOutcome(DiffOptions options, PrintStream out, PrintStream errors) {
    this.options = options;
    this.out = out;
    this.errors = errors;
    this.found = options.record;
  }

  void line(String text) {
    if (found == null) {
      out.println(text);
    }
  }

  void print(String text) {
    if (found == null) {
      out.print(text);
    }
  }

  void fails(String text) {
    failed = true;
    errors.println(text);
    if (found != null) {
      found.error(text);
    }
  }

  /** Prints that an object to compare does not exist. */
  void missing(String text) {
    line(text);
    if (found != null) {
      found.error(text);
    }
  }

  /** Records a dangling link where none is allowed. */
  void danglingIsWrong(String path) {
    failed = true;
    if (found != null) {
      found.error("dangling link: " + path);
    }
  }

  /** Records that two objects, links or attributes were compared; see {@link DiffRecord}. */
  void compared(String kind, String first, String second, String attribute, long count) {
    if (found != null) {
      found.compared(kind, first, second, attribute, count);
    }
  }

  /** Records what only one side has; see {@link DiffRecord}. */
  void onlyIn(boolean isFirst, String path, String attribute) {
    contentsDiffer = true;
    if (found != null) {
      found.onlyIn(isFirst, path, attribute);
    }
  }

  /** Records that something cannot be compared; prints the reason if the options ask for it. */
  void notComparable(String reason) {
    notComparable = true;
    if (found != null) {
      found.notComparable(reason);
    }
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
