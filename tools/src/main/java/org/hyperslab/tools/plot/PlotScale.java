package org.hyperslab.tools.plot;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Arrays;

/**
 * Maps numbers to numbers of moderate size, whose labels fit on an axis and differ from each other.
 * Without it, the search for the places of labels takes forever for numbers such as 1e18 and 1e18 +
 * 256.
 *
 * @param offset what is subtracted first
 * @param power the power of ten by which the difference is divided
 */
record PlotScale(double offset, int power) {

  /** The least part of the greatest number that differences must have to be visible. */
  private static final double VISIBLE = 1e-3;

  /** Numbers from 10 to this power on are divided. */
  private static final int LARGE = 7;

  /** Numbers below 10 to this power are multiplied. */
  private static final int SMALL = -4;

  /** Below it a power of ten is not exact enough, or 0. */
  private static final int LEAST_POWER = -300;

  /** {@return the scale for numbers, of which infinite ones and NaN are ignored} */
  static PlotScale of(double[] numbers) {
    double[] finite = Arrays.stream(numbers).filter(Double::isFinite).toArray();
    double least = Arrays.stream(finite).min().orElse(0);
    double most = Arrays.stream(finite).max().orElse(0);
    double largest = Math.max(Math.abs(least), Math.abs(most));
    boolean isNarrow = most > least && most / 2 - least / 2 < largest * VISIBLE / 2;
    double origin = isNarrow ? origin(least, most - least) : 0;
    if (isNarrow) {
      largest = most - origin;
    }
    int power = largest == 0 ? 0 : (int) Math.floor(Math.log10(largest));
    boolean isModerate = power >= SMALL && power < LARGE;
    return new PlotScale(origin, isModerate ? 0 : Math.max(LEAST_POWER, power));
  }

  /** Returns a number of few digits that is at most the least one, and not far from it. */
  private static double origin(double least, double range) {
    int digit = (int) Math.ceil(Math.log10(range));
    return new BigDecimal(least).setScale(-digit, RoundingMode.FLOOR).doubleValue();
  }

  /** {@return what is drawn for a number} */
  double shown(double number) {
    return (number - offset) / Math.pow(10, power);
  }

  /** {@return what is drawn for numbers} */
  double[] shown(double[] numbers) {
    return Arrays.stream(numbers).map(this::shown).toArray();
  }

  /**
   * {@return how a number follows from what is drawn, such as "×1E5, then +1.5E18"; may be empty}
   */
  String text() {
    String added = offset == 0 ? "" : (offset < 0 ? "" : "+") + offset;
    if (power == 0) {
      return added;
    }
    return "\u00d71E" + power + (added.isEmpty() ? "" : ", then " + added);
  }
}
