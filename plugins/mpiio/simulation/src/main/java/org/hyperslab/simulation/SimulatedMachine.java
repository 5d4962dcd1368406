package org.hyperslab.simulation;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import org.hyperslab.machine.Machine;
import org.hyperslab.machine.RankMap;
import org.hyperslab.mpiio.access.ExtentList;
import org.hyperslab.mpiio.access.ExtentRuns;

/**
 * The links, servers and I/O nodes of a machine in virtual time: each serves one request after the
 * other, in the order of their arrival. Times are nanoseconds from the start.
 *
 * <p>A message occupies all links of its route at once, as in wormhole routing, for the time of its
 * bytes at the bandwidth of the connection, divided by the number of cables of a link. Messages
 * within a node do not delay each other. A request to the file goes through the link of the rank's
 * I/O node, if that is known, to the servers that hold its stripes.
 *
 * <p>Thread rule: one thread.
 */
final class SimulatedMachine {

  /** The number of extents of a request up to which they are examined one by one. */
  static final long MAX_EXTENTS = 4096;

  private final RankMap ranks;
  private final Machine machine;
  private final UnstatedCosts costs;
  private final Map<Long, Double> links = new HashMap<>();
  private final double[] ioNodes;
  private final double[] servers;
  private final double serverNanosPerByte;
  private final long stripeBytes;
  private final double farLatency;
  private final double leastBandwidth;

  SimulatedMachine(RankMap ranks, UnstatedCosts costs) {
    this.ranks = ranks;
    this.machine = ranks.machine();
    this.costs = costs;
    this.ioNodes = new double[machine.ioNodes().size()];
    boolean known = machine.storage().count() > 0;
    this.servers = new double[known ? machine.storage().count() : 1];
    this.stripeBytes = known ? machine.storage().stripeBytes() : Long.MAX_VALUE;
    double bandwidth =
        known && machine.storage().bytesPerSecond() > 0
            ? machine.storage().bytesPerSecond()
            : costs.storageBytesPerSecond();
    this.serverNanosPerByte = 1e9 / bandwidth;
    this.farLatency = machine.levels().getLast().latencyNanos();
    this.leastBandwidth =
        machine.levels().stream().mapToDouble(level -> level.bytesPerSecond()).min().orElse(1);
  }

  /** Returns the arrival time of a message for which both sides are ready at a time. */
  double message(int from, int to, long bytes, double ready) {
    int a = ranks.processor(from);
    int b = ranks.processor(to);
    if (a == b) {
      return copy(bytes, ready);
    }
    double nanos = machine.nanos(a, b, bytes);
    if (machine.nodeOf(a) == machine.nodeOf(b)) {
      return ready + nanos;
    }
    double[] start = {ready};
    machine.route(
        a, b, (link, width) -> start[0] = Math.max(start[0], links.getOrDefault(link, 0.0)));
    double busy = bytes * 1e9 / machine.bytesPerSecond(a, b);
    machine.route(a, b, (link, width) -> links.put(link, start[0] + busy / width));
    return start[0] + nanos;
  }

  /** Returns the end of a copy of bytes within a rank's node. */
  double copy(long bytes, double ready) {
    return ready + bytes * 1e9 / costs.copyBytesPerSecond();
  }

  /**
   * Returns the end of an exchange for which all ranks are ready at a time: a tree of messages,
   * plus the time of each rank's bytes on the slowest link.
   */
  double collective(int count, long bytes, double ready) {
    int depth = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, count - 1));
    return ready + 2 * depth * farLatency + bytes * 1e9 / leastBandwidth;
  }

  /** Returns the end of one request that lists all extents. */
  double list(int rank, ExtentRuns extents, double ready) {
    double arrived = throughIoNode(rank, extents.totalBytes(), ready + costs.requestNanos());
    double end = arrived;
    ExtentList.Cursor cursor = extents.cursor();
    for (long seen = 0; seen < MAX_EXTENTS && cursor.next(); seen++) {
      end = Math.max(end, served(cursor.offset(), cursor.length(), arrived));
    }
    return end;
  }

  /**
   * Returns when a rank's requests for very many extents have been answered, one after the other.
   * All servers have the same share of them.
   */
  double many(int rank, ExtentRuns extents, double ready) {
    double asked = ready + (double) costs.requestNanos() * extents.count();
    double arrived = throughIoNode(rank, extents.totalBytes(), asked);
    double each = (double) extents.totalBytes() / servers.length * serverNanosPerByte;
    double end = arrived;
    for (int server = 0; server < servers.length; server++) {
      servers[server] = Math.max(servers[server], arrived) + each;
      end = Math.max(end, servers[server]);
    }
    return end;
  }

  /** Returns when a rank's request has been answered. */
  double request(int rank, long offset, long length, double ready) {
    double arrived = throughIoNode(rank, length, ready + costs.requestNanos());
    return served(offset, length, arrived);
  }

  private double throughIoNode(int rank, long bytes, double ready) {
    OptionalInt node = machine.ioNodeOf(ranks.processor(rank));
    if (node.isEmpty()) {
      return ready;
    }
    int index = node.getAsInt();
    double start = Math.max(ready, ioNodes[index]);
    int bridges = machine.ioNodes().get(index).bridges().size();
    double link = machine.ioNodes().get(index).link().bytesPerSecond();
    ioNodes[index] = start + bytes * 1e9 / link / bridges;
    return start + machine.nanosToIoNode(ranks.processor(rank), index, bytes);
  }

  private double served(long offset, long length, double ready) {
    long[] shares = new long[servers.length];
    if (servers.length == 1) {
      shares[0] = length;
    } else {
      long whole = length / (stripeBytes * servers.length);
      Arrays.fill(shares, whole * stripeBytes);
      long at = offset + whole * stripeBytes * servers.length;
      while (at < offset + length) {
        long part = Math.min(offset + length - at, stripeBytes - at % stripeBytes);
        shares[machine.storage().serverOf(at)] += part;
        at += part;
      }
    }
    double end = ready;
    for (int server = 0; server < shares.length; server++) {
      if (shares[server] > 0) {
        servers[server] = Math.max(servers[server], ready) + shares[server] * serverNanosPerByte;
        end = Math.max(end, servers[server]);
      }
    }
    return end;
  }
}
