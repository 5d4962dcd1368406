package org.hyperslab.simulation.network;

import java.util.List;
import org.hyperslab.machine.Level;
import org.hyperslab.machine.Machine;
import org.hyperslab.machine.RankMap;

/**
 * What the time of a message between two ranks depends on, looked up without allocation: their
 * nodes, the latency of the way, and its bandwidth for one message.
 *
 * <p>Thread rule: one thread.
 */
final class Wires {

  private final Machine machine;
  private final int[] nodes;
  private final int[] processors;
  private final double[] latencies;
  private final double[] bandwidths;
  private final int insideLevels;

  Wires(RankMap ranks) {
    machine = ranks.machine();
    processors = ranks.toArray();
    nodes = new int[processors.length];
    for (int rank = 0; rank < nodes.length; rank++) {
      nodes[rank] = ranks.node(rank);
    }
    List<Level> levels = machine.levels();
    insideLevels = machine.node().parts().size();
    latencies = new double[levels.size()];
    bandwidths = new double[levels.size()];
    for (int i = 0; i < latencies.length; i++) {
      latencies[i] = levels.get(i).latencyNanos();
      double own = levels.get(i).bytesPerSecond() / 1e9;
      bandwidths[i] = i > insideLevels ? Math.min(own, bandwidths[i - 1]) : own;
    }
  }

  int node(int rank) {
    return nodes[rank];
  }

  boolean isSameProcessor(int from, int to) {
    return processors[from] == processors[to];
  }

  Machine machine() {
    return machine;
  }

  /** Returns the index of the level that connects two ranks, as {@link Machine#level} does. */
  int level(int from, int to) {
    return machine.level(processors[from], processors[to]);
  }

  /** Returns the time of an empty message on its way, in nanoseconds. */
  double latency(int from, int to, int level) {
    int hops =
        level < insideLevels
            ? machine.node().hops()
            : machine.network().hops(nodes[from], nodes[to]);
    return latencies[level] * Math.max(1, hops);
  }

  /** Returns the bandwidth of a message that is alone, in bytes per nanosecond. */
  double bandwidth(int level) {
    return bandwidths[level];
  }
}
