package org.hyperslab.mpiio.machine;

import java.util.List;
import java.util.function.IntToDoubleFunction;

/**
 * The connections between the nodes of a machine. Nodes are counted from 0. Routes are minimal and
 * always the same for a pair; {@link #hops} is the number of links between switches or nodes that a
 * route crosses, and at least 1 between different nodes.
 *
 * <p>Node numbers out of range give undefined results: the callers of this package have checked
 * them.
 *
 * <p>Thread rule: immutable.
 */
public sealed interface Network permits Torus, Dragonfly, SwitchTree {

  /** The most nodes of a network. */
  int MOST_NODES = 1 << 22;

  /** {@return how many nodes there are} */
  int nodes();

  /** {@return the extents of the coordinates, outermost first} */
  int[] extents();

  /**
   * Finds where a node is.
   *
   * @param node a node
   * @return its coordinates, outermost first
   */
  int[] coordinates(int node);

  /**
   * Measures a distance.
   *
   * @param from a node
   * @param to a node
   * @return hops of the route; 0 from a node to itself
   */
  int hops(int from, int to);

  /**
   * Prepares sums of distances to the same nodes, which kinds of networks can compute quicker than
   * one distance after the other.
   *
   * @param to nodes, each once
   * @param bytes as many weights, one for each of them
   * @return the sum of weights times hops, for any node
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
   * Finds the level of a connection.
   *
   * @param from a node
   * @param to another node
   * @return the index among {@link #levels} of the farthest level that the route crosses
   */
  int level(int from, int to);

  /**
   * Walks along a route.
   *
   * @param from a node
   * @param to a node; if it is the same one, nothing is visited
   * @param visitor takes the links in order
   */
  void route(int from, int to, LinkVisitor visitor);

  /**
   * Replaces the figures of the levels.
   *
   * @param changed as many levels as there are
   * @return the same network with those levels
   */
  Network with(List<Level> changed);

  /** {@return the kind and the extents, for people} */
  String describe();

  /**
   * Makes a torus of any number of dimensions. Routes go along the last dimension first, the
   * shorter way round.
   *
   * @param link the one level
   * @param extents how many nodes there are in each dimension, outermost first
   * @return the network
   * @throws org.hyperslab.error.InvalidUseException if there is no dimension or more than 8, if an
   *     extent is less than 1, or if there are more than {@link #MOST_NODES} nodes
   */
  static Network torus(Level link, int... extents) {
    return new Torus(link, extents);
  }

  /**
   * Makes a dragonfly: groups of routers, and each group connected with each other group. The
   * routers of a group form a grid in which every router is connected with all of its row and all
   * of its column; with one row, each is connected with each.
   *
   * @param shape how many groups, routers and nodes
   * @param local the level of links within a group
   * @param global the level of links between groups
   * @return the network
   */
  static Network dragonfly(DragonflyShape shape, Level local, Level global) {
    return new Dragonfly(shape, local, global);
  }

  /**
   * Makes a tree of switches, or a fat tree, where links have several cables.
   *
   * @param nodes how many nodes there are, at most as many as the tiers can hold
   * @param tiers the switches from the nodes upwards; the last tier is one switch
   * @return the network
   * @throws org.hyperslab.error.InvalidUseException if there is no tier, or the tiers have no place
   *     for the nodes
   */
  static Network tree(int nodes, List<Tier> tiers) {
    return new SwitchTree(nodes, tiers);
  }
}
