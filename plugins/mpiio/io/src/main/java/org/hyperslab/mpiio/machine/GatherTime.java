package org.hyperslab.mpiio.machine;

import java.util.Arrays;
import java.util.OptionalInt;

/**
 * TAPIOCA's cost of an aggregator: C1, the time in which it gets the bytes of its domain from all
 * ranks, and C2, the time in which it sends them to its I/O node; C2 is 0 where the place of I/O
 * nodes is not known. In nanoseconds.
 */
record GatherTime(DomainTraffic traffic, RankMap ranks) {

  /** More than any real time: who has nothing of a domain gets it only if nobody else can. */
  private static final double OUTSIDE_NANOS = 1e18;

  /** Returns C1 + C2 of a rank as aggregator of a domain. */
  double nanos(int rank, int domain) {
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
