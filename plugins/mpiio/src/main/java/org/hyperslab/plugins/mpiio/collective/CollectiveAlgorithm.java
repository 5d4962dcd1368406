package org.hyperslab.plugins.mpiio.collective;

import org.hyperslab.plugins.mpiio.access.ExtentRuns;
import org.hyperslab.plugins.mpiio.schedule.Schedule;

/**
 * A collective algorithm: a pure function from a problem to one rank's schedule. It knows no
 * thread, no clock, no network.
 */
interface CollectiveAlgorithm {

  /** What an algorithm has to know of the other ranks' extents. */
  enum Knowledge {
    /** Nothing but the summaries. */
    NONE,
    /** On an aggregator: whatever {@link #interest} says. Elsewhere nothing. */
    AGGREGATORS,
    /** Everything, on every rank. */
    ALL
  }

  /** The name, as hints give it. */
  String name();

  /** What has to be exchanged before {@link #schedule}. */
  Knowledge knowledge();

  /**
   * The part of this rank's extents that the aggregator of an index must know; only for {@link
   * Knowledge#AGGREGATORS}.
   */
  default ExtentRuns interest(Problem problem, int aggregator) {
    return problem.mine();
  }

  /** The schedule of {@code problem.rank()}. */
  Schedule schedule(Problem problem);
}
