package org.hyperslab.machine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.hyperslab.error.InvalidUseException;

/** Builds a machine from the lines of its description. */
final class DescriptionBuilder {

  private static final int MAX_IO_NODES = 1 << 16;
  private static final int MAX_BRIDGES = 1 << 10;

  private final String source;
  private final List<Tier> tiers = new ArrayList<>();
  private final List<NodeShape.Part> parts = new ArrayList<>();
  private final List<IoNode> ioNodes = new ArrayList<>();
  private final List<IoNodeLine> ioLines = new ArrayList<>();
  private String name;
  private Network network;
  private DescriptionLine tree;
  private int treeNodes;
  private double hopNanos;
  private int hops = -1;
  private StorageServers storage;
  private MessageCosts messages;

  /** An I/O node and its line, for the check of its nodes once the network is known. */
  private record IoNodeLine(DescriptionLine line, IoNode ioNode) {}

  DescriptionBuilder(String source) {
    this.source = source;
  }

  void add(DescriptionLine line) {
    try {
      take(line);
    } catch (InvalidUseException refused) {
      if (refused.getMessage().contains(source + ", line ")) {
        throw refused;
      }
      throw line.refuse("[" + refused.getMessage() + "]", "numbers that fit together", refused);
    }
    line.end();
  }

  private void take(DescriptionLine line) {
    switch (line.keyword()) {
      case "machine" -> {
        once(line, name);
        name = line.text("name");
      }
      case "network" -> {
        once(line, network != null ? network : tree);
        addNetwork(line);
      }
      case "tier" -> addTier(line);
      case "node" -> {
        once(line, hops < 0 ? null : hops);
        hops = line.count("hops", 0, 1, 1);
      }
      case "share" ->
          parts.add(new NodeShape.Part(line.count("arity", 1, 1 << 16), level(line, 0)));
      case "pset" -> addPsets(line);
      case "ionode" -> addIoNode(line);
      case "storage" -> {
        once(line, storage);
        storage =
            new StorageServers(
                line.count("servers", 1, 1 << 20),
                line.bytes("stripe"),
                bandwidth(line, "bandwidth"),
                serverCosts(line),
                bandwidth(line, "client"));
      }
      case "messages" -> {
        once(line, messages);
        messages = new MessageCosts(line.nanos("overhead", 0), line.nanos("gap", 0));
      }
      default ->
          throw line.refuse(
              line.keyword(),
              "machine, network, tier, node, share, messages, pset, ionode or storage",
              null);
    }
  }

  /** Returns a bandwidth; 0 if the line does not state it. */
  private static double bandwidth(DescriptionLine line, String key) {
    return line.has(key) ? line.bytesPerSecond(key) : 0;
  }

  private static ServerCosts serverCosts(DescriptionLine line) {
    return new ServerCosts(
        line.nanos("request", -1),
        line.nanos("seek", 0),
        line.nanos("lock", 0),
        line.has("block") ? line.bytes("block") : 1);
  }

  private static void once(DescriptionLine line, Object known) {
    if (known != null) {
      throw line.refuse("a second line " + line.keyword(), "one", null);
    }
  }

  private static Level level(DescriptionLine line, double latency) {
    return new Level(
        line.text("name"), line.bytesPerSecond("bandwidth"), line.nanos("latency", latency));
  }

  private void addNetwork(DescriptionLine line) {
    hopNanos = line.nanos("latency", 0);
    if (!line.has("kind")) {
      throw line.refuse("kind", "torus, dragonfly or tree");
    }
    String kind = line.text("kind");
    switch (kind) {
      case "torus" -> {
        Level link = new Level("link", line.bytesPerSecond("bandwidth"), hopNanos);
        network = Network.torus(link, line.counts("extents", "x", 8, Network.MAX_NODES));
      }
      case "dragonfly" -> {
        int[] grid = line.counts("routers", "x", 2, Network.MAX_NODES);
        DragonflyShape shape =
            new DragonflyShape(
                line.count("groups", 1, Network.MAX_NODES),
                grid.length == 1 ? 1 : grid[0],
                grid[grid.length - 1],
                line.count("nodes", 1, Network.MAX_NODES),
                line.count("links", 1, 1 << 16, 1));
        network =
            new Dragonfly(
                shape,
                new Level("group", line.bytesPerSecond("local"), hopNanos),
                new Level("machine", line.bytesPerSecond("global"), hopNanos));
      }
      case "tree" -> {
        tree = line;
        treeNodes = line.count("nodes", 1, Network.MAX_NODES, 0);
      }
      default -> throw line.refuse("kind=" + kind, "torus, dragonfly or tree", null);
    }
  }

