package org.hyperslab.tools.machine;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.examples.ffbench.FfRatio;

/**
 * Collects measured times of settings, which are tried in turn, round by round, and decides which
 * setting is best and which are not significantly worse. Settings are compared by the ratios of
 * their times in the same rounds, so that a disturbance of a whole round does not matter; a setting
 * is worse if the 95% confidence interval of the median of its ratios lies above 1.
 *
 * <p>Thread rule: confined to one thread.
 */
final class HintTrials {

  /** The factor by which a setting must be slower in each of {@link #FEW} rounds to be dropped. */
  private static final double HOPELESS = 2;

  private static final int FEW = 3;

  /** The number of rounds after which the confidence interval may decide. */
  private static final int ENOUGH = 6;

  private final List<List<Double>> seconds = new ArrayList<>();
  private final boolean[] dropped;

  HintTrials(int settings) {
    for (int i = 0; i < settings; i++) {
      seconds.add(new ArrayList<>());
    }
    this.dropped = new boolean[settings];
  }

  /** Adds the time of a setting in the current round. */
  void add(int setting, double time) {
    seconds.get(setting).add(time);
  }

  /** Returns whether a setting is to be tried in the next round. */
  boolean isTried(int setting) {
    return !dropped[setting];
  }

  /**
   * Ends a round. Settings that are worse are not tried again, except the first, with which all
   * others are compared.
   */
  void endRound() {
    int best = best();
    for (int i = 1; i < dropped.length; i++) {
      if (!dropped[i] && i != best) {
        List<Double> ratios = ratios(i, best);
        boolean hopeless = ratios.size() >= FEW && ratios.stream().allMatch(r -> r > HOPELESS);
        dropped[i] = hopeless || isWorse(i, best);
      }
    }
  }

  private boolean isWorse(int setting, int best) {
    return seconds.get(setting).size() >= ENOUGH && ratio(setting, best).low() > 1;
  }

  /** Returns the setting with the least median among those still tried. */
  int best() {
    int best = -1;
    for (int i = 0; i < dropped.length; i++) {
      if (!dropped[i] && (best < 0 || median(i) < median(best))) {
        best = i;
      }
    }
    return best;
  }

  /** Returns the best setting and those that are not significantly worse, ascending. */
  List<Integer> winners() {
    int best = best();
    List<Integer> all = new ArrayList<>();
    for (int i = 0; i < dropped.length; i++) {
      if (!dropped[i] && (i == best || !isWorse(i, best))) {
        all.add(i);
      }
    }
    return all;
  }

  /** Returns the median time of a setting, in seconds. */
  double median(int setting) {
    List<Double> sorted = seconds.get(setting).stream().sorted().toList();
    int size = sorted.size();
    return (sorted.get((size - 1) / 2) + sorted.get(size / 2)) / 2;
  }

  /** Returns the ratio of the time of a setting to that of another. */
  FfRatio ratio(int setting, int other) {
    return FfRatio.of(ratios(setting, other));
  }

  /**
   * Returns the ratios of the rounds in which both were tried. Settings are never resumed, so these
   * rounds come first.
   */
  private List<Double> ratios(int setting, int other) {
    List<Double> ratios = new ArrayList<>();
    int both = Math.min(seconds.get(setting).size(), seconds.get(other).size());
    for (int i = 0; i < both; i++) {
      ratios.add(seconds.get(setting).get(i) / seconds.get(other).get(i));
    }
    return ratios;
  }
}
