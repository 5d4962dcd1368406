package org.hyperslab.machine.mapping;

import java.util.Arrays;
import java.util.Random;

/**
 * MPIPP, after Chen et al.: MPIPP, An Automatic Profile-guided Parallel Process Placement Toolset
 * (2006). Starting from a random placement, it swaps two ranks, or moves a rank to a free place,
 * whenever that decreases the sum of amounts times costs, until a pass over all pairs finds no
 * improvement. The gain of a swap is computed from the partners of its two ranks alone.
 */
final class Mpipp {

  private static final int NONE = -1;

  private final ApplicationMatrix application;
  private final ArchitectureMatrix architecture;
  private final int[] placeOf;
  private final int[] rankAt;

  private Mpipp(ApplicationMatrix application, ArchitectureMatrix architecture, int[] placeOf) {
    this.application = application;
    this.architecture = architecture;
    this.placeOf = placeOf;
    this.rankAt = new int[architecture.places()];
    Arrays.fill(rankAt, NONE);
    for (int rank = 0; rank < placeOf.length; rank++) {
      rankAt[placeOf[rank]] = rank;
    }
  }

  /**
   * Maps ranks to places.
   *
   * @param seed the seed of the random placement at the start
   * @param passes the greatest number of passes over all pairs
   * @return the place of each rank
   */
  static int[] map(
      ApplicationMatrix application, ArchitectureMatrix architecture, long seed, int passes) {
    int[] places = new int[architecture.places()];
    Arrays.setAll(places, i -> i);
    Random random = new Random(seed);
    for (int i = places.length - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      int swap = places[i];
      places[i] = places[other];
      places[other] = swap;
    }
    return improve(application, architecture, Arrays.copyOf(places, application.ranks()), passes);
  }

  /** Improves a placement. */
  static int[] improve(
      ApplicationMatrix application, ArchitectureMatrix architecture, int[] start, int passes) {
    Mpipp search = new Mpipp(application, architecture, start.clone());
    for (int pass = 0; pass < passes; pass++) {
      if (!search.pass()) {
        break;
      }
    }
    return search.placeOf;
  }

  /** Returns the objective to minimise: the sum of amounts times costs over all pairs of ranks. */
  static double objective(
      ApplicationMatrix application, ArchitectureMatrix architecture, int[] placeOf) {
    double sum = 0;
    for (int rank = 0; rank < placeOf.length; rank++) {
      for (int i = 0; i < application.partners(rank).length; i++) {
        int partner = application.partners(rank)[i];
        if (partner < rank) {
          sum += application.amounts(rank)[i] * architecture.cost(placeOf[rank], placeOf[partner]);
        }
      }
    }
    return sum;
  }

  private boolean pass() {
    boolean improved = false;
    for (int a = 0; a < rankAt.length; a++) {
      for (int b = 0; b < a; b++) {
        if (rankAt[a] != rankAt[b] && gain(a, b) > 1e-9) {
          swap(a, b);
          improved = true;
        }
      }
    }
    return improved;
  }

  /** Returns the decrease in cost if the contents of two places are swapped. */
  double gain(int a, int b) {
    return moved(rankAt[a], a, b) + moved(rankAt[b], b, a);
  }

  /** Returns one rank's part of the gain; all its partners but the one it swaps with stay. */
  private double moved(int rank, int from, int to) {
    if (rank == NONE) {
      return 0;
    }
    double gain = 0;
    int[] partners = application.partners(rank);
    long[] amounts = application.amounts(rank);
    for (int i = 0; i < partners.length; i++) {
      int at = placeOf[partners[i]];
      if (at != to) {
        gain += amounts[i] * (architecture.cost(from, at) - architecture.cost(to, at));
      }
    }
    return gain;
  }

  private void swap(int a, int b) {
    int rank = rankAt[a];
    rankAt[a] = rankAt[b];
    rankAt[b] = rank;
    if (rankAt[a] != NONE) {
      placeOf[rankAt[a]] = a;
    }
    if (rankAt[b] != NONE) {
      placeOf[rankAt[b]] = b;
    }
  }
}
