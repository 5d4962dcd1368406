package org.hyperslab.examples.ffbench;

import java.util.List;

/**
 * How long one way takes of what another takes, from pairs of runs.
 *
 * <p>The interval is that of the order statistics which hold the median of what the pairs are drawn
 * from with a probability of about 95%, whatever their distribution (Conover, Practical
 * Nonparametric Statistics, 3.2); of fewer than six pairs, all of them.
 *
 * @param median the middle one
 * @param low where the interval begins
 * @param high where it ends
 */
public record FfRatio(double median, double low, double high) {

  /**
   * {@return the ratio of pairs}
   *
   * @param ratios one of each pair, at least one
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
