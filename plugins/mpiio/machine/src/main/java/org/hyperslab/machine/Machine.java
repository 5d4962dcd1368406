package org.hyperslab.machine;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.hyperslab.error.InvalidUseException;

/**
 * A machine: nodes that a network connects, the processors in each node, I/O nodes, and storage
 * servers. Processors are numbered from 0, node by node: processor {@code p} is on node {@code p /
 * processorsPerNode()}.
 *
 * <p>Levels number the kinds of connections from the nearest to the farthest: first those inside a
 * node, then those of the network. Bandwidths are in bytes per second, times in nanoseconds.
 *
 * <p>Thread rule: immutable.
 *
 * @param name the name, for display
 * @param network the network between the nodes
 * @param node the shape of each node
 * @param messages the costs of a message besides latency and bytes
 * @param ioNodes the I/O nodes; empty if their positions are not known
 * @param storage the servers of a file
 */
public record Machine(
    String name,
    Network network,
    NodeShape node,
    MessageCosts messages,
    List<IoNode> ioNodes,
    StorageServers storage) {

  private static final int MAX_PROCESSORS = 1 << 26;

  /**
   * Creates a machine whose messages cost latency and bytes only.
   *
   * @param name the name, for display
   * @param network the network between the nodes
   * @param node the shape of each node
   * @param ioNodes the I/O nodes; empty if their positions are not known
   * @param storage the servers of a file
   */
  public Machine(
      String name, Network network, NodeShape node, List<IoNode> ioNodes, StorageServers storage) {
    this(name, network, node, MessageCosts.NONE, ioNodes, storage);
  }

  /**
   * Checks that the parts fit together.
   *
   * @throws InvalidUseException if there are too many processors, or an I/O node names a node that
   *     does not exist
   */
  public Machine {
    ioNodes = List.copyOf(ioNodes);
    CheckedCounts.product("machine", MAX_PROCESSORS, network.nodes(), node.processors());
    for (IoNode io : ioNodes) {
      int last = io.bridges().stream().mapToInt(Integer::intValue).max().orElse(0);
      int least = io.bridges().stream().mapToInt(Integer::intValue).min().orElse(0);
      if (least < 0 || Math.max(last, io.endNodeExclusive() - 1) >= network.nodes()) {
        throw new InvalidUseException(
            "I/O node: actual=nodes up to %d, bridges %s, expected=nodes 0 to %d"
                .formatted(io.endNodeExclusive() - 1, io.bridges(), network.nodes() - 1));
      }
    }
  }

  /**
   * Creates a machine of nodes that one switch connects.
   *
   * @param name the name, for display
   * @param nodes the number of nodes
   * @param processorsPerNode the number of processors of each node
   * @return the machine, with nominal figures: 10 GB/s within a node, 1 GB/s and 2 µs outside
   */
  public static Machine oneSwitch(String name, int nodes, int processorsPerNode) {
    Level inside = new Level("node", 10e9, 500);
    Level outside = new Level("switch", 1e9, 1000);
    return new Machine(
        name,
        Network.tree(nodes, List.of(new Tier(nodes, 1, outside))),
        NodeShape.flat(processorsPerNode, inside, 1),
        List.of(),
        StorageServers.UNKNOWN);
  }

  /** {@return the number of nodes of this machine} */
  public int nodes() {
    return network.nodes();
  }

  /** {@return the number of processors of each node} */
  public int processorsPerNode() {
    return node.processors();
  }

  /** {@return the number of processors of all nodes} */
  public int processors() {
    return nodes() * processorsPerNode();
  }

  /**
   * Returns the node of a processor.
   *
   * @param processor a processor
   * @return its node
   * @throws InvalidUseException if there is no such processor
   */
  public int nodeOf(int processor) {
    if (processor < 0 || processor >= processors()) {
      throw new InvalidUseException(
          "processor: actual="
              + processor
              + ", expected=0 to "
              + (processors() - 1)
              + ", at=machine "
              + name);
    }
    return processor / processorsPerNode();
  }

  /**
   * Returns the position of a processor.
   *
   * @param processor a processor
   * @return the coordinates of its node in the network, then those within the node, outermost first
   */
  public int[] coordinates(int processor) {
    int[] outside = network.coordinates(nodeOf(processor));
    int[] inside = node.coordinates(processor % processorsPerNode());
    return IntStream.concat(IntStream.of(outside), IntStream.of(inside)).toArray();
  }

  /**
   * Returns the distance between two processors.
   *
   * @param a a processor
   * @param b a processor
   * @return 0 for the same one, {@code node().hops()} on one node, the network's hops otherwise
   */
  public int hops(int a, int b) {
    int from = nodeOf(a);
    int to = nodeOf(b);
    return from != to ? network.hops(from, to) : a == b ? 0 : node.hops();
  }

  /** {@return all levels, nearest first: those of a node, then those of the network} */
  public List<Level> levels() {
    List<Level> all = new ArrayList<>();
    node.parts().forEach(part -> all.add(part.level()));
    all.addAll(network.levels());
    return all;
  }

  /**
   * Returns the level of a connection.
   *
   * @param a a processor
   * @param b a processor
   * @return an index of {@link #levels}; 0 for a processor and itself
   */
  public int level(int a, int b) {
    int from = nodeOf(a);
    int to = nodeOf(b);
    return from == to
        ? node.level(a % processorsPerNode(), b % processorsPerNode())
        : node.parts().size() + network.level(from, to);
  }

  /**
   * Returns the bandwidth of a connection: the least of the levels of the network that it crosses,
   * or that of the smallest part of a node that both processors share.
   *
   * @param a a processor
   * @param b a processor
   * @return the bandwidth in bytes per second
   */
  public double bytesPerSecond(int a, int b) {
    int from = nodeOf(a);
    int to = nodeOf(b);
    if (from == to) {
      int part = node.level(a % processorsPerNode(), b % processorsPerNode());
      return node.parts().get(part).level().bytesPerSecond();
    }
    return networkBytesPerSecond(from, to);
  }

  private double networkBytesPerSecond(int from, int to) {
    List<Level> levels = network.levels();
    double least = Double.MAX_VALUE;
    for (int i = 0; i <= network.level(from, to); i++) {
      least = Math.min(least, levels.get(i).bytesPerSecond());
    }
    return least;
  }

  /**
   * Estimates the time of a message: the latency of the level for each hop, plus the length divided
   * by the bandwidth of the connection.
   *
   * @param a the sender
   * @param b the receiver; if it is the sender, the time is 0
   * @param bytes the length of the message
   * @return the time in nanoseconds
   */
  public double nanos(int a, int b, long bytes) {
    if (a == b) {
      return 0;
    }
    double latency = levels().get(level(a, b)).latencyNanos() * Math.max(1, hops(a, b));
    return latency + bytes * 1e9 / bytesPerSecond(a, b);
  }

  /**
   * Returns the I/O node that serves a processor.
   *
   * @param processor a processor
   * @return the index of the I/O node; empty if its position is not known
   */
  public OptionalInt ioNodeOf(int processor) {
    int on = nodeOf(processor);
    return IntStream.range(0, ioNodes.size()).filter(i -> ioNodes.get(i).serves(on)).findFirst();
  }

  /**
   * Returns the distance of a processor to an I/O node: to the nearest bridge, plus one hop.
   *
   * @param processor a processor
   * @param ioNode the index of an I/O node
   * @return the distance in hops
   */
  public int hopsToIoNode(int processor, int ioNode) {
    return network.hops(nodeOf(processor), bridge(processor, ioNode)) + 1;
  }

  private int bridge(int processor, int ioNode) {
    int on = nodeOf(processor);
    int nearest = -1;
    for (int bridge : ioNodes.get(ioNode).bridges()) {
      if (nearest < 0 || network.hops(on, bridge) < network.hops(on, nearest)) {
        nearest = bridge;
      }
    }
    return nearest;
  }

  /**
   * Estimates the time of a message from a processor to an I/O node.
   *
   * @param processor the sender
   * @param ioNode the index of an I/O node
   * @param bytes the length of the message
   * @return the time in nanoseconds
   */
  public double nanosToIoNode(int processor, int ioNode, long bytes) {
    IoNode io = ioNodes.get(ioNode);
    int on = nodeOf(processor);
    int bridge = bridge(processor, ioNode);
    double latency = io.link().latencyNanos();
    double bandwidth = io.link().bytesPerSecond();
    if (on != bridge) {
      Level level = network.levels().get(network.level(on, bridge));
      latency += level.latencyNanos() * network.hops(on, bridge);
      bandwidth = Math.min(bandwidth, networkBytesPerSecond(on, bridge));
    }
    return latency + bytes * 1e9 / bandwidth;
  }

  /**
   * Visits the links of the network that a message crosses.
   *
   * @param a the sender
   * @param b the receiver
   * @param visitor receives the links in order; none if both processors are on one node
   */
  public void route(int a, int b, LinkVisitor visitor) {
    network.route(nodeOf(a), nodeOf(b), visitor);
  }

  /**
   * Replaces the figures of the levels, for example with measured ones.
   *
   * @param changed the new levels, as many and in the same order as {@link #levels}
   * @return the same machine with those levels
   * @throws InvalidUseException if there are fewer or more
   */
  public Machine with(List<Level> changed) {
    int inside = node.parts().size();
    if (changed.size() != inside + network.levels().size()) {
      throw new InvalidUseException(
          "levels: actual=" + changed.size() + ", expected=" + levels().size());
    }
    return new Machine(
        name,
        network.with(changed.subList(inside, changed.size())),
        node.with(changed.subList(0, inside)),
        messages,
        ioNodes,
        storage);
  }

  /**
   * {@return a description for display in a few lines: nodes, network, levels, I/O nodes, storage}
   */
  public String describe() {
    StringBuilder text = new StringBuilder(name);
    text.append(": ").append(nodes()).append(" nodes of ").append(processorsPerNode());
    text.append(" processors; ").append(network.describe());
    for (Level level : levels()) {
      text.append(
          String.format(
              Locale.ROOT,
              "\n  %s: %.4g MB/s, %.4g us",
              level.name(),
              level.bytesPerSecond() / 1e6,
              level.latencyNanos() / 1e3));
    }
    text.append("\n  I/O nodes: ").append(ioNodes.isEmpty() ? "not known" : ioNodes.size());
    text.append("\n  servers of a file: ");
    return text.append(storage.count() == 0 ? "not known" : storage.count()).toString();
  }
}
