package org.hyperslab.machine;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.hyperslab.error.InvalidUseException;

/**
 * A map from each rank of a job to its processor of a machine. Several ranks may share a processor.
 *
 * <p>Thread rule: immutable.
 */
public final class RankMap {

  private final Machine machine;
  private final int[] processors;

  private RankMap(Machine machine, int[] processors) {
    this.machine = machine;
    this.processors = processors;
  }

  /**
   * Creates a map.
   *
   * @param machine the machine
   * @param processorOfRank the processor of each rank
   * @return the map, which copies the array
   * @throws InvalidUseException if a processor does not exist
   */
  public static RankMap of(Machine machine, int... processorOfRank) {
    for (int processor : processorOfRank) {
      machine.nodeOf(processor);
    }
    return new RankMap(machine, processorOfRank.clone());
  }

  /**
   * Fills one node after the other.
   *
   * @param machine the machine
   * @param ranks the number of ranks
   * @return a map of rank r to processor r
   * @throws InvalidUseException if there are more ranks than processors
   */
  public static RankMap bySlot(Machine machine, int ranks) {
    return of(machine, IntStream.range(0, ranks).toArray());
  }

  /**
   * Assigns ranks to nodes in turn.
   *
   * @param machine the machine
   * @param ranks the number of ranks
   * @param nodes the number of nodes to use, from the first
   * @return the map
   * @throws InvalidUseException if the nodes have fewer processors than there are ranks
   */
  public static RankMap byNode(Machine machine, int ranks, int nodes) {
    if (nodes < 1
        || nodes > machine.nodes()
        || ranks > (long) nodes * machine.processorsPerNode()) {
      throw new InvalidUseException(
          ("ranks by node: actual=%d ranks on %d nodes, expected=at most %d ranks on each of"
                  + " %d nodes")
              .formatted(ranks, nodes, machine.processorsPerNode(), machine.nodes()));
    }
    int[] all = new int[ranks];
    for (int rank = 0; rank < ranks; rank++) {
      all[rank] = rank % nodes * machine.processorsPerNode() + rank / nodes;
    }
    return new RankMap(machine, all);
  }

  /** {@return the machine on which the ranks run} */
  public Machine machine() {
    return machine;
  }

  /** {@return the number of ranks} */
  public int size() {
    return processors.length;
  }

  /**
   * Returns the processor of a rank.
   *
   * @param rank a rank
   * @return its processor
   */
  public int processor(int rank) {
    return processors[rank];
  }

  /**
   * Returns the node of a rank.
   *
   * @param rank a rank
   * @return its node
   */
  public int node(int rank) {
    return machine.nodeOf(processors[rank]);
  }

  /**
   * Returns the distance between two ranks.
   *
   * @param a a rank
   * @param b a rank
   * @return the distance in hops; 0 for a rank and itself
   */
  public int hops(int a, int b) {
    if (a != b && processors[a] == processors[b]) {
      return machine.node().hops();
    }
    return machine.hops(processors[a], processors[b]);
  }

  /** {@return the processor of each rank; a copy} */
  public int[] toArray() {
    return processors.clone();
  }

  @Override
  public String toString() {
    return Arrays.toString(processors);
  }
}
