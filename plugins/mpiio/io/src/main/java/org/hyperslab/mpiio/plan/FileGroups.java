package org.hyperslab.mpiio.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Groups of ranks that are neighbours in the file. Ranks without bytes belong to the first group,
 * where they have no cost.
 */
final class FileGroups {

  private final Topology topology;
  private final AccessSummary[] summaries;

  /** The ranks that have bytes, by their first. */
  private final List<Integer> order;

  FileGroups(Topology topology, AccessSummary[] summaries) {
    this.topology = topology;
    this.summaries = summaries;
    this.order = new ArrayList<>(summaries.length);
    boolean sorted = true;
    long last = 0;
    for (int rank = 0; rank < summaries.length; rank++) {
      if (!summaries[rank].isEmpty()) {
        sorted &= summaries[rank].first() >= last;
        last = summaries[rank].first();
        order.add(rank);
      }
    }
    if (!sorted) {
      order.sort(Comparator.comparingLong(rank -> summaries[rank].first()));
    }
  }

  /** Returns as many groups as aggregators, if there are ranks for them, of nearly equal size. */
  Aggregators around(List<Integer> ranks, String reason) {
    int count = Math.min(ranks.size(), order.size());
    List<List<Integer>> groups = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      groups.add(part(order, i, count));
    }
    return of(ranks, groups, reason);
  }

  /**
   * Returns the groups refined by k, with an aggregator for each, which also have the parts of the
   * file.
   */
  Aggregators refined(List<List<Integer>> initial, long k, String reason) {
    return of(null, refined(initial, k), reason);
  }

  private static List<Integer> part(List<Integer> group, int part, int parts) {
    int from = (int) ((long) part * group.size() / parts);
    int to = (int) ((part + 1L) * group.size() / parts);
    return group.subList(from, to);
  }

  private Aggregators of(List<Integer> ranks, List<List<Integer>> groups, String reason) {
    Integer[] indices = new Integer[summaries.length];
    Arrays.fill(indices, 0);
    List<Integer> leaders = new ArrayList<>();
    Set<Integer> preferred = ranks == null ? Set.of() : new HashSet<>(ranks);
    Map<Integer, Integer> perNode = new HashMap<>();
    for (int i = 0; i < groups.size(); i++) {
      for (int rank : groups.get(i)) {
        indices[rank] = i;
      }
      int leader = leader(groups.get(i), preferred, perNode);
      perNode.merge(topology.nodes().get(leader), 1, Integer::sum);
      leaders.add(leader);
    }
    if (leaders.isEmpty()) {
      leaders.add(0);
    }
    return new Aggregators(
        ranks == null ? leaders : ranks,
        leaders,
        Collections.unmodifiableList(Arrays.asList(indices)),
        reason);
  }

  /** Returns the member on the node with the fewest aggregators, a preferred one if possible. */
  private int leader(List<Integer> group, Set<Integer> preferred, Map<Integer, Integer> perNode) {
    int best = group.getFirst();
    long least = Long.MAX_VALUE;
    for (int rank : group) {
      long others = perNode.getOrDefault(topology.nodes().get(rank), 0);
      long weight = 2 * others + (preferred.contains(rank) ? 0 : 1);
      if (weight < least) {
        least = weight;
        best = rank;
      }
    }
    return best;
  }

  /** Returns the rows of a process grid, ranks row by row; each in the order of the file. */
  List<List<Integer>> rows(int rows) {
    List<List<Integer>> groups = new ArrayList<>();
    for (int row = 0; row < rows; row++) {
      groups.add(new ArrayList<>());
    }
    int length = summaries.length / rows;
    order.forEach(rank -> groups.get(rank / length).add(rank));
    groups.removeIf(List::isEmpty);
    return groups;
  }

  /** Returns groups of neighbours whose ranges of the file interleave. */
  List<List<Integer>> interleaved() {
    List<List<Integer>> groups = new ArrayList<>();
    long end = 0;
    for (int rank : order) {
      if (groups.isEmpty() || summaries[rank].first() >= end) {
        groups.add(new ArrayList<>());
      }
      groups.getLast().add(rank);
      end = Math.max(end, summaries[rank].endExclusive());
    }
    return groups;
  }

  private long bytes(List<Integer> group) {
    return group.stream().mapToLong(rank -> summaries[rank].bytes()).sum();
  }

  /** Splits groups above k, and merges neighbours whose sum is at most k. */
  private List<List<Integer>> refined(List<List<Integer>> initial, long k) {
    List<List<Integer>> all = new ArrayList<>();
    long pending = 0;
    for (List<Integer> group : initial) {
      long bytes = bytes(group);
      if (pending > 0 && pending + bytes <= k) {
        all.getLast().addAll(group);
        pending += bytes;
      } else if (bytes <= k) {
        all.add(new ArrayList<>(group));
        pending = bytes;
      } else {
        int parts = (int) Math.min(group.size(), Math.ceilDiv(bytes, k));
        for (int i = 0; i < parts; i++) {
          all.add(part(group, i, parts));
        }
        pending = 0;
      }
    }
    return all;
  }
}
