package org.hyperslab.mpiio.collective;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.mpiio.hint.Hints;

/**
 * Chooses the aggregators: the ranks that access the file for all others, and the group that each
 * of them serves where ranks are grouped.
 *
 * <p>The rules: {@code cb_nodes} fixes the number; {@code hyperslab_aggregators} names {@code node}
 * (one a node, ROMIO's default), {@code core} (one a core of each node), {@code cartesian:AxBxC}
 * (the first extent of the process grid, as OMPIO does), or {@code ompio} (three steps, below).
 * Left to the library: on a file system of this machine, where the work is copying, one a core, for
 * more than that take turns on the cores and push each other's windows out of the caches; and one a
 * node elsewhere.
 *
 * <p>OMPIO's three steps, after Chaarawi and Gabriel, Automatically Selecting the Number of
 * Aggregators for Collective I/O Operations (2011): the bytes k at which one writer saturates the
 * file system are known; ranks whose ranges of the file interleave make a group; groups with less
 * than k bytes are merged with the next, groups with more than they need are split.
 *
 * @param ranks the aggregators, ascending
 * @param groups for each rank the index of its aggregator
 * @param reason why these
 */
record Aggregators(List<Integer> ranks, List<Integer> groups, String reason) {

  /** A group is split when it has more than this many times k. */
  private static final long UPPER = 8;

  int[] toArray() {
    return ranks.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Chooses by the hints. */
  static Aggregators choose(
      Hints hints, FileSystemTraits fs, Topology topology, AccessSummary[] summaries) {
    int size = summaries.length;
    int fixed = hints.buffering().nodes();
    if (fixed > 0) {
      return spread(Math.min(fixed, size), topology, "cb_nodes=" + fixed);
    }
    String rule = hints.choice().aggregators();
    if (rule.startsWith("cartesian:")) {
      int first = firstExtent(rule, size);
      return spread(first, topology, "the first extent of the process grid");
    }
    return switch (rule) {
      case "node" -> perNode(topology, false, "one a node, as hinted");
      case "core" -> perNode(topology, true, "one a core, as hinted");
      case "ompio" -> bySaturation(fs.saturationBytes(), summaries);
      case "auto" ->
          fs.costs().requestNanos() < 50_000
              ? perNode(topology, true, "one a core: requests are cheap, the work is copying")
              : perNode(topology, false, "one a node: requests are dear");
      default ->
          throw new InvalidUseException(
              "hint: actual=hyperslab_aggregators="
                  + rule
                  + ", expected=auto, node, core, ompio or cartesian:AxBxC");
    };
  }

  private static int firstExtent(String rule, int size) {
    String[] dims = rule.substring(rule.indexOf(':') + 1).split("x", -1);
    long product = 1;
    for (String dim : dims) {
      product *= dim.matches("\\d{1,9}") ? Long.parseLong(dim) : 0;
    }
    if (product != size) {
      throw new InvalidUseException(
          "hint: actual=hyperslab_aggregators="
              + rule
              + ", expected=a grid of "
              + size
              + " ranks such as "
              + size
              + "x1");
    }
    return Integer.parseInt(dims[0]);
  }

  private static Aggregators perNode(Topology topology, boolean byCore, String reason) {
    List<Integer> chosen = new ArrayList<>();
    for (List<Integer> members : topology.ranksOfNodes()) {
      int count = byCore ? topology.coresOf(members) : 1;
      for (int i = 0; i < count; i++) {
        chosen.add(members.get((int) ((long) i * members.size() / count)));
      }
    }
    return of(chosen, topology.nodes().size(), reason);
  }

  /** Chooses this many aggregators, taken from the nodes in turn. */
  private static Aggregators spread(int count, Topology topology, String reason) {
    List<List<Integer>> nodes = topology.ranksOfNodes();
    int[] shares = new int[nodes.size()];
    for (int left = count, node = 0; left > 0; node = (node + 1) % shares.length) {
      if (shares[node] < nodes.get(node).size()) {
        shares[node]++;
        left--;
      }
    }
    List<Integer> chosen = new ArrayList<>();
    for (int node = 0; node < shares.length; node++) {
      List<Integer> members = nodes.get(node);
      for (int i = 0; i < shares[node]; i++) {
        chosen.add(members.get((int) ((long) i * members.size() / shares[node])));
      }
    }
    return of(chosen, topology.nodes().size(), reason);
  }

  /** Aggregators with groups of neighbouring ranks, of nearly equal size. */
  private static Aggregators of(List<Integer> chosen, int size, String reason) {
    List<Integer> ranks = chosen.stream().sorted().toList();
    Integer[] groups = new Integer[size];
    for (int rank = 0; rank < size; rank++) {
      groups[rank] = (int) ((long) rank * ranks.size() / size);
    }
    return new Aggregators(ranks, List.of(groups), reason);
  }

  private static Aggregators bySaturation(long saturationBytes, AccessSummary[] summaries) {
    List<List<Integer>> refined = new ArrayList<>();
    List<Integer> pending = new ArrayList<>();
    for (List<Integer> group : interleaved(summaries)) {
      pending.addAll(group);
      if (bytes(pending, summaries) >= saturationBytes) {
        refined.addAll(split(pending, summaries, saturationBytes));
        pending = new ArrayList<>();
      }
    }
    if (!pending.isEmpty()) {
      if (refined.isEmpty()) {
        refined.add(pending);
      } else {
        List<Integer> last = new ArrayList<>(refined.removeLast());
        last.addAll(pending);
        refined.add(last);
      }
    }
    Integer[] groups = new Integer[summaries.length];
    List<Integer> ranks = new ArrayList<>();
    for (int i = 0; i < refined.size(); i++) {
      ranks.add(refined.get(i).getFirst());
      for (int rank : refined.get(i)) {
        groups[rank] = i;
      }
    }
    return new Aggregators(
        ranks, Arrays.asList(groups), "groups of at least k=" + saturationBytes + " bytes");
  }

  /** Neighbouring ranks whose ranges of the file interleave; ranks without bytes join in. */
  private static List<List<Integer>> interleaved(AccessSummary[] summaries) {
    List<List<Integer>> groups = new ArrayList<>();
    long end = Long.MIN_VALUE;
    long first = Long.MAX_VALUE;
    for (int rank = 0; rank < summaries.length; rank++) {
      AccessSummary summary = summaries[rank];
      boolean joins =
          !groups.isEmpty()
              && (summary.isEmpty() || (summary.first() < end && first < summary.endExclusive()));
      if (!joins) {
        groups.add(new ArrayList<>());
        end = Long.MIN_VALUE;
        first = Long.MAX_VALUE;
      }
      groups.getLast().add(rank);
      if (!summary.isEmpty()) {
        end = Math.max(end, summary.endExclusive());
        first = Math.min(first, summary.first());
      }
    }
    return groups;
  }

  private static long bytes(List<Integer> group, AccessSummary[] summaries) {
    return group.stream().mapToLong(rank -> summaries[rank].bytes()).sum();
  }

  private static List<List<Integer>> split(
      List<Integer> group, AccessSummary[] summaries, long saturationBytes) {
    long bytes = bytes(group, summaries);
    int parts = 1;
    if (bytes / UPPER > saturationBytes) {
      parts = (int) Math.min(group.size(), bytes / (UPPER * saturationBytes) + 1);
    }
    List<List<Integer>> all = new ArrayList<>();
    for (int i = 0; i < parts; i++) {
      int from = i * group.size() / parts;
      all.add(List.copyOf(group.subList(from, (i + 1) * group.size() / parts)));
    }
    return all;
  }
}
