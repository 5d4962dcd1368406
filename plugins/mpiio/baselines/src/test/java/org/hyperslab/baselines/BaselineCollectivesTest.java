package org.hyperslab.baselines;

import org.hyperslab.mpiio.collective.CollectiveRandomContract;

/** Compares random accesses by the algorithms of this module with a sequential model. */
final class BaselineCollectivesTest extends CollectiveRandomContract {

  BaselineCollectivesTest() {
    super(
        "naive",
        "grouping",
        "random",
        "sliding hyperslab_block=3000",
        "sliding-servers hyperslab_block=3000 striping_unit=100 striping_factor=3",
        "data-grouping hyperslab_in_flight=5000",
        "grouping hyperslab_group=2");
  }
}
