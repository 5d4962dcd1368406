package org.hyperslab.tools.plot;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;

/**
 * The labels of an axis: multiples of 1, 2 or 5 times a power of ten, or of an axis of logarithms
 * powers of ten.
 *
 * <p>Thread rule: immutable.
 *
 * @param ticks the labels, in ascending order
 */
record AxisTicks(List<Tick> ticks) {

  private static final int[] STEPS = {1, 2, 5, 10};

  /** What the ends of a range may miss of a label because of rounding, in steps. */
  private static final double TOLERANCE = 1e-6;

  /** Labels with more zeros than this are written with a power of ten. */
  private static final int MOST_ZEROS = 6;

  /**
   * One label of an axis.
   *
   * @param value where it is
   * @param label its text
   */
  record Tick(double value, String label) {}

  /**
   * {@return labels of numbers}
   *
   * @param low the least number
   * @param high the greatest number, whose difference from the least one is finite
   * @param most the greatest number of labels, at least 1
   * @param whole whether labels are whole numbers
   */
  static AxisTicks linear(double low, double high, int most, boolean whole) {
    double raw = (high - low) / most;
    if (!(raw > 0)) {
      return new AxisTicks(List.of(end(low)));
    }
    int power = (int) Math.floor(Math.log10(raw));
    if (whole && power < 0) {
      power = 0;
    }
    BigDecimal step = BigDecimal.TEN.scaleByPowerOfTen(power);
    for (int each : STEPS) {
      BigDecimal candidate = BigDecimal.valueOf(each).scaleByPowerOfTen(power);
      if (candidate.doubleValue() >= raw * (1 - TOLERANCE)) {
        step = candidate;
        break;
      }
    }
    double width = step.doubleValue();
    List<Tick> ticks = new ArrayList<>();
    long first = (long) Math.ceil(low / width - TOLERANCE);
    long last = (long) Math.floor(high / width + TOLERANCE);
    for (long i = first; i <= last; i++) {
      BigDecimal value = step.multiply(BigDecimal.valueOf(i));
      ticks.add(new Tick(value.doubleValue(), text(value)));
    }
    return new AxisTicks(ticks);
  }

  /**
   * {@return labels of an axis of logarithms: powers of ten, or if there are less than two of them
   * the ends}
   *
   * @param low the least number, positive
   * @param high the greatest number
   * @param most the greatest number of labels, at least 2
   */
  static AxisTicks logarithmic(double low, double high, int most) {
    int first = (int) Math.ceil(Math.log10(low) - TOLERANCE);
    int last = (int) Math.floor(Math.log10(high) + TOLERANCE);
    if (last <= first) {
      return new AxisTicks(List.of(end(low), end(high)));
    }
    int step = Math.max(1, Math.ceilDiv(last - first + 1, most));
    List<Tick> ticks = new ArrayList<>();
    for (int power = first; power <= last; power += step) {
      ticks.add(new Tick(Math.pow(10, power), text(BigDecimal.ONE.scaleByPowerOfTen(power))));
    }
    return new AxisTicks(ticks);
  }

  private static Tick end(double value) {
    return new Tick(value, text(value));
  }

  /** {@return a number with few digits} */
  static String text(double value) {
    return Double.isFinite(value)
        ? text(new BigDecimal(value).round(new MathContext(6, RoundingMode.HALF_EVEN)))
        : Double.toString(value);
  }

  private static String text(BigDecimal value) {
    BigDecimal plain = value.stripTrailingZeros();
    boolean isShort = plain.scale() >= -MOST_ZEROS && plain.scale() <= MOST_ZEROS;
    return plain.signum() == 0 ? "0" : isShort ? plain.toPlainString() : plain.toString();
  }
}
