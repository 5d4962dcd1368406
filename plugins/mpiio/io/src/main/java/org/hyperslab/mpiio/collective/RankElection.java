package org.hyperslab.mpiio.collective;

import java.util.Arrays;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Reduction;
import org.hyperslab.mpiio.machines.DomainAssigner;

/**
 * Elects the aggregator of each domain as TAPIOCA does (Tessier and others, 2017). Each rank
 * computes its own cost as the aggregator of the domains of which it has bytes, and a reduction
 * finds the rank with the least, the lowest of equals ({@code MPI_MINLOC}).
 *
 * <p>A rank aggregates one domain at most. If it has the least cost for several, it gets the first,
 * and the others are elected again without it. A domain whose candidates all have others goes to
 * the lowest rank that has none.
 */
record RankElection(Communicator comm, DomainAssigner.Costs costs) {

  private static final long NO_CANDIDATE = Long.MAX_VALUE;

  /**
   * Returns the aggregators that all ranks elect together; collective.
   *
   * @param mine this rank's domains, each followed by its bytes
   * @param domains the number of domains, at most as many as ranks
   * @return the rank of each domain
   */
  int[] elect(long[] mine, int domains) {
    int[] chosen = new int[domains];
    Arrays.fill(chosen, -1);
    boolean[] taken = new boolean[comm.size()];
    long[] own = costs(mine, domains);
    while (hasElected(own, chosen, taken)) {
      // The next turn elects the others.
    }
    int free = 0;
    for (int domain = 0; domain < domains; domain++) {
      if (chosen[domain] < 0) {
        while (taken[free]) {
          free++;
        }
        taken[free] = true;
        chosen[domain] = free;
      }
    }
    return chosen;
  }

  private long[] costs(long[] mine, int domains) {
    long[] own = new long[domains];
    Arrays.fill(own, NO_CANDIDATE);
    for (int i = 0; i < mine.length; i += 2) {
      int domain = (int) mine[i];
      // The bits of non-negative doubles have the order of their values; -0.0 becomes 0.0.
      own[domain] = Double.doubleToLongBits(costs.nanos(comm.rank(), domain) + 0.0);
    }
    return own;
  }

  /** Elects among the ranks that are free; returns whether any has been elected. */
  private boolean hasElected(long[] own, int[] chosen, boolean[] taken) {
    long[] least = new long[own.length];
    for (int i = 0; i < own.length; i++) {
      least[i] = chosen[i] < 0 && !taken[comm.rank()] ? own[i] : NO_CANDIDATE;
    }
    long[] mine = least.clone();
    comm.allReduce(least, Reduction.MIN);
    long[] rank = new long[own.length];
    for (int i = 0; i < own.length; i++) {
      boolean first = mine[i] == least[i] && mine[i] != NO_CANDIDATE;
      rank[i] = first ? comm.rank() : NO_CANDIDATE;
    }
    comm.allReduce(rank, Reduction.MIN);
    boolean any = false;
    for (int i = 0; i < own.length; i++) {
      if (rank[i] != NO_CANDIDATE && !taken[(int) rank[i]]) {
        chosen[i] = (int) rank[i];
        taken[chosen[i]] = true;
        any = true;
      }
    }
    return any;
  }
}
