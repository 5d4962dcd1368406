package org.hyperslab.machine;

import java.util.List;
import java.util.function.IntToDoubleFunction;

/**
 * The connections between the nodes of a machine. Nodes are numbered from 0. Routes are minimal and
 * deterministic; {@link #hops} is the number of links between switches or nodes that a route
 * crosses, and at least 1 between different nodes.
 *
 * <p>Node numbers out of range give undefined results; callers check them.
 *
 * <p>Thread rule: immutable.
 */
public sealed interface Network permits Torus, Dragonfly, SwitchTree {

  /** The greatest number of nodes of a network. */
  int MAX_NODES = 1 << 22;

  /** {@return the number of nodes that the network connects} */
  int nodes();

  /** {@return the extents of the coordinates, outermost first} */
  int[] extents();

  /**
   * Returns the position of a node.
   *
   * @param node a node
   * @return its coordinates, outermost first
   */
  int[] coordinates(int node);

  /**
   * Returns the distance between two nodes.
   *
   * @param from a node
   * @param to a node
   * @return the number of hops of the route; 0 from a node to itself
   */
  int hops(int from, int to);

  /**
   * Returns a function that computes the weighted sum of distances to fixed nodes. Some networks
   * compute such a sum faster than distance by distance.
   *
   * @param to the nodes, each once
   * @param bytes the weight of each of them
   * @return a function from any node to the sum of weights times hops
   */
  default IntToDoubleFunction hopBytes(int[] to, long[] bytes) {
    return node -> {
      double sum = 0;
      for (int i = 0; i < to.length; i++) {
        sum += (double) bytes[i] * hops(node, to[i]);
      }
      return sum;
    };
  }

  /** {@return the levels of the network, nearest first; at least one} */
  List<Level> levels();

  /**
   * Returns the level of a connection.
   *
   * @param from a node
   * @param to another node
   * @return the index among {@link #levels} of the farthest level that the route crosses
   */
  int level(int from, int to);

  /**
   * Visits the links of a route.
   *
   * @param from a node
   * @param to a node; if it is the same one, nothing is visited
   * @param visitor receives the links in order
   */
  void route(int from, int to, LinkVisitor visitor);

  /**
   * Replaces the figures of the levels.
   *
   * @param changed the new levels, as many as {@link #levels} has
   * @return the same network with those levels
   */
  Network with(List<Level> changed);

  /** {@return the kind and the extents, for display} */
  String describe();

  /**
   * Creates a torus. Routes go along the last dimension first, in the shorter direction.
   *
   * @param link the level of all links
   * @param extents the number of nodes in each dimension, outermost first
   * @return the network
   * @throws org.hyperslab.error.InvalidUseException if there is no dimension or more than 8, if an
   *     extent is less than 1, or if there are more than {@link #MAX_NODES} nodes
   */
  static Network torus(Level link, int... extents) {
    return new Torus(link, extents);
  }

  /**
   * Creates a tree of switches, or a fat tree if links have several cables.
   *
   * @param nodes the number of nodes, at most as many as the tiers can hold
   * @param tiers the switches from the nodes upwards; the last tier is one switch
   * @return the network
   * @throws org.hyperslab.error.InvalidUseException if there is no tier, or the tiers cannot hold
   *     the nodes
   */
  static Network tree(int nodes, List<Tier> tiers) {
    return new SwitchTree(nodes, tiers);
  }
}
