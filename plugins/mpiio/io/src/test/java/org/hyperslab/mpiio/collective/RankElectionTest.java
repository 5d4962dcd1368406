package org.hyperslab.mpiio.collective;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;

/** Compares elections among ranks with choices by one that knows all costs. */
final class RankElectionTest {

  @Test
  void ranksElectWhatOneWouldChooseWhoKnowsAllCosts() {
    Seeds.runFixed(20, RankElectionTest::compare);
  }

  private static void compare(Random random) {
    int ranks = 1 + random.nextInt(8);
    int domains = 1 + random.nextInt(ranks);
    double[][] costs = new double[ranks][domains];
    for (double[] ofRank : costs) {
      for (int domain = 0; domain < domains; domain++) {
        ofRank[domain] = random.nextInt(3) == 0 ? random.nextInt(6) : -1; // no bytes of it
      }
    }
    int[] expected = chosen(costs, domains);
    ThreadWorld.run(
        ranks,
        comm -> {
          double[] own = costs[comm.rank()];
          long[] mine =
              IntStream.range(0, domains)
                  .filter(domain -> own[domain] >= 0)
                  .mapToObj(domain -> new long[] {domain, 1})
                  .flatMapToLong(Arrays::stream)
                  .toArray();
          RankElection election = new RankElection(comm, (rank, domain) -> costs[rank][domain]);
          assertThat(election.elect(mine, domains)).containsExactly(expected);
        });
  }

  /** Elects in turns: of the domains whose cheapest free rank is the same, the first gets it. */
  private static int[] chosen(double[][] costs, int domains) {
    int[] chosen = new int[domains];
    Arrays.fill(chosen, -1);
    boolean[] taken = new boolean[costs.length];
    for (boolean any = true; any; ) {
      any = false;
      boolean[] before = taken.clone();
      for (int domain = 0; domain < domains; domain++) {
        int best = -1;
        for (int rank = 0; rank < costs.length && chosen[domain] < 0; rank++) {
          double cost = costs[rank][domain];
          boolean candidate = cost >= 0 && !before[rank];
          best = candidate && (best < 0 || cost < costs[best][domain]) ? rank : best;
        }
        if (best >= 0 && !taken[best]) {
          chosen[domain] = best;
          taken[best] = true;
          any = true;
        }
      }
    }
    for (int domain = 0; domain < domains; domain++) {
      for (int rank = 0; rank < taken.length && chosen[domain] < 0; rank++) {
        if (!taken[rank]) {
          chosen[domain] = rank;
          taken[rank] = true;
        }
      }
    }
    return chosen;
  }
}
