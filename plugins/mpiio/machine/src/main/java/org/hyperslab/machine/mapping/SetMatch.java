package org.hyperslab.machine.mapping;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;
import org.hyperslab.error.InvalidUseException;

/**
 * SetMatch, after Venkatesan (2013), section 3.1: ranks that communicate much form sets, processors
 * that are near each other form sets, and sets are matched by size. Amounts below the thresholds
 * are ignored.
 */
final class SetMatch {

  /** The threshold for recorded matrices, as a fraction of the greatest entry. */
  private static final double NEARLY = 0.9;

  private SetMatch() {}

  /**
   * Maps ranks to places.
   *
   * @param application the amounts that ranks exchange
   * @param architecture the places, at least as many as ranks
   * @param merge whether sets that share a member are merged, which recorded matrices need
   * @return the place of each rank
   */
  static int[] map(ApplicationMatrix application, ArchitectureMatrix architecture, boolean merge) {
    List<int[]> ranks = rankSets(application, Math.max(1, NEARLY * application.greatest()), merge);
    List<int[]> places = placeSets(architecture);
    return match(ranks, places, application.ranks());
  }

  /**
   * Returns sets of ranks. Each rank is in one set, alone if it communicates too little with
   * others.
   */
  static List<int[]> rankSets(ApplicationMatrix matrix, double threshold, boolean merge) {
    List<int[]> sets = new ArrayList<>();
    BitSet assigned = new BitSet();
    for (int rank = 0; rank < matrix.ranks(); rank++) {
      if (assigned.get(rank)) {
        continue;
      }
      IntStream.Builder set = IntStream.builder();
      Deque<Integer> open = new ArrayDeque<>();
      open.add(rank);
      assigned.set(rank);
      while (!open.isEmpty()) {
        int member = open.remove();
        set.add(member);
        for (int i = 0; i < matrix.partners(member).length; i++) {
          int partner = matrix.partners(member)[i];
          if (matrix.amounts(member)[i] >= threshold && !assigned.get(partner)) {
            assigned.set(partner);
            if (merge) {
              open.add(partner); // its own frequent partners belong to the set as well
            } else {
              set.add(partner);
            }
          }
        }
      }
      sets.add(set.build().sorted().toArray());
    }
    return sets;
  }

  /** Returns sets of places that are no farther from each other than places on one node. */
  private static List<int[]> placeSets(ArchitectureMatrix matrix) {
    List<int[]> sets = new ArrayList<>();
    BitSet assigned = new BitSet();
    for (int place = 0; place < matrix.places(); place++) {
      if (!assigned.get(place)) {
        int first = place;
        int[] set =
            IntStream.range(place, matrix.places())
                .filter(other -> !assigned.get(other))
                .filter(other -> other == first || matrix.cost(first, other) <= matrix.withinNode())
                .filter(other -> node(matrix, other) == node(matrix, first))
                .toArray();
        Arrays.stream(set).forEach(assigned::set);
        sets.add(set);
      }
    }
    return sets;
  }

  private static int node(ArchitectureMatrix matrix, int place) {
    return matrix.machine().nodeOf(matrix.processor(place));
  }

  private static int[] match(List<int[]> rankSets, List<int[]> placeSets, int ranks) {
    int[] placeOf = new int[ranks];
    Comparator<int[]> largest = Comparator.comparingInt(set -> -set.length);
    List<int[]> open = new ArrayList<>(rankSets);
    List<int[]> free = new ArrayList<>(placeSets);
    while (!open.isEmpty()) {
      open.sort(largest);
      free.sort(largest);
      if (free.isEmpty() || free.getFirst().length == 0) {
        throw new InvalidUseException(
            "placement: actual=" + ranks + " ranks, expected=at most as many as processors");
      }
      int[] set = open.removeFirst();
      int[] places = free.removeFirst();
      int count = Math.min(set.length, places.length);
      for (int i = 0; i < count; i++) {
        placeOf[set[i]] = places[i];
      }
      if (count < set.length) {
        open.add(Arrays.copyOfRange(set, count, set.length));
      }
      if (count < places.length) {
        free.add(Arrays.copyOfRange(places, count, places.length));
      }
    }
    return placeOf;
  }
}
