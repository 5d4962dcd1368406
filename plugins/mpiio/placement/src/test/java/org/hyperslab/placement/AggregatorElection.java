package org.hyperslab.placement;

import java.util.Arrays;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.machine.RankMap;
import org.hyperslab.machine.assignment.AssignmentRule;
import org.hyperslab.machine.assignment.DomainAssignment;
import org.hyperslab.machine.assignment.DomainTraffic;
import org.hyperslab.machine.assignment.GatherTime;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Reduction;

/**
 * Elects aggregators as TAPIOCA does, among the ranks themselves: each rank computes its cost as
 * aggregator, and a reduction finds the rank with the least cost, the lowest among equals ({@code
 * MPI_MINLOC}). No rank needs the costs of the others.
 */
final class AggregatorElection {

  private AggregatorElection() {}

  /**
   * Elects an aggregator for each domain, in order; an elected rank is not a candidate for later
   * domains. Collective, with the same arguments on all ranks.
   *
   * @param comm the ranks
   * @param traffic the bytes of each domain that each rank accesses
   * @param ranks the processor of each rank
   * @return the same as {@link DomainAssignment#of} with {@link AssignmentRule#TAPIOCA} and all
   *     ranks as candidates
   * @throws InvalidUseException if there are more domains than ranks
   */
  public static DomainAssignment elect(Communicator comm, DomainTraffic traffic, RankMap ranks) {
    if (traffic.domains() > comm.size()) {
      throw new InvalidUseException(
          "election: actual=%d domains, expected=at most %d, one for each rank"
              .formatted(traffic.domains(), comm.size()));
    }
    int[] chosen = new int[traffic.domains()];
    double[] costs = new double[chosen.length];
    GatherTime time = new GatherTime(traffic, ranks);
    Arrays.setAll(costs, domain -> time.nanos(comm.rank(), domain));
    for (int domain = 0; domain < chosen.length; domain++) {
      chosen[domain] = leastOf(comm, costs[domain]);
      if (chosen[domain] == comm.rank()) {
        Arrays.fill(costs, Double.POSITIVE_INFINITY);
      }
    }
    return DomainAssignment.measured(AssignmentRule.TAPIOCA, chosen, traffic, ranks);
  }

  /**
   * Finds the rank with the least value. Collective.
   *
   * @param comm the ranks
   * @param value this rank's value, at least 0
   * @return the lowest of the ranks with the least value
   * @throws InvalidUseException if the value is negative or not a number; other ranks then wait
   */
  public static int leastOf(Communicator comm, double value) {
    if (!(value >= 0)) {
      throw new InvalidUseException("election: actual=" + value + ", expected=at least 0");
    }
    // The bits of non-negative doubles have the order of their values; -0.0 becomes 0.0.
    long mine = Double.doubleToLongBits(value + 0.0);
    long[] least = {mine};
    comm.allReduce(least, Reduction.MIN);
    long[] rank = {least[0] == mine ? comm.rank() : Integer.MAX_VALUE};
    comm.allReduce(rank, Reduction.MIN);
    return (int) rank[0];
  }
}
