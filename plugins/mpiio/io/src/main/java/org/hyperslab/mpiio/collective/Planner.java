package org.hyperslab.mpiio.collective;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.schedule.Schedule;

/**
 * Makes schedules from a problem, without communication: one rank's schedule from what that rank
 * knows, or the schedules of all ranks where everything is known.
 */
final class Planner {

  private Planner() {}

  /** The schedule of an aggregated algorithm whose cycles are known. */
  static Schedule exchange(
      Problem problem, CollectiveAlgorithm.Aggregated algorithm, Cycles cycles, BufferSizes sizes) {
    return new Exchange(problem, algorithm.name(), algorithm.partition(), cycles, sizes).schedule();
  }

  /** The schedule of an aggregated algorithm where every rank's memory is reached directly. */
  static Schedule direct(
      Problem problem, CollectiveAlgorithm.Aggregated algorithm, BufferSizes sizes) {
    String name = algorithm.name() + " direct";
    return new DirectExchange(problem, name, algorithm.partition(), sizes).schedule();
  }

  /** The windows of one aggregator, from what it knows of all ranks. */
  static long[] windows(Problem problem, Partition partition, int aggregator, BufferSizes sizes) {
    List<ExtentRuns> lists = new ArrayList<>();
    for (int rank = 0; rank < problem.size(); rank++) {
      lists.add(partition.portion(problem.lists()[rank], rank, aggregator).extents());
    }
    long unit = Math.max(1, Math.min(sizes.windowBytes(), problem.setting().fs().blockBytes()));
    return Windows.cut(lists, sizes.stagingBytes(), unit);
  }

  /** Computes the cycles of all aggregators from the lists of all ranks. */
  static Cycles cycles(
      Problem problem, CollectiveAlgorithm.Aggregated algorithm, BufferSizes sizes) {
    Cycles known = algorithm.cyclesBeforehand(problem, sizes);
    if (known != null) {
      return known;
    }
    List<long[]> cuts = new ArrayList<>();
    for (int i = 0; i < algorithm.partition().aggregators(); i++) {
      cuts.add(windows(problem, algorithm.partition(), i, sizes));
    }
    return new Cycles.ByWindow(cuts);
  }
}