  private void addTier(DescriptionLine line) {
    if (tree == null) {
      throw line.refuse("tier", "a line network kind=tree before it", null);
    }
    tiers.add(
        new Tier(
            line.count("arity", 1, Network.MAX_NODES),
            line.count("cables", 1, 1 << 16, 1),
            level(line, hopNanos)));
  }

  private Network needNetwork(DescriptionLine line) {
    if (network == null && tree != null && !tiers.isEmpty()) {
      network = treeNetwork();
    }
    if (network == null) {
      throw line.refuse(line.keyword(), "the network before it", null);
    }
    return network;
  }

  private Network treeNetwork() {
    int all =
        CheckedCounts.product(
            "tree", Network.MAX_NODES, tiers.stream().mapToInt(Tier::arity).toArray());
    return Network.tree(treeNodes == 0 ? all : treeNodes, tiers);
  }

  private void addPsets(DescriptionLine line) {
    int nodes = needNetwork(line).nodes();
    int each = line.count("nodes", 1, nodes);
    int bridges = line.count("bridges", 1, each);
    Level link = new Level("I/O node", line.bytesPerSecond("bandwidth"), line.nanos("latency", 0));
    double forward = bandwidth(line, "forward");
    if (bridges > MAX_BRIDGES || Math.ceilDiv(nodes, each) > MAX_IO_NODES - ioLines.size()) {
      throw line.refuse("too many I/O nodes or bridges", "at most " + MAX_IO_NODES, null);
    }
    for (int first = 0; first < nodes; first += each) {
      int end = Math.min(nodes, first + each);
      List<Integer> at = new ArrayList<>();
      for (int i = 0; i < bridges; i++) {
        at.add(Math.min(end - 1, first + (int) ((long) i * each / bridges)));
      }
      ioLines.add(new IoNodeLine(line, new IoNode(first, end, at, link, forward)));
    }
  }

  private void addIoNode(DescriptionLine line) {
    if (ioLines.size() >= MAX_IO_NODES) {
      throw line.refuse("too many I/O nodes", "at most " + MAX_IO_NODES, null);
    }
    int[] served = line.counts("nodes", "-", 2, Network.MAX_NODES);
    int[] bridges = line.counts("bridges", ",", MAX_BRIDGES, Network.MAX_NODES);
    Level link = new Level("I/O node", line.bytesPerSecond("bandwidth"), line.nanos("latency", 0));
    List<Integer> at = Arrays.stream(bridges).boxed().toList();
    ioLines.add(
        new IoNodeLine(
            line,
            new IoNode(
                served[0], served[served.length - 1] + 1, at, link, bandwidth(line, "forward"))));
  }

  Machine build() {
    need("machine", name);
    if (network == null) {
      need("network", tree);
      need("tier", tiers.isEmpty() ? null : tiers);
      network = checkedTree();
    }
    need("share", parts.isEmpty() ? null : parts);
    BitSet reached = new BitSet();
    for (IoNodeLine io : ioLines) {
      int last = io.ioNode().bridges().stream().mapToInt(Integer::intValue).max().orElse(0);
      if (Math.max(last, io.ioNode().endNodeExclusive() - 1) >= network.nodes()) {
        throw io.line()
            .refuse("a node beyond the last", "nodes 0 to " + (network.nodes() - 1), null);
      }
      int second = reached.nextSetBit(io.ioNode().firstNode());
      if (second >= 0 && second < io.ioNode().endNodeExclusive()) {
        throw io.line().refuse("a second I/O node for node " + second, "one for each node", null);
      }
      reached.set(io.ioNode().firstNode(), io.ioNode().endNodeExclusive());
      ioNodes.add(io.ioNode());
    }
    if (!ioLines.isEmpty() && reached.cardinality() < network.nodes()) {
      throw ioLines
          .getLast()
          .line()
          .refuse(
              "no I/O node for node " + reached.nextClearBit(0),
              "one for each node, as the others have one",
              null);
    }
    int inside = hops >= 0 ? hops : tree != null ? 1 : 0;
    return new Machine(
        name,
        network,
        new NodeShape(parts, inside),
        messages == null ? MessageCosts.NONE : messages,
        ioNodes,
        storage == null ? StorageServers.UNKNOWN : storage);
  }

  private Network checkedTree() {
    try {
      return treeNetwork();
    } catch (InvalidUseException refused) {
      throw tree.refuse("[" + refused.getMessage() + "]", "tiers that hold the nodes", refused);
    }
  }

  private void need(String keyword, Object known) {
    if (known == null) {
      throw new InvalidUseException(
          "machine description: actual=no line "
              + keyword
              + ", expected=one, at="
              + source
              + ", field "
              + keyword);
    }
  }
}
