package org.hyperslab.simulation;

import java.util.Arrays;
import org.hyperslab.machine.IoNode;
import org.hyperslab.machine.Machine;
import org.hyperslab.machine.RankMap;
import org.hyperslab.machine.StorageServers;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.simulation.network.EventQueue;

/**
 * The storage of a file in virtual time: a request goes through the link of its node and through
 * the node's I/O node, if that is known, to the servers of its stripes ({@link StripedServers}).
 * Each of them serves requests one after the other, in the order of their arrival. Bytes go on
 * while others arrive, so a request ends with the slowest of these parts.
 *
 * <p>A rank has at most one request at a time, which has the rank's number. Times are nanoseconds
 * from the start. Thread rule: one thread.
 */
final class SimulatedStorage {

  /** The number of extents of a request up to which they are examined one by one. */
  static final long MAX_EXTENTS = 4096;

  /** Receives the ends of requests. */
  @FunctionalInterface
  interface Answers {

    /** Receives the end of a rank's request. */
    void answered(int rank, double at);
  }

  private final RankMap ranks;
  private final Machine machine;
  private final Answers answers;
  private final StripedServers servers;
  private final EventQueue events;
  private final double[] clientFree;
  private final double clientBytesPerNano;
  private final double[] ioNodeFree;
  private final int[] ioNodeOfNode;

  private final boolean[] forwarded;
  private final boolean[] write;
  private final ExtentRuns[] extents;
  private final boolean[] listed;
  private final long[] offset;
  private final long[] length;
  private final double[] least;

  SimulatedStorage(RankMap ranks, StorageServers known, UnstatedCosts costs, Answers answers) {
    this.ranks = ranks;
    this.machine = ranks.machine();
    this.answers = answers;
    this.servers = new StripedServers(known, costs);
    this.events = new EventQueue(ranks.size());
    double own = known.clientBytesPerSecond();
    double network = machine.network().levels().getFirst().bytesPerSecond();
    this.clientBytesPerNano = (own > 0 ? own : network) / 1e9;
    this.clientFree = new double[machine.nodes()];
    this.ioNodeFree = new double[machine.ioNodes().size()];
    this.ioNodeOfNode = ioNodeOfNodes(machine);
    int size = ranks.size();
    this.forwarded = new boolean[size];
    this.write = new boolean[size];
    this.extents = new ExtentRuns[size];
    this.listed = new boolean[size];
    this.offset = new long[size];
    this.length = new long[size];
    this.least = new double[size];
  }

  private static int[] ioNodeOfNodes(Machine machine) {
    int[] all = new int[machine.nodes()];
    Arrays.fill(all, -1);
    for (int i = machine.ioNodes().size() - 1; i >= 0; i--) {
      IoNode each = machine.ioNodes().get(i);
      Arrays.fill(all, each.firstNode(), each.endNodeExclusive(), i);
    }
    return all;
  }

  /** Starts a rank's request for consecutive bytes. */
  void request(int rank, long from, long bytes, boolean writes, double now) {
    offset[rank] = from;
    start(rank, null, bytes, writes, now);
  }

  /** Starts a rank's request that lists all extents. */
  void list(int rank, ExtentRuns all, boolean writes, double now) {
    listed[rank] = true;
    start(rank, all, all.totalBytes(), writes, now);
  }

  /** Starts very many requests of a rank, which makes them one after the other. */
  void many(int rank, ExtentRuns all, boolean writes, double now) {
    listed[rank] = false;
    start(rank, all, all.totalBytes(), writes, now);
  }

  private void start(int rank, ExtentRuns all, long bytes, boolean writes, double now) {
    extents[rank] = all;
    length[rank] = bytes;
    write[rank] = writes;
    int node = ranks.node(rank);
    double begin = Math.max(now, clientFree[node]);
    clientFree[node] = begin + bytes / clientBytesPerNano;
    least[rank] = clientFree[node];
    forwarded[rank] = ioNodeOfNode[node] < 0;
    events.set(rank, begin);
  }

  /** Returns the time of the next event; infinite if there is none. */
  double nextTime() {
    return events.nextTime();
  }

  /** Makes the next event happen: a request arrives at its I/O node or at its servers. */
  void advance() {
    double now = events.nextTime();
    int rank = events.poll();
    if (forwarded[rank]) {
      double end = Math.max(least[rank], served(rank, now));
      extents[rank] = null;
      answers.answered(rank, end);
      return;
    }
    forwarded[rank] = true;
    int io = ioNodeOfNode[ranks.node(rank)];
    double begin = Math.max(now, ioNodeFree[io]);
    ioNodeFree[io] = begin + length[rank] * 1e9 / machine.ioNodes().get(io).bytesPerSecond();
    double latency = machine.nanosToIoNode(ranks.processor(rank), io, 0);
    least[rank] = Math.max(least[rank], ioNodeFree[io] + latency);
    events.set(rank, begin + latency);
  }

  private double served(int rank, double now) {
    int node = ranks.node(rank);
    if (extents[rank] == null) {
      return servers.serve(node, offset[rank], length[rank], write[rank], now);
    }
    return listed[rank]
        ? servers.serve(node, extents[rank], write[rank], now)
        : servers.serveMany(extents[rank], now);
  }
}
