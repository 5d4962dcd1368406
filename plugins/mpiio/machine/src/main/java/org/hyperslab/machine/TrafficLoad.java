package org.hyperslab.machine;

import java.util.HashMap;
import java.util.Map;

/**
 * Adds up the load that messages put on a machine: hop-bytes, which are bytes times the hops they
 * travel, and the bytes that cross each link.
 *
 * <p>The metric is that of Bhatele, Laxmikant: Benefits of Topology Aware Mapping for Mesh
 * Interconnects (2008). The load of a link is that of one cable in one direction. Messages within a
 * node cross no link.
 *
 * <p>Thread rule: one thread at a time.
 */
public final class TrafficLoad {

  private final RankMap ranks;
  private final Map<Long, Cell> links = new HashMap<>();
  private long hopBytes;
  private long bytes;

  private static final class Cell {
    double bytes;
  }

  /**
   * Creates a load without messages.
   *
   * @param ranks the processor of each rank
   */
  public TrafficLoad(RankMap ranks) {
    this.ranks = ranks;
  }

  /**
   * Adds a message.
   *
   * @param from the sender
   * @param to the receiver
   * @param length the length in bytes, at least 0
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
            (link, width, bytesPerSecond) ->
                links.computeIfAbsent(link, key -> new Cell()).bytes += (double) length / width);
  }

  /** {@return the sum of bytes times hops over all messages} */
  public long hopBytes() {
    return hopBytes;
  }

  /** {@return the number of bytes of all messages between different ranks} */
  public long bytes() {
    return bytes;
  }

  /** {@return the bytes that cross the busiest link in one direction; 0 if none is used} */
  public double greatestLinkBytes() {
    return links.values().stream().mapToDouble(cell -> cell.bytes).max().orElse(0);
  }

  /** {@return the number of links used; the two directions of a link count separately} */
  public int links() {
    return links.size();
  }
}
