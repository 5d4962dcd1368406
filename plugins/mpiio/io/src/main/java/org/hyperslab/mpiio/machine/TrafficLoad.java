package org.hyperslab.mpiio.machine;

import java.util.HashMap;
import java.util.Map;

/**
 * Adds up what messages mean to a machine: hop-bytes, which are bytes times the hops they travel,
 * and the bytes that cross each link.
 *
 * <p>After Bhatele, Laxmikant: Benefits of Topology Aware Mapping for Mesh Interconnects (2008),
 * for the metric. A link's load is for one direction and for one cable of it. What stays on a node
 * crosses no link.
 *
 * <p>Thread rule: one thread at a time.
 */
final class TrafficLoad {

  private final RankMap ranks;
  private final Map<Long, Cell> links = new HashMap<>();
  private long hopBytes;
  private long bytes;

  private static final class Cell {
    double bytes;
  }

  /**
   * Begins with no message.
   *
   * @param ranks where the ranks are
   */
  public TrafficLoad(RankMap ranks) {
    this.ranks = ranks;
  }

  /**
   * Adds a message.
   *
   * @param from the rank that sends
   * @param to the rank that receives
   * @param length bytes, at least 0
   * @throws ArithmeticException if the sum of hop-bytes does not fit a long
   */
  public void add(int from, int to, long length) {
    if (length == 0 || from == to) {
      return;
    }
    bytes = Math.addExact(bytes, length);
    hopBytes = Math.addExact(hopBytes, Math.multiplyExact(length, (long) ranks.hops(from, to)));
    ranks
        .machine()
        .route(
            ranks.processor(from),
            ranks.processor(to),
            (link, width) ->
                links.computeIfAbsent(link, key -> new Cell()).bytes += (double) length / width);
  }

  /** {@return bytes times hops, over all messages} */
  public long hopBytes() {
    return hopBytes;
  }

  /** {@return bytes of all messages between different ranks} */
  public long bytes() {
    return bytes;
  }

  /** {@return the bytes that cross the busiest link in one direction; 0 if none is used} */
  public double greatestLinkBytes() {
    return links.values().stream().mapToDouble(cell -> cell.bytes).max().orElse(0);
  }

  /** {@return how many links are used; both directions of one count twice} */
  public int links() {
    return links.size();
  }
}
