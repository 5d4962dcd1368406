package org.hyperslab.mpiio.plan;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.schedule.ByteLocation;
import org.hyperslab.mpiio.schedule.Schedule;
import org.hyperslab.mpiio.schedule.Step;

/**
 * Two-phase I/O for ranks in one address space: aggregators copy directly between the other ranks'
 * memory and a window of the file, without messages or staging buffers. The other ranks only wait
 * for the end.
 */
final class DirectExchange {

  private static final int WINDOW = 0;

  private final CollectiveInput problem;
  private final String name;
  private final WindowAssembly assembly;
  private final List<WindowAssembly.Source> sources = new ArrayList<>();

  /**
   * Creates the exchange of one rank.
   *
   * @param attached whether the other ranks are processes of their own, whose memory the system
   *     copies
   */
  DirectExchange(
      CollectiveInput problem,
      String name,
      Partition partition,
      BufferSizes sizes,
      boolean attached) {
    this.problem = problem;
    this.name = name;
    this.assembly =
        new WindowAssembly(
            problem.write(),
            sizes.directWindowBytes(),
            problem.setting().fs().costs(),
            SievingRule.territory(problem, partition),
            WINDOW);
    int me = problem.aggregatorIndex();
    int[] ranks = me < 0 ? new int[0] : partition.ranksOf(AccessRanges.of(problem.summaries()), me);
    for (int rank : ranks) {
      AggregatorPortion portion = partition.portion(problem.list(rank), rank, me);
      if (portion.totalBytes() > 0) {
        boolean plain = problem.summaries()[rank].circumstances().plain() == 1;
        sources.add(
            new WindowAssembly.Direct(portion, new ByteLocation.Peer(rank, 0), plain && !attached));
      }
    }
  }

  /** Returns the rank's schedule: a round for each window. */
  Schedule schedule() {
    ExtentRuns union =
        ExtentRuns.union(sources.stream().map(WindowAssembly.Source::extents).toList());
    long[] windows = assembly.windows(union);
    return Schedule.computed(
        name, problem.rank(), windows.length / 2, i -> round(i, windows, union));
  }

  private List<Step> round(int index, long[] windows, ExtentRuns union) {
    long from = windows[2 * index];
    long to = windows[2 * index + 1];
    List<Step> steps = new ArrayList<>();
    if (index == 0) {
      steps.add(new Step.Allocate(WINDOW, assembly.windowBytes()));
    }
    assembly.addSteps(sources, from, to, ExtentRuns.copyOf(union.within(from, to)), steps);
    return steps;
  }
}
