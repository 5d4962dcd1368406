package org.hyperslab.mpiio.collective;

import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.hint.Toggle;

/** Decides whether a collective write may read holes and write them back. */
final class SievingRule {

  private SievingRule() {}

  /**
   * Returns the region in which it may: the one that only this rank accesses, as an aggregator,
   * unless the hint forbids it.
   */
  static ExtentRuns territory(CollectiveInput problem, Partition partition) {
    int me = problem.aggregatorIndex();
    boolean forbidden = problem.setting().hints().sieving().write() == Toggle.DISABLE;
    return me < 0 || forbidden ? ExtentRuns.empty() : partition.territory(me);
  }
}
