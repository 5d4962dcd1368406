package org.hyperslab.tools.figure;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A figure or table of a paper, computed again: series of numbers over the values of an axis, and
 * what the paper says of them.
 *
 * <p>Thread rule: immutable.
 *
 * @param title what it shows, with its machine and workload
 * @param axis the name of the axis
 * @param points the values of the axis, as text
 * @param unit the unit of the numbers
 * @param series the numbers
 * @param claims what the paper says, each compared with the numbers
 */
public record Figure(
    String title,
    String axis,
    List<String> points,
    String unit,
    List<Series> series,
    List<Claim> claims) {

  /** Copies the lists. */
  public Figure {
    points = List.copyOf(points);
    series = List.copyOf(series);
    claims = List.copyOf(claims);
  }

  /**
   * Numbers, one for each value of the axis.
   *
   * @param name their name
   * @param values the numbers
   */
  public record Series(String name, List<Double> values) {

    /** Copies the numbers. */
    public Series {
      values = List.copyOf(values);
    }

    double first() {
      return values.getFirst();
    }

    double last() {
      return values.getLast();
    }

    double most() {
      return values.stream().mapToDouble(Double::doubleValue).max().orElse(0);
    }
  }

  /**
   * What a paper says, compared with what was computed.
   *
   * @param paper what the paper says
   * @param asked what is asked of the computed numbers
   * @param found what was computed
   * @param holds whether that is as asked
   */
  public record Claim(String paper, String asked, String found, boolean holds) {

    /** Returns a claim on a number. */
    static Claim between(String paper, String what, double least, double value, double most) {
      String range =
          most == Double.POSITIVE_INFINITY
              ? "at least " + number(least)
              : number(least) + " to " + number(most);
      return new Claim(paper, what + " " + range, number(value), least <= value && value <= most);
    }
  }

  /** {@return whether all claims hold} */
  public boolean holds() {
    return claims.stream().allMatch(Claim::holds);
  }

  /** Returns a number with four digits. */
  static String number(double value) {
    double size = Math.abs(value);
    int digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
    return String.format(Locale.ROOT, "%." + digits + "f", value);
  }

  /** {@return a table with a line for each value of the axis, then the claims with verdicts} */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(title);
    StringBuilder head = new StringBuilder(String.format(Locale.ROOT, "%-24s", axis));
    series.forEach(each -> head.append(String.format(Locale.ROOT, " %18s", each.name())));
    lines.add(head + "   " + unit);
    for (int i = 0; i < points.size(); i++) {
      StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%-24s", points.get(i)));
      for (Series each : series) {
        line.append(String.format(Locale.ROOT, " %18s", number(each.values().get(i))));
      }
      lines.add(line.toString());
    }
    for (Claim claim : claims) {
      lines.add(
          "paper: "
              + claim.paper()
              + "; asked: "
              + claim.asked()
              + "; found: "
              + claim.found()
              + "; "
              + (claim.holds() ? "as asked" : "NOT as asked"));
    }
    return lines;
  }
}
