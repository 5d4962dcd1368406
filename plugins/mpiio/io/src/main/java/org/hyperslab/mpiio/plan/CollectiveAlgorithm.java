package org.hyperslab.mpiio.plan;

import java.util.Arrays;
import java.util.List;
import org.hyperslab.mpiio.schedule.Schedule;

/**
 * A collective algorithm: a pure function from a problem to one rank's schedule. It uses no thread,
 * clock or network.
 */
public sealed interface CollectiveAlgorithm {

  /** {@return the name in hints} */
  String name();

  /**
   * An algorithm in which every rank accesses the file by itself. Modules outside provide further
   * ones ({@link AlgorithmProvider}).
   */
  non-sealed interface Separate extends CollectiveAlgorithm {

    /**
     * {@return the schedule of {@code problem.rank()}, from its own extents and all ranks'
     * summaries}
     *
     * @param problem the input of the algorithm
     */
    Schedule schedule(CollectiveInput problem);
  }

  /**
   * An algorithm in which aggregators access the file for all.
   *
   * @param name the name in hints
   * @param partition the assignment of bytes to aggregators
   * @param byQuota whether each rank contributes an equal amount to each cycle
   */
  record Aggregated(String name, Partition partition, boolean byQuota)
      implements CollectiveAlgorithm {

    /** Returns the same algorithm, prepared for the questions of all ranks. */
    Aggregated indexed() {
      return new Aggregated(name, partition.indexed(), byQuota);
    }

    /**
     * {@return the cycles if they can be computed without lists of extents; otherwise null}
     *
     * @param problem the input of the algorithm
     * @param sizes the sizes of buffers
     */
    public Cycles cyclesBeforehand(CollectiveInput problem, BufferSizes sizes) {
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
      int largest = Arrays.stream(members).max().orElse(1);
      long quota = Math.max(1, sizes.stagingBytes() / largest);
      List<Integer> counts =
          Arrays.stream(most)
              .mapToObj(bytes -> Math.toIntExact(Math.ceilDiv(bytes, quota)))
              .toList();
      return new Cycles.ByQuota(quota, counts);
    }
  }
}
