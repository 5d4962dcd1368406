package org.hyperslab.mpiio.plan;

import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.hint.Toggle;
import org.hyperslab.mpiio.transfer.DataSieving;

/** Decides whether a collective write may read holes and write them back. */
public final class SievingRule {

  private SievingRule() {}

  /**
   * Returns the region in which it may: the one that only this rank accesses, as an aggregator. The
   * region is empty if the hint forbids it, or if other accesses to the file may be in progress,
   * which may write into the holes meanwhile.
   */
  static ExtentRuns territory(CollectiveInput problem, Partition partition) {
    int me = problem.aggregatorIndex();
    CollectiveInput.Setting setting = problem.setting();
    boolean forbidden = setting.overlapped() || setting.hints().sieving().write() == Toggle.DISABLE;
    return me < 0 || forbidden ? ExtentRuns.empty() : partition.territory(me);
  }

  /**
   * {@return whether independent writes of any rank may read holes and write them back, so that all
   * writes that may be in progress beside them must lock their extents}
   *
   * @param hints the hints
   */
  public static boolean locksWrites(Hints hints) {
    return hints.sieving().write() == Toggle.ENABLE
        || hints.choice().transfer().equals(DataSieving.NAME);
  }
}
