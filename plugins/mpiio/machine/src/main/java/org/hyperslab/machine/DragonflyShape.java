package org.hyperslab.machine;

import org.hyperslab.error.InvalidUseException;

/**
 * The dimensions of a dragonfly network.
 *
 * @param groups the number of groups
 * @param rows the number of rows of routers in a group
 * @param columns the number of routers in a row
 * @param nodesPerRouter the number of nodes connected to a router
 * @param globalLinks the number of links between each pair of groups
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
    CheckedCounts.product("dragonfly", Network.MAX_NODES, groups, rows, columns, nodesPerRouter);
  }

  int routersPerGroup() {
    return rows * columns;
  }
}
