package org.hyperslab.mpiio.collective;

import java.util.List;

/**
 * A collective algorithm: a pure function from a problem to one rank's schedule. It knows no
 * thread, no clock, no network.
 */
sealed interface CollectiveAlgorithm {

  /** Returns the name, as hints give it. */
  String name();

  /** An algorithm in which every rank accesses the file for itself. */
  sealed interface Separate extends CollectiveAlgorithm
      permits Individual,
          Baseline.Naive,
          Baseline.Grouping,
          Baseline.DataGrouping,
          Baseline.Random,
          Baseline.Sliding,
          Baseline.ServerWindows {

    /**
     * Returns the schedule of {@code problem.rank()}, from its own extents and all ranks'
     * summaries.
     */
    Schedule schedule(Problem problem);
  }

  /**
   * An algorithm in which aggregators access the file for all.
   *
   * @param name the name, as hints give it
   * @param partition which bytes pass through which aggregator
   * @param byQuota whether each rank gives the same amount in each cycle
   */
  record Aggregated(String name, Partition partition, boolean byQuota)
      implements CollectiveAlgorithm {

    /** Returns the cycles, where they need no list of extents to be known; null otherwise. */
    Cycles cyclesBeforehand(Problem problem, BufferSizes sizes) {
      if (!byQuota || !(partition instanceof Partition.Groups groups)) {
        return null;
      }
      long[] most = new long[groups.aggregators()];
      int[] members = new int[groups.aggregators()];
      for (int rank = 0; rank < problem.size(); rank++) {
        int group = groups.groups().get(rank);
        members[group]++;
        most[group] = Math.max(most[group], problem.summaries()[rank].bytes());
      }
      int largest = java.util.Arrays.stream(members).max().orElse(1);
      long quota = Math.max(1, sizes.stagingBytes() / largest);
      List<Integer> counts =
          java.util.Arrays.stream(most)
              .mapToObj(bytes -> Math.toIntExact(Math.ceilDiv(bytes, quota)))
              .toList();
      return new Cycles.ByQuota(quota, counts);
    }
  }
}
