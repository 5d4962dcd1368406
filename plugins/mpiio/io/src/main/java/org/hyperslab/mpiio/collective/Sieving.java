package org.hyperslab.mpiio.collective;

import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.hint.Toggle;

/** Decides whether a collective write may write back holes as it has read them. */
final class Sieving {

  private Sieving() {}

  /**
   * Where it may: in the region that this rank alone touches as an aggregator, unless the hint
   * forbids it.
   */
  static ExtentRuns territory(Problem problem, Partition partition) {
    int me = problem.aggregatorIndex();
    boolean forbidden = problem.setting().hints().sieving().write() == Toggle.DISABLE;
    return me < 0 || forbidden ? ExtentRuns.empty() : partition.territory(me);
  }
}
