package org.hyperslab.mpiio.machine;

import org.hyperslab.error.InvalidUseException;

/**
 * The numbers of a dragonfly.
 *
 * @param groups how many groups
 * @param rows rows of routers in a group
 * @param columns routers in a row
 * @param nodesPerRouter how many nodes are connected to a router
 * @param globalLinks how many links there are between each two groups
 */
record DragonflyShape(int groups, int rows, int columns, int nodesPerRouter, int globalLinks) {

  /**
   * Checks the numbers.
   *
   * @throws InvalidUseException if one is less than 1 or there are too many nodes
   */
  public DragonflyShape {
    if (groups < 1 || rows < 1 || columns < 1 || nodesPerRouter < 1 || globalLinks < 1) {
      throw new InvalidUseException(
          ("dragonfly: actual=%d groups of %dx%d routers, %d nodes each, %d global links,"
                  + " expected=at least 1 of each")
              .formatted(groups, rows, columns, nodesPerRouter, globalLinks));
    }
    Counts.product("dragonfly", Network.MOST_NODES, groups, rows, columns, nodesPerRouter);
  }

  int routersPerGroup() {
    return rows * columns;
  }
}
