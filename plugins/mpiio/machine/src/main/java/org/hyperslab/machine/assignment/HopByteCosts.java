package org.hyperslab.machine.assignment;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntToDoubleFunction;
import org.hyperslab.machine.RankMap;

/**
 * The hop-bytes of each domain at each candidate: rows of the transposed product D C. The bytes of
 * ranks of one node are added up first, because they travel the same distance.
 */
final class HopByteCosts implements CostRows {

  private final DomainTraffic traffic;
  private final RankMap ranks;
  private final int[] candidates;

  HopByteCosts(DomainTraffic traffic, RankMap ranks, int[] candidates) {
    this.traffic = traffic;
    this.ranks = ranks;
    this.candidates = candidates;
  }

  @Override
  public int rows() {
    return traffic.domains();
  }

  @Override
  public int columns() {
    return candidates.length;
  }

  @Override
  public int row(int domain, int[] columns, double[] costs) {
    Map<Integer, Long> byNode = byNode(domain);
    int[] nodes = byNode.keySet().stream().mapToInt(Integer::intValue).toArray();
    long[] bytes = byNode.values().stream().mapToLong(Long::longValue).toArray();
    IntToDoubleFunction hopBytes = ranks.machine().network().hopBytes(nodes, bytes);
    int within = ranks.machine().node().hops();
    int lastNode = -1;
    double outside = 0;
    for (int i = 0; i < candidates.length; i++) {
      int node = ranks.node(candidates[i]);
      if (node != lastNode) {
        outside = hopBytes.applyAsDouble(node);
        lastNode = node;
      }
      int here = Arrays.binarySearch(nodes, node);
      long inside = here < 0 ? 0 : bytes[here] - traffic.bytes(candidates[i], domain);
      columns[i] = i;
      costs[i] = outside + (double) inside * within;
    }
    return candidates.length;
  }

  private Map<Integer, Long> byNode(int domain) {
    Map<Integer, Long> sums = new TreeMap<>();
    int[] from = traffic.contributors(domain);
    for (int i = 0; i < from.length; i++) {
      sums.merge(ranks.node(from[i]), traffic.bytes(domain)[i], Math::addExact);
    }
    return sums;
  }
}
