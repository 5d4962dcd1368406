package org.hyperslab.placement;

import org.hyperslab.mpiio.collective.CollectiveRandomContract;

/** Compares random accesses with assigned file domains with a sequential model. */
final class AssignedCollectivesTest extends CollectiveRandomContract {

  AssignedCollectivesTest() {
    super(
        "two-phase hyperslab_assignment=romio",
        "two-phase hyperslab_assignment=latp hyperslab_domains=even",
        "two-phase hyperslab_assignment=tatp hyperslab_machine=crill hyperslab_domains=lustre"
            + " striping_unit=64",
        "two-phase hyperslab_assignment=tapioca hyperslab_machine=mira");
  }
}
