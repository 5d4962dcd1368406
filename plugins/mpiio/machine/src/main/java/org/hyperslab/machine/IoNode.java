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
 */
public record IoNode(int firstNode, int endNodeExclusive, List<Integer> bridges, Level link) {

  /**
   * Checks the numbers.
   *
   * @throws InvalidUseException if it serves no node or has no bridge
   */
  public IoNode {
    bridges = List.copyOf(bridges);
    if (firstNode < 0 || endNodeExclusive <= firstNode || bridges.isEmpty()) {
      throw new InvalidUseException(
          "I/O node: actual=nodes %d to %d, %d bridges, expected=at least one of both"
              .formatted(firstNode, endNodeExclusive - 1, bridges.size()));
    }
  }

  boolean serves(int node) {
    return firstNode <= node && node < endNodeExclusive;
  }
}
