package org.hyperslab.mpiio.plan;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The nodes on which ranks run, and the grid that they form; the same value on every rank.
 *
 * @param nodes for each rank the lowest rank on its node
 * @param cores how many processors a rank of the node sees, for each rank
 * @param processes the process ids of ranks that reach each other's memory though they are
 *     processes of their own; empty if that is not so
 * @param hosts for each rank the {@link #host} of its node; empty if names are not known
 * @param oneProcess whether all ranks are threads of one process
 * @param grid the lengths of the grid of ranks, numbered row by row; empty if they form none
 */
public record Topology(
    List<Integer> nodes,
    List<Integer> cores,
    List<Integer> processes,
    List<Long> hosts,
    boolean oneProcess,
    List<Integer> grid) {

  /**
   * The value where the names of nodes are not known.
   *
   * @param nodes for each rank the lowest rank on its node
   * @param cores the number of processors that each rank sees
   * @param processes the process ids of ranks that reach each other
   */
  public Topology(List<Integer> nodes, List<Integer> cores, List<Integer> processes) {
    this(nodes, cores, processes, List.of());
  }

  /** The value of ranks that are processes. */
  Topology(List<Integer> nodes, List<Integer> cores, List<Integer> processes, List<Long> hosts) {
    this(nodes, cores, processes, hosts, false, List.of());
  }

  /** Returns this topology with another grid. */
  Topology arranged(List<Integer> dimensions) {
    return new Topology(nodes, cores, processes, hosts, oneProcess, dimensions);
  }

  /**
   * {@return the hash that stands for a host's name in exchanges of numbers: FNV-1a of the name in
   * lower case}
   *
   * @param name the path of the file
   */
  public static long host(String name) {
    long hash = 0xcbf2_9ce4_8422_2325L;
    for (byte b : name.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (b & 0xff)) * 0x100_0000_01b3L;
    }
    return hash;
  }

  /** {@return the name of this machine; {@code localhost} if it has none} */
  public static String hostName() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/hostname")).trim();
    } catch (IOException elsewhere) {
      String name = System.getenv("HOSTNAME");
      return name == null ? "localhost" : name;
    }
  }

  /**
   * Creates a topology of one node with {@code cores} cores that runs all ranks.
   *
   * @param ranks the number of ranks
   * @param cores the number of processors that each rank sees
   * @return the topology, the same on every rank
   */
  public static Topology oneNode(int ranks, int cores) {
    Integer[] zeros = new Integer[ranks];
    Arrays.fill(zeros, 0);
    Integer[] all = new Integer[ranks];
    Arrays.fill(all, cores);
    return new Topology(List.of(zeros), List.of(all), List.of());
  }

  /** {@return the ranks on each node, nodes by their lowest rank} */
  public List<List<Integer>> ranksOfNodes() {
    Map<Integer, List<Integer>> all = new TreeMap<>();
    for (int rank = 0; rank < nodes.size(); rank++) {
      all.computeIfAbsent(nodes.get(rank), leader -> new ArrayList<>()).add(rank);
    }
    return List.copyOf(all.values());
  }

  /**
   * Returns the cores that the ranks of a node use together. A rank that sees one core is bound to
   * it, so each has its own.
   */
  int coresOf(List<Integer> ranks) {
    int seen = ranks.stream().mapToInt(cores::get).max().orElse(1);
    return seen == 1 ? ranks.size() : Math.min(seen, ranks.size());
  }
}
