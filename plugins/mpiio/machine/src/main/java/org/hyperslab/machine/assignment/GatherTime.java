package org.hyperslab.machine.assignment;

import java.util.Arrays;
import java.util.OptionalInt;
import org.hyperslab.machine.Machine;
import org.hyperslab.machine.RankMap;

/**
 * Computes TAPIOCA's cost of an aggregator, in nanoseconds: C1, the time to receive the bytes of
 * its domain from all ranks, and C2, the time to send them to its I/O node. C2 is 0 if the
 * positions of I/O nodes are not known.
 *
 * @param traffic what each rank accesses of each domain
 * @param ranks the number of ranks
 */
public record GatherTime(DomainTraffic traffic, RankMap ranks) {

  /**
   * More than any real time: a rank that accesses nothing of a domain gets it only if no other can.
   */
  private static final double OUTSIDE_NANOS = 1e18;

  /**
   * {@return C1 + C2 of a rank as aggregator of a domain}
   *
   * @param rank the rank
   * @param domain the domain
   */
  public double nanos(int rank, int domain) {
    double nanos = estimate(rank, domain);
    boolean member = Arrays.binarySearch(traffic.contributors(domain), rank) >= 0;
    return member ? nanos : nanos + OUTSIDE_NANOS;
  }

  private double estimate(int rank, int domain) {
    Machine machine = ranks.machine();
    int[] from = traffic.contributors(domain);
    double gather = 0;
    long all = 0;
    for (int i = 0; i < from.length; i++) {
      long bytes = traffic.bytes(domain)[i];
      all += bytes;
      if (from[i] != rank) {
        gather += machine.nanos(ranks.processor(from[i]), ranks.processor(rank), bytes);
      }
    }
    OptionalInt ioNode = machine.ioNodeOf(ranks.processor(rank));
    return ioNode.isEmpty()
        ? gather
        : gather + machine.nanosToIoNode(ranks.processor(rank), ioNode.getAsInt(), all);
  }
}
