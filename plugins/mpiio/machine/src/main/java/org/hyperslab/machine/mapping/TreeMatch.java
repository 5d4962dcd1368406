package org.hyperslab.machine.mapping;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * TreeMatch's grouping, after Jeannot, Mercier: Near-Optimal Placement of MPI Processes on
 * Hierarchical NUMA Architectures (2010). Level by level of the hardware, from the processors
 * upwards, it groups ranks or smaller groups, as many as a part has places, so that little is
 * exchanged between groups. Groups are formed greedily: the member with the most communication
 * starts a group, and the one that communicates most with the group joins next.
 */
final class TreeMatch {

  private static final int EMPTY = -1;

  private TreeMatch() {}

  /**
   * Orders ranks such that ranks which communicate much are neighbours.
   *
   * @param matrix the amounts that ranks exchange
   * @param arities the arities of the levels of the hardware, from the processors upwards
   * @return the ranks, group by group; -1 for a place that stays empty
   */
  static int[] order(ApplicationMatrix matrix, List<Integer> arities) {
    List<int[]> groups = new ArrayList<>();
    for (int rank = 0; rank < matrix.ranks(); rank++) {
      groups.add(new int[] {rank});
    }
    List<Map<Integer, Long>> edges = edges(matrix);
    for (int arity : arities) {
      if (groups.size() > 1 && arity > 1) {
        List<List<Integer>> joined = group(edges, arity);
        edges = joinedEdges(edges, joined);
        groups = joinedGroups(groups, joined, arity);
      }
    }
    return groups.stream().flatMapToInt(Arrays::stream).toArray();
  }

  private static List<Map<Integer, Long>> edges(ApplicationMatrix matrix) {
    List<Map<Integer, Long>> edges = new ArrayList<>();
    for (int rank = 0; rank < matrix.ranks(); rank++) {
      Map<Integer, Long> row = new TreeMap<>();
      for (int i = 0; i < matrix.partners(rank).length; i++) {
        row.put(matrix.partners(rank)[i], matrix.amounts(rank)[i]);
      }
      edges.add(row);
    }
    return edges;
  }

  private static List<List<Integer>> group(List<Map<Integer, Long>> edges, int arity) {
    List<List<Integer>> groups = new ArrayList<>();
    boolean[] taken = new boolean[edges.size()];
    Integer[] byWeight = new Integer[edges.size()];
    long[] weights = new long[edges.size()];
    for (int i = 0; i < byWeight.length; i++) {
      byWeight[i] = i;
      weights[i] = edges.get(i).values().stream().mapToLong(Long::longValue).sum();
    }
    Arrays.sort(byWeight, (a, b) -> Long.compare(weights[b], weights[a]));
    for (int seed : byWeight) {
      if (!taken[seed]) {
        groups.add(grown(seed, edges, arity, taken));
      }
    }
    return packed(groups, arity);
  }

  private static List<Integer> grown(
      int seed, List<Map<Integer, Long>> edges, int arity, boolean[] taken) {
    List<Integer> group = new ArrayList<>();
    Map<Integer, Long> affinity = new TreeMap<>();
    for (int next = seed; next >= 0 && group.size() < arity; next = nearest(affinity)) {
      taken[next] = true;
      group.add(next);
      affinity.remove(next);
      edges
          .get(next)
          .forEach((other, amount) -> {
            if (!taken[other]) {
              affinity.merge(other, amount, Long::sum);
            }
          });
    }
    return group;
  }

  private static int nearest(Map<Integer, Long> affinity) {
    int best = -1;
    long most = 0;
    for (Map.Entry<Integer, Long> entry : affinity.entrySet()) {
      if (entry.getValue() > most) {
        most = entry.getValue();
        best = entry.getKey();
      }
    }
    return best;
  }

  /** Combines small groups, first fit by size, so that few places stay empty. */
  private static List<List<Integer>> packed(List<List<Integer>> groups, int arity) {
    List<List<Integer>> full = new ArrayList<>();
    List<List<Integer>> bySize = new ArrayList<>(groups);
    bySize.sort((a, b) -> Integer.compare(b.size(), a.size()));
    Map<Integer, List<List<Integer>>> byRoom = new HashMap<>();
    for (List<Integer> group : bySize) {
      List<Integer> host = null;
      for (int room = group.size(); host == null && room < arity; room++) {
        List<List<Integer>> fitting = byRoom.getOrDefault(room, List.of());
        host = fitting.isEmpty() ? null : fitting.removeFirst();
      }
      if (host == null) {
        host = new ArrayList<>();
        full.add(host);
      }
      host.addAll(group);
      byRoom.computeIfAbsent(arity - host.size(), key -> new ArrayList<>()).add(host);
    }
    return full;
  }

  private static List<Map<Integer, Long>> joinedEdges(
      List<Map<Integer, Long>> edges, List<List<Integer>> joined) {
    int[] groupOf = new int[edges.size()];
    for (int i = 0; i < joined.size(); i++) {
      for (int member : joined.get(i)) {
        groupOf[member] = i;
      }
    }
    List<Map<Integer, Long>> next = new ArrayList<>();
    joined.forEach(group -> next.add(new TreeMap<>()));
    for (int member = 0; member < groupOf.length; member++) {
      int group = groupOf[member];
      edges
          .get(member)
          .forEach((other, amount) -> {
            if (groupOf[other] != group) {
              next.get(group).merge(groupOf[other], amount, Math::addExact);
            }
          });
    }
    return next;
  }

  /**
   * Joins groups, and pads those that are not full with empty places, so that they align with
   * parts.
   */
  private static List<int[]> joinedGroups(
      List<int[]> groups, List<List<Integer>> joined, int arity) {
    int each = groups.getFirst().length;
    List<int[]> next = new ArrayList<>();
    for (List<Integer> group : joined) {
      int[] all = new int[each * arity];
      Arrays.fill(all, EMPTY);
      for (int i = 0; i < group.size(); i++) {
        System.arraycopy(groups.get(group.get(i)), 0, all, i * each, each);
      }
      next.add(all);
    }
    return next;
  }
}
