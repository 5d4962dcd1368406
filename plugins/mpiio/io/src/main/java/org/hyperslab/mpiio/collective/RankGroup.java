package org.hyperslab.mpiio.collective;

import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.hint.Toggle;
import org.hyperslab.mpiio.plan.Topology;
import org.hyperslab.mpiio.store.FileSystemTraits;

/**
 * Describes the ranks before any of them accesses the file; the same on every rank.
 *
 * @param topology the topology of the ranks
 * @param domains the rule that assigns file domains
 * @param fs the file system
 */
record RankGroup(Topology topology, DomainAssignments domains, FileSystemTraits fs) {

  /** Returns whether ranks may reach the memory of others, whose places they must then know. */
  boolean mayShareMemory(Hints hints) {
    boolean reached = topology.oneProcess() || !topology.processes().isEmpty();
    return reached && hints.choice().sharedMemory() != Toggle.DISABLE;
  }
}
