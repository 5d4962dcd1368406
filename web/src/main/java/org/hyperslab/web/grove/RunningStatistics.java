package org.hyperslab.web.grove;

import org.hyperslab.interchange.json.JsonOutput;

/**
 * Computes statistics of numbers, leaving out NaN and infinity as h5grove does. Sums are kept for
 * each piece and combined (Chan, Golub and LeVeque, 1983), so that precision does not decrease with
 * length.
 *
 * <p>Thread rule: confined to one thread.
 */
final class RunningStatistics {

  private long count;
  private double mean;
  private double squares;
  private double min = Double.POSITIVE_INFINITY;
  private double max = Double.NEGATIVE_INFINITY;
  private double positiveMin = Double.POSITIVE_INFINITY;
  private double strictPositiveMin = Double.POSITIVE_INFINITY;

  void add(double[] numbers) {
    long some = 0;
    double sum = 0;
    for (double number : numbers) {
      if (Math.abs(number) <= Double.MAX_VALUE) {
        some++;
        sum += number;
        extremes(number);
      }
    }
    if (some > 0) {
      combine(numbers, some, sum / some);
    }
  }

  /**
   * Adds equal numbers.
   *
   * @param number the number
   * @param times how many there are
   */
  void add(double number, long times) {
    if (Math.abs(number) <= Double.MAX_VALUE) {
      extremes(number);
      combine(times, number, 0);
    }
  }

  private void extremes(double number) {
    min = Math.min(min, number);
    max = Math.max(max, number);
    if (number >= 0) {
      positiveMin = Math.min(positiveMin, number);
      if (number > 0) {
        strictPositiveMin = Math.min(strictPositiveMin, number);
      }
    }
  }

  private void combine(double[] numbers, long some, double theirMean) {
    double theirSquares = 0;
    for (double number : numbers) {
      if (Math.abs(number) <= Double.MAX_VALUE) {
        theirSquares += (number - theirMean) * (number - theirMean);
      }
    }
    combine(some, theirMean, theirSquares);
  }

  private void combine(long some, double theirMean, double theirSquares) {
    double distance = theirMean - mean;
    long all = count + some;
    mean += distance * ((double) some / all);
    squares += theirSquares + distance * distance * ((double) count * some / all);
    count = all;
  }

  /** Writes the statistics as an object; without numbers, the values are null. */
  void write(JsonOutput out) {
    out.open('{');
    out.name("strict_positive_min").number(strictPositiveMin);
    out.name("positive_min").number(positiveMin);
    out.name("min").number(min);
    out.name("max").number(max);
    out.name("mean").number(count == 0 ? Double.NaN : mean);
    out.name("std").number(count == 0 ? Double.NaN : Math.sqrt(squares / count));
    out.close('}');
  }
}
