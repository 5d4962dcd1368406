package org.hyperslab.examples.ffbench;

import java.util.List;

/**
 * The ratio of the times of two methods, from pairs of runs.
 *
 * <p>The interval is that of the order statistics which contain the median of the pairs'
 * distribution with a probability of about 95%, whatever the distribution (Conover, Practical
 * Nonparametric Statistics, 3.2); of fewer than six pairs, all of them.
 *
 * @param median the median ratio
 * @param low the lower end of the interval
 * @param high the upper end of the interval
 */
public record FfRatio(double median, double low, double high) {

  /**
   * {@return the summary of the ratios of pairs}
   *
   * @param ratios the ratio of each pair, at least one
   */
  public static FfRatio of(List<Double> ratios) {
    List<Double> sorted = ratios.stream().sorted().toList();
    int size = sorted.size();
    int out = Math.max(0, (int) Math.floor((size - 1.96 * Math.sqrt(size)) / 2));
    return new FfRatio(
        (sorted.get((size - 1) / 2) + sorted.get(size / 2)) / 2,
        sorted.get(out),
        sorted.get(size - 1 - out));
  }
}
