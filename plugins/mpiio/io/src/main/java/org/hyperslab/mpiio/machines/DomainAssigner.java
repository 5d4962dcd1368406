package org.hyperslab.mpiio.machines;

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
}
