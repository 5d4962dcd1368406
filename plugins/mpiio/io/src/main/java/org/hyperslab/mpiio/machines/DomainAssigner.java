package org.hyperslab.mpiio.machines;

import java.util.Optional;

/**
 * Assigns the domains of a file to the ranks that aggregate them, by a rule and the places of the
 * job's ranks on a machine.
 *
 * <p>Thread rule: any thread. The result depends on the arguments only, so that all ranks agree
 * without a message.
 */
@FunctionalInterface
public interface DomainAssigner {

  /**
   * An assignment of domains.
   *
   * @param rankOfDomain the rank of each domain, from 0; a rank has at most one domain
   * @param description the rule and its figures in one line, for display
   */
  record Assigned(int[] rankOfDomain, String description) {}

  /**
   * Assigns domains of a file to ranks that aggregate them.
   *
   * @param shares for each rank alternating domains, ascending from 0, and the bytes of them that
   *     the rank accesses; domains without bytes are left out
   * @param domains the number of domains
   * @param aggregators the ranks that aggregate if the rule does not choose others, in their order;
   *     at least as many as domains
   * @return the assignment
   */
  Assigned assign(long[][] shares, int domains, int[] aggregators);

  /** What it costs if a rank aggregates a domain. */
  @FunctionalInterface
  interface Costs {

    /**
     * {@return the time of gathering and writing a domain by a rank, in nanoseconds}
     *
     * @param rank the rank, which has bytes of the domain
     * @param domain the domain
     */
    double nanos(int rank, int domain);
  }

  /**
   * Returns the costs from which ranks elect the aggregator of each domain among those with bytes
   * of it, if the rule is such an election.
   *
   * @param shares as for {@link #assign}
   * @param domains the number of domains
   * @return the costs; empty if the rule needs all domains at once
   */
  default Optional<Costs> costs(long[][] shares, int domains) {
    return Optional.empty();
  }
}
