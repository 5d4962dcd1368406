package org.hyperslab.mpiio.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.store.FileSystemTraits;

/**
 * Chooses the aggregators, which access the file for all other ranks, and the group that each of
 * them serves if ranks are grouped.
 *
 * <p>The rules: {@code cb_config_list} names nodes ({@link AggregatorSites}); {@code cb_nodes}
 * fixes the number; {@code hyperslab_aggregators} names {@code node} (one a node, ROMIO's default),
 * {@code core} (one a core of each node), {@code cartesian:AxBxC} (the rows of a process grid,
 * refined), or {@code ompio} (three steps, below, with the rows of the grid that the communicator
 * has, if it was made with {@link org.hyperslab.mpiio.comm.Communicator#arranged}). By default
 * there is one for each core on a file system of this machine, where the work is copying: more than
 * that would compete for the cores and evict each other's windows from the caches. On other file
 * systems there is one for each node, and with domains of HPF BLOCK every rank aggregates.
 *
 * <p>OMPIO's three steps, after Chaarawi and Gabriel, Automatically Selecting the Number of
 * Aggregators for Collective I/O Operations (2011): the bytes k at which one writer saturates the
 * file system are known; ranks whose ranges of the file interleave make a group, or those of a row
 * of the process grid; groups with more than k bytes are split, and smaller groups are merged with
 * the next while their sum is at most k.
 *
 * <p>The ranks of a group are neighbours in the file, whatever their numbers. The aggregator of a
 * group is one of its members, on a node with few other aggregators.
 *
 * @param ranks the aggregators if each has a part of the file, in the order of the parts
 * @param leaders the aggregators if each has a group of ranks, in the order of the groups
 * @param groups the index of each rank's group
 * @param reason the reason for the choice
 */
public record Aggregators(
    List<Integer> ranks, List<Integer> leaders, List<Integer> groups, String reason) {

  /** {@return the ranks that access the file} */
  public int[] toArray() {
    return ranks.stream().mapToInt(Integer::intValue).toArray();
  }

  /** {@return the rank that accesses the file for each group} */
  public int[] leadersArray() {
    return leaders.stream().mapToInt(Integer::intValue).toArray();
  }

  /**
   * Chooses the aggregators according to the hints.
   *
   * @param hints the hints
   * @param fs the file system
   * @param topology the nodes of the ranks
   * @param summaries the summary of every rank
   * @return the aggregators, the same on every rank
   */
  public static Aggregators choose(
      Hints hints, FileSystemTraits fs, Topology topology, AccessSummary[] summaries) {
    int size = summaries.length;
    FileGroups groups = new FileGroups(topology, summaries);
    int fixed = hints.buffering().nodes();
    String sites = hints.others().get(Hints.CB_CONFIG_LIST);
    if (sites != null) {
      List<Integer> allowed = AggregatorSites.ranks(sites, topology);
      int count = fixed > 0 ? Math.min(fixed, allowed.size()) : allowed.size();
      return groups.around(
          allowed.subList(0, count), Hints.CB_CONFIG_LIST + "=" + sites + ", at most " + count);
    }
    if (fixed > 0) {
      return groups.around(spread(Math.min(fixed, size), topology), "cb_nodes=" + fixed);
    }
    String rule = hints.choice().aggregators();
    long k = fs.saturationBytes();
    if (rule.startsWith("cartesian:")) {
      return ofRows(groups, firstExtent(rule, size), k);
    }
    return switch (rule) {
      case "node" -> groups.around(perNode(topology, false), "one a node, as hinted");
      case "core" -> groups.around(perNode(topology, true), "one a core, as hinted");
      case "ompio" ->
          topology.grid().isEmpty()
              ? groups.refined(groups.interleaved(), k, "groups refined by k=" + k + " bytes")
              : ofRows(groups, topology.grid().getFirst(), k);
      case "auto" -> automatic(hints, fs, topology, groups);
      default ->
          throw new InvalidUseException(
              "hint: actual=hyperslab_aggregators="
                  + rule
                  + ", expected=auto, node, core, ompio or cartesian:AxBxC");
    };
  }

  private static Aggregators ofRows(FileGroups groups, int rows, long k) {
    return groups.refined(groups.rows(rows), k, "rows of the process grid refined by k=" + k);
  }

  private static Aggregators automatic(
      Hints hints, FileSystemTraits fs, Topology topology, FileGroups groups) {
    if (hints.choice().domains().equals("block")) {
      List<Integer> all = IntStream.range(0, topology.nodes().size()).boxed().toList();
      return groups.around(all, "every rank: HPF BLOCK over all");
    }
    return fs.costs().requestNanos() < 50_000
        ? groups.around(
            perNode(topology, true), "one a core: requests are cheap, the work is copying")
        : groups.around(perNode(topology, false), "one a node: requests are dear");
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

  private static List<Integer> perNode(Topology topology, boolean byCore) {
    List<Integer> chosen = new ArrayList<>();
    for (List<Integer> members : topology.ranksOfNodes()) {
      int count = byCore ? topology.coresOf(members) : 1;
      for (int i = 0; i < count; i++) {
        chosen.add(members.get((int) ((long) i * members.size() / count)));
      }
    }
    return chosen.stream().sorted().toList();
  }

  /** Chooses {@code count} aggregators from the nodes in turn. */
  private static List<Integer> spread(int count, Topology topology) {
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
    return chosen.stream().sorted().toList();
  }
}
