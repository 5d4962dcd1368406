package org.hyperslab.examples.ffbench;

import java.util.List;
import java.util.Locale;

/** Formats results as a table of text. */
public final class FfTable {

  private static final String ROW = "%-24s %9s %9s %9s %9s %11s %11s %7s %7s %18s%n";

  private FfTable() {}

  /** {@return the head of the table} */
  public static String head() {
    return String.format(
            ROW,
            "scenario",
            "MiB",
            "requests",
            "below",
            "below",
            "seconds",
            "seconds",
            "saved",
            "wanted",
            "with/without")
        + String.format(
            ROW, "", "", "", "without", "with", "without", "with", "%", "%", "median, 95%");
  }

  /**
   * Formats one line of the table.
   *
   * @param result the result
   * @return the line
   */
  public static String line(FfResult result) {
    return String.format(
        Locale.ROOT,
        ROW,
        result.scenario().title(),
        String.format(Locale.ROOT, "%.1f", result.without().bytes() / 1048576.0),
        result.without().requests(),
        number(result.without().requestsBelow()),
        number(result.with().requestsBelow()),
        seconds(result.without().seconds()),
        seconds(result.with().seconds()),
        percent(result.saving()),
        percent(result.scenario().wantedSaving()),
        String.format(
            Locale.ROOT,
            "%.2f [%.2f, %.2f]",
            result.ratio().median(),
            result.ratio().low(),
            result.ratio().high()));
  }

  /**
   * Formats the whole table.
   *
   * @param results the results
   * @return the table
   */
  public static String of(List<FfResult> results) {
    StringBuilder text = new StringBuilder(head());
    results.forEach(result -> text.append(line(result)));
    return text.toString();
  }

  private static String number(long number) {
    return number < 0 ? "-" : Long.toString(number);
  }

  private static String seconds(double seconds) {
    return String.format(Locale.ROOT, "%.4f", seconds);
  }

  private static String percent(double part) {
    return String.format(Locale.ROOT, "%.0f", 100 * part);
  }
}
