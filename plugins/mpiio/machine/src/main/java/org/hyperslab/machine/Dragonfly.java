package org.hyperslab.machine;

import java.util.List;

/**
 * A dragonfly network as in Cray's XC machines with Aries routers: groups of routers, each
 * connected to every other group. The routers of a group form a grid in which every router is
 * connected to all of its row and all of its column; with one row, all are connected to each other.
 * Vertices: the nodes, then the routers. Between two groups a message takes one global link, which
 * is always the same for a pair of routers; the ends of a group's global links are assigned to its
 * routers in turn.
 */
final class Dragonfly implements Network {

  private final DragonflyShape shape;
  private final Level local;
  private final Level global;
  private final int nodes;

  Dragonfly(DragonflyShape shape, Level local, Level global) {
    this.shape = shape;
    this.local = local;
    this.global = global;
    this.nodes = shape.groups() * shape.routersPerGroup() * shape.nodesPerRouter();
  }

  @Override
  public int nodes() {
    return nodes;
  }

  @Override
  public int[] extents() {
    return new int[] {shape.groups(), shape.rows(), shape.columns(), shape.nodesPerRouter()};
  }

  @Override
  public int[] coordinates(int node) {
    int router = router(node);
    int within = router % shape.routersPerGroup();
    return new int[] {
      group(router),
      within / shape.columns(),
      within % shape.columns(),
      node % shape.nodesPerRouter()
    };
  }

  private int router(int node) {
    return node / shape.nodesPerRouter();
  }

  private int group(int router) {
    return router / shape.routersPerGroup();
  }

  @Override
  public int hops(int from, int to) {
    if (from == to) {
      return 0;
    }
    int a = router(from);
    int b = router(to);
    if (group(a) == group(b)) {
      return Math.max(1, localHops(a, b));
    }
    int out = gateway(a, b, group(a), group(b));
    int in = gateway(a, b, group(b), group(a));
    return localHops(a, out) + 1 + localHops(in, b);
  }

  /** Returns the hops between routers of one group: along the row, then along the column. */
  private int localHops(int a, int b) {
    int rows = a / shape.columns() == b / shape.columns() ? 0 : 1;
    int columns = a % shape.columns() == b % shape.columns() ? 0 : 1;
    return rows + columns;
  }

  /**
   * Returns the router of {@code group} at which the global link between routers a and b begins.
   */
  private int gateway(int a, int b, int group, int other) {
    int lane = Math.floorMod(a + b, shape.globalLinks());
    int link = Math.floorMod(other - group - 1, shape.groups()) * shape.globalLinks() + lane;
    return group * shape.routersPerGroup() + link % shape.routersPerGroup();
  }

  @Override
  public List<Level> levels() {
    return List.of(local, global);
  }

  @Override
  public int level(int from, int to) {
    return group(router(from)) == group(router(to)) ? 0 : 1;
  }

  @Override
  public void route(int from, int to, LinkVisitor visitor) {
    if (from == to) {
      return;
    }
    int a = router(from);
    int b = router(to);
    visitor.link(LinkVisitor.number(from, nodes + a), 1, local.bytesPerSecond());
    if (group(a) == group(b)) {
      localRoute(a, b, visitor);
    } else {
      int out = gateway(a, b, group(a), group(b));
      int in = gateway(a, b, group(b), group(a));
      localRoute(a, out, visitor);
      visitor.link(LinkVisitor.number(nodes + out, nodes + in), 1, global.bytesPerSecond());
      localRoute(in, b, visitor);
    }
    visitor.link(LinkVisitor.number(nodes + b, to), 1, local.bytesPerSecond());
  }

  private void localRoute(int a, int b, LinkVisitor visitor) {
    int corner = a / shape.columns() * shape.columns() + b % shape.columns();
    if (corner != a) {
      visitor.link(LinkVisitor.number(nodes + a, nodes + corner), 1, local.bytesPerSecond());
    }
    if (corner != b) {
      visitor.link(LinkVisitor.number(nodes + corner, nodes + b), 1, local.bytesPerSecond());
    }
  }

  @Override
  public Network with(List<Level> changed) {
    return new Dragonfly(shape, changed.getFirst(), changed.get(1));
  }

  @Override
  public String describe() {
    return "dragonfly of %d groups of %dx%d routers with %d nodes each"
        .formatted(shape.groups(), shape.rows(), shape.columns(), shape.nodesPerRouter());
  }
}
