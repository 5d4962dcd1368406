package org.hyperslab.simulation;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.hyperslab.mpiio.schedule.Step;

/** The time of all ranks in steps of each kind. */
final class StepTimes {

  private final Map<Class<?>, double[]> sums = new HashMap<>();
  private Class<?> last;
  private double[] lastSum;

  void add(Step step, double nanos) {
    Class<?> kind = step.getClass();
    if (kind != last) {
      last = kind;
      lastSum = sums.computeIfAbsent(kind, absent -> new double[1]);
    }
    lastSum[0] += nanos;
  }

  /** Returns the times in nanoseconds, by the simple name of the step's type. */
  Map<String, Double> byName() {
    Map<String, Double> all = new TreeMap<>();
    sums.forEach((kind, sum) -> all.put(kind.getSimpleName(), sum[0]));
    return all;
  }
}
