package org.hyperslab.mpiio.collective;

import java.util.Optional;
import java.util.stream.IntStream;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Reduction;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.machines.DomainAssigner;
import org.hyperslab.mpiio.machines.MachineService;
import org.hyperslab.mpiio.plan.CollectiveInput;
import org.hyperslab.mpiio.plan.Partition;
import org.hyperslab.mpiio.plan.Topology;

/**
 * The rule that assigns file domains to the ranks of a job; the same on every rank.
 *
 * @param assigner the rule; null assigns domains to the aggregators in order
 */
record DomainAssignments(DomainAssigner assigner) {

  private static final String AUTO = "auto";

  /**
   * Returns the rule that the hints request; collective if they request one.
   *
   * @throws HyperslabException on every rank, if any cannot describe the machine
   */
  static DomainAssignments agreed(Communicator comm, Hints hints, Topology topology) {
    String rule = hints.choice().assignment();
    if (rule.equals(AUTO)) {
      return new DomainAssignments(null);
    }
    DomainAssigner assigner = null;
    HyperslabException failure = null;
    try {
      assigner =
          MachineService.find("hyperslab_assignment=" + rule)
              .assigner(rule, hints.choice().machine(), topology.ranksOfNodes());
    } catch (HyperslabException failed) {
      failure = failed;
    }
    long[] sound = {failure == null ? 1 : 0};
    comm.allReduce(sound, Reduction.MIN);
    if (failure != null) {
      throw failure;
    }
    if (sound[0] == 0) {
      throw new InvalidUseException(
          "machine: actual="
              + hints.choice().machine()
              + " cannot be used on another rank, whose error gives the reason, expected=the "
              + "same description on all ranks");
    }
    return new DomainAssignments(assigner);
  }

  /**
   * Returns the rank of each domain by the rule: elected among the ranks if it is an election, else
   * computed by each rank. Collective.
   *
   * @param shares for each rank alternating domains, ascending, and the bytes that it has of them
   * @param domains the number of domains
   */
  int[] rankOfDomains(Communicator comm, long[][] shares, int domains) {
    Optional<DomainAssigner.Costs> costs = assigner.costs(shares, domains);
    return costs.isPresent()
        ? new RankElection(comm, costs.get()).elect(shares[comm.rank()], domains)
        : assigner
            .assign(
                shares,
                domains,
                IntStream.range(0, domains)
                    .map(i -> (int) ((long) i * shares.length / domains))
                    .toArray())
            .rankOfDomain();
  }

  boolean assigns() {
    return assigner != null;
  }

  /**
   * Returns the number of this rank's bytes in each part of the file, as pairs of a part and its
   * bytes.
   */
  long[] shares(CollectiveInput problem, Partition partition) {
    return partition.shares(problem.mine(), problem.rank());
  }

  /** Assigns the parts of the file to ranks, from the {@linkplain #shares shares} of all ranks. */
  DomainAssigner.Assigned assign(long[][] all, CollectiveInput problem, Partition partition) {
    return assigner.assign(all, partition.aggregators(), problem.setting().aggregators());
  }
}
