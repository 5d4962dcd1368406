package org.hyperslab.mpiio.plan;

import java.util.List;
import org.hyperslab.mpiio.access.ExtentRuns;

/** Divides the work of aggregators into cycles that fit their buffers. */
public sealed interface Cycles {

  /**
   * {@return the number of cycles of the aggregator of an index}
   *
   * @param aggregator the index of the aggregator
   */
  int count(int aggregator);

  /**
   * {@return the packed position, in a rank's portion for the aggregator, at which a cycle begins}
   *
   * @param aggregator the index of the aggregator
   * @param cycle the cycle
   * @param portion the portion of the rank's bytes
   */
  long start(int aggregator, int cycle, ExtentRuns portion);

  /** {@return whether a cycle contains all bytes of the ranks in a range of the file} */
  boolean byPlace();

  /**
   * {@return the most cycles of any aggregator}
   *
   * @param aggregators the aggregators
   */
  default int most(int aggregators) {
    int most = 0;
    for (int i = 0; i < aggregators; i++) {
      most = Math.max(most, count(i));
    }
    return most;
  }

  /**
   * Cycles by place in the file.
   *
   * @param cuts the cuts of {@link Windows#cut} for each aggregator
   */
  record ByWindow(List<long[]> cuts) implements Cycles {
    @Override
    public int count(int aggregator) {
      return Math.max(0, cuts.get(aggregator).length - 1);
    }

    @Override
    public long start(int aggregator, int cycle, ExtentRuns portion) {
      return portion.packedAt(cuts.get(aggregator)[cycle]);
    }

    @Override
    public boolean byPlace() {
      return true;
    }
  }

  /**
   * Cycles with an equal number of bytes from every rank, as in static segmentation.
   *
   * @param bytes the number of bytes
   * @param counts the cycles of each aggregator
   */
  record ByQuota(long bytes, List<Integer> counts) implements Cycles {
    @Override
    public int count(int aggregator) {
      return counts.get(aggregator);
    }

    @Override
    public long start(int aggregator, int cycle, ExtentRuns portion) {
      return Math.min(portion.totalBytes(), cycle * bytes);
    }

    @Override
    public boolean byPlace() {
      return false;
    }
  }
}
