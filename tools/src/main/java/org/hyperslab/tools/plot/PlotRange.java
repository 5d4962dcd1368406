package org.hyperslab.tools.plot;

import java.util.Arrays;
import java.util.Optional;
import org.hyperslab.error.InvalidUseException;

/**
 * The range of numbers that a picture shows. Unless it is given, it has all finite numbers without
 * those that are far from all others, such as −1e20 for a missing value.
 *
 * <p>Thread rule: immutable.
 *
 * @param least the number at the lower end
 * @param most the number at the upper end; at least {@code least}
 * @param isLogarithmic whether equal ratios have equal lengths; then {@code least} is positive
 * @param outside how many finite numbers are outside
 */
record PlotRange(double least, double most, boolean isLogarithmic, long outside) {

  /** The distance from the middle half of the numbers, in lengths of it, that is far. */
  private static final double FAR = 1e4;

  /** The least part of the greatest number that lengths count with. */
  private static final double LEAST_PART = 1e-3;

  /**
   * What a user asks for.
   *
   * @param ends the least and the greatest number; empty for those of the numbers
   * @param isLogarithmic whether the picture is logarithmic
   */
  record Wish(Optional<double[]> ends, boolean isLogarithmic) {

    /** A linear picture of all numbers. */
    static final Wish NONE = new Wish(Optional.empty(), false);
  }

  /**
   * {@return the range of numbers}
   *
   * @param numbers the numbers, of which NaN and infinity are ignored
   * @param wish what the user asks for
   * @param where what is drawn, for messages
   * @throws InvalidUseException if no number can be drawn
   */
  static PlotRange of(double[] numbers, Wish wish, String where) {
    double[] sorted =
        Arrays.stream(numbers)
            .filter(Double::isFinite)
            .filter(number -> !wish.isLogarithmic || number > 0)
            .sorted()
            .toArray();
    if (sorted.length == 0) {
      throw new InvalidUseException(
          "picture: actual=no finite number"
              + (wish.isLogarithmic ? " above 0" : "")
              + ", expected=at least one, at="
              + where);
    }
    double[] ends = wish.ends.orElseGet(() -> near(sorted));
    if (wish.isLogarithmic && ends[0] <= 0) {
      throw new InvalidUseException(
          "--range: actual=from " + ends[0] + ", expected=from a positive number with --log");
    }
    long within = Arrays.stream(sorted).filter(n -> n >= ends[0] && n <= ends[1]).count();
    return new PlotRange(ends[0], ends[1], wish.isLogarithmic, sorted.length - within);
  }

  /** Returns the least and the greatest of the numbers that are not far from the others. */
  private static double[] near(double[] sorted) {
    double low = sorted[sorted.length / 4];
    double high = sorted[sorted.length - 1 - sorted.length / 4];
    double size = Math.max(Math.abs(low), Math.abs(high)) * LEAST_PART;
    double far = FAR * Math.max(high / 2 - low / 2, size / 2) * 2;
    double[] near =
        Arrays.stream(sorted)
            .filter(n -> far == 0 || (n >= low - far && n <= high + far))
            .toArray();
    return new double[] {near[0], near[near.length - 1]};
  }

  /**
   * {@return where a number is, from 0 at the lower end to 1 at the upper end, which numbers
   * outside have too; NaN for what cannot be drawn}
   *
   * @param number the number
   */
  double part(double number) {
    if (!Double.isFinite(number) || (isLogarithmic && number <= 0)) {
      return Double.NaN;
    }
    if (most == least) {
      return number < least ? 0 : number > most ? 1 : 0;
    }
    double part =
        isLogarithmic
            ? Math.log10(number / least) / Math.log10(most / least)
            : (number / 2 - least / 2) / (most / 2 - least / 2);
    return Math.clamp(part, 0, 1);
  }

  /**
   * {@return numbers of which those that are outside are NaN}
   *
   * @param numbers the numbers
   */
  double[] within(double[] numbers) {
    return Arrays.stream(numbers).map(n -> n >= least && n <= most ? n : Double.NaN).toArray();
  }

  /**
   * {@return the range of what is drawn for numbers}
   *
   * @param scale what is drawn for numbers
   */
  PlotRange shown(PlotScale scale) {
    return new PlotRange(scale.shown(least), scale.shown(most), isLogarithmic, outside);
  }

  /** {@return a remark about numbers outside; empty if there are none} */
  String remark() {
    return outside == 0 ? "" : outside + (outside == 1 ? " value" : " values") + " outside";
  }
}
