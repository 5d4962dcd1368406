package org.hyperslab.mpiio.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.schedule.Schedule;

/**
 * Computes schedules from a problem, without communication: one rank's schedule from the
 * information of that rank, or the schedules of all ranks if all information is known.
 */
public final class Planner {

  private static final long[] NO_WINDOWS = {};

  /**
   * The number of lists whose traversal takes some milliseconds, as long as an exchange between
   * many ranks.
   */
  private static final double FEW_OVERLAPS = 1 << 16;

  private Planner() {}

  /**
   * {@return the schedule of an aggregated algorithm whose cycles are known}
   *
   * @param problem the input of the algorithm
   * @param algorithm the algorithm
   * @param cycles the cycles
   * @param sizes the sizes of buffers
   */
  public static Schedule exchange(
      CollectiveInput problem,
      CollectiveAlgorithm.Aggregated algorithm,
      Cycles cycles,
      BufferSizes sizes) {
    return exchange(problem, algorithm, cycles, sizes, null);
  }

  /** Returns the same; {@code shared} may be null, and is computed then. */
  static Schedule exchange(
      CollectiveInput problem,
      CollectiveAlgorithm.Aggregated algorithm,
      Cycles cycles,
      BufferSizes sizes,
      TwoPhaseExchange.Shared shared) {
    return new TwoPhaseExchange(
            problem, algorithm.name(), algorithm.partition(), cycles, sizes, shared)
        .schedule();
  }

  /**
   * {@return the schedule of an aggregated algorithm if every rank's memory is reached directly}
   *
   * @param attached whether the other ranks are processes of their own
   * @param problem the input of the algorithm
   * @param algorithm the algorithm
   * @param sizes the sizes of buffers
   */
  public static Schedule direct(
      CollectiveInput problem,
      CollectiveAlgorithm.Aggregated algorithm,
      BufferSizes sizes,
      boolean attached) {
    String name = algorithm.name() + " direct";
    return new DirectExchange(problem, name, algorithm.partition(), sizes, attached).schedule();
  }

  /**
   * {@return the windows of one aggregator, from its information about all ranks}
   *
   * @param problem the input of the algorithm
   * @param partition the assignment of bytes to aggregators
   * @param aggregator the index of the aggregator
   * @param sizes the sizes of buffers
   */
  public static long[] windows(
      CollectiveInput problem, Partition partition, int aggregator, BufferSizes sizes) {
    return windows(problem, partition, AccessRanges.of(problem.summaries()), aggregator, sizes);
  }

  private static long[] windows(
      CollectiveInput problem,
      Partition partition,
      AccessRanges ranges,
      int aggregator,
      BufferSizes sizes) {
    long unit = Math.max(1, Math.min(sizes.windowBytes(), problem.setting().fs().blockBytes()));
    int[] ranks = partition.ranksOf(ranges, aggregator);
    ExtentRuns territory = partition.territory(aggregator);
    List<ExtentRuns> lists = new ArrayList<>(ranks.length);
    if (territory.count() == 1) {
      for (int rank : ranks) {
        lists.add(problem.list(rank));
      }
      return Windows.cut(lists, territory, sizes.stagingBytes(), unit);
    }
    for (int rank : ranks) {
      lists.add(partition.portion(problem.list(rank), rank, aggregator).extents());
    }
    return Windows.cut(lists, sizes.stagingBytes(), unit);
  }

  /**
   * {@return whether every rank can cheaply compute the cycles that concern it from the lists of
   * all ranks; otherwise each aggregator computes its own and sends them to the others} The same on
   * every rank.
   *
   * @param problem the input of the algorithm
   * @param partition the assignment of bytes to aggregators
   */
  public static boolean knowsCycles(CollectiveInput problem, Partition partition) {
    return partition.overlaps(AccessRanges.of(problem.summaries())) <= FEW_OVERLAPS;
  }

  /**
   * Computes, from the lists of all ranks, the cycles of the aggregators with which this rank
   * communicates; those of others are empty.
   *
   * @param problem the input of the algorithm
   * @param algorithm the algorithm
   * @param sizes the sizes of buffers
   * @return the cycles, by aggregator
   */
  public static Cycles cycles(
      CollectiveInput problem, CollectiveAlgorithm.Aggregated algorithm, BufferSizes sizes) {
    Cycles known = algorithm.cyclesBeforehand(problem, sizes);
    if (known != null) {
      return known;
    }
    Partition partition = algorithm.partition();
    AccessRanges ranges = AccessRanges.of(problem.summaries());
    long[][] cuts = new long[partition.aggregators()][];
    Arrays.fill(cuts, NO_WINDOWS);
    for (int i : partition.aggregatorsOf(problem.mine(), problem.rank())) {
      cuts[i] = windows(problem, partition, ranges, i, sizes);
    }
    int me = problem.aggregatorIndex();
    if (me >= 0 && cuts[me].length == 0) {
      cuts[me] = windows(problem, partition, ranges, me, sizes);
    }
    return new Cycles.ByWindow(List.of(cuts));
  }

  /** Returns the cycles of all aggregators, from the lists of all ranks. */
  static Cycles allCycles(
      CollectiveInput problem,
      CollectiveAlgorithm.Aggregated algorithm,
      BufferSizes sizes,
      AccessRanges ranges) {
    Cycles known = algorithm.cyclesBeforehand(problem, sizes);
    if (known != null) {
      return known;
    }
    List<long[]> cuts = new ArrayList<>();
    for (int i = 0; i < algorithm.partition().aggregators(); i++) {
      cuts.add(windows(problem, algorithm.partition(), ranges, i, sizes));
    }
    return new Cycles.ByWindow(cuts);
  }
}
