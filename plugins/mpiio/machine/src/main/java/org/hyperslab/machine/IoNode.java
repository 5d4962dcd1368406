package org.hyperslab.machine;

import java.util.List;
import org.hyperslab.error.InvalidUseException;

/**
 * A node through which other nodes reach the file system.
 *
 * @param firstNode the first node that it serves
 * @param endNodeExclusive the node after the last that it serves
 * @param bridges the nodes that have a link to it, at least one
 * @param link the level of the links from the bridges
 * @param forwardBytesPerSecond what it passes on to the file system; 0 if its links are the limit
 */
public record IoNode(
    int firstNode,
    int endNodeExclusive,
    List<Integer> bridges,
    Level link,
    double forwardBytesPerSecond) {

  /**
   * Creates an I/O node that passes on what its links bring.
   *
   * @param firstNode the first node that it serves
   * @param endNodeExclusive the node after the last that it serves
   * @param bridges the nodes that have a link to it, at least one
   * @param link the level of the links from the bridges
   */
  public IoNode(int firstNode, int endNodeExclusive, List<Integer> bridges, Level link) {
    this(firstNode, endNodeExclusive, bridges, link, 0);
  }

  /**
   * Checks the numbers.
   *
   * @throws InvalidUseException if it serves no node or has no bridge
   */
  public IoNode {
    bridges = List.copyOf(bridges);
    if (!(forwardBytesPerSecond >= 0)) {
      throw new InvalidUseException(
          "I/O node: actual=" + forwardBytesPerSecond + " bytes/s, expected=at least 0");
    }
    if (firstNode < 0 || endNodeExclusive <= firstNode || bridges.isEmpty()) {
      throw new InvalidUseException(
          "I/O node: actual=nodes %d to %d, %d bridges, expected=at least one of both"
              .formatted(firstNode, endNodeExclusive - 1, bridges.size()));
    }
  }

  /** {@return the bytes per second that pass through it} */
  public double bytesPerSecond() {
    double links = bridges.size() * link.bytesPerSecond();
    return forwardBytesPerSecond > 0 ? Math.min(forwardBytesPerSecond, links) : links;
  }

  boolean serves(int node) {
    return firstNode <= node && node < endNodeExclusive;
  }
}
