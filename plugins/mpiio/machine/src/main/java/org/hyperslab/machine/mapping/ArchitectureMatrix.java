package org.hyperslab.machine.mapping;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.machine.Machine;

/**
 * The cost of sending between the processors that a job may use, in nanoseconds per kibibyte, so
 * that a larger bandwidth has a smaller value. Places number the processors of the job from 0.
 *
 * <p>Thread rule: immutable.
 */
public final class ArchitectureMatrix {

  /** The greatest number of processors of a matrix. */
  public static final int MAX_PLACES = 4096;

  private static final double KIBIBYTE = 1024;

  private final Machine machine;
  private final int[] processors;
  private final float[][] costs;
  private final double withinNode;

  private ArchitectureMatrix(
      Machine machine, int[] processors, float[][] costs, double withinNode) {
    this.machine = machine;
    this.processors = processors;
    this.costs = costs;
    this.withinNode = withinNode;
  }

  /**
   * Makes the matrix of some processors of a machine.
   *
   * @param machine the machine
   * @param processors the processors, each once
   * @return the matrix
   * @throws InvalidUseException if there are more than {@link #MAX_PLACES}, or one is given twice
   *     or does not exist
   */
  public static ArchitectureMatrix of(Machine machine, int... processors) {
    if (processors.length > MAX_PLACES
        || Arrays.stream(processors).distinct().count() != processors.length) {
      throw new InvalidUseException(
          "architecture matrix: actual="
              + processors.length
              + " processors, expected=at most "
              + MAX_PLACES
              + ", each once");
    }
    float[][] costs = new float[processors.length][processors.length];
    double withinNode = 0;
    for (int a = 0; a < costs.length; a++) {
      for (int b = 0; b < a; b++) {
        double cost = KIBIBYTE * 1e9 / machine.bytesPerSecond(processors[a], processors[b]);
        costs[a][b] = (float) cost;
        costs[b][a] = (float) cost;
        if (machine.nodeOf(processors[a]) == machine.nodeOf(processors[b])) {
          withinNode = Math.max(withinNode, costs[a][b]);
        }
      }
    }
    return new ArchitectureMatrix(machine, processors.clone(), costs, withinNode);
  }

  /**
   * Makes the matrix of the first processors of the first nodes.
   *
   * @param machine the machine
   * @param nodes the number of nodes
   * @param perNode the number of processors of each
   * @return the matrix
   * @throws InvalidUseException if the machine has fewer, or if there are more than {@link
   *     #MAX_PLACES} in all
   */
  public static ArchitectureMatrix ofNodes(Machine machine, int nodes, int perNode) {
    if (nodes < 1
        || nodes > machine.nodes()
        || perNode < 1
        || perNode > machine.processorsPerNode()) {
      throw new InvalidUseException(
          "nodes of the job: actual=%d with %d processors each, expected=no more than the machine "
                  .formatted(nodes, perNode)
              + "has, %d with %d; name another machine, or place fewer ranks"
                  .formatted(machine.nodes(), machine.processorsPerNode()));
    }
    if ((long) nodes * perNode > MAX_PLACES) {
      throw new InvalidUseException(
          "nodes of the job: actual=%d with %d processors each, expected=at most %d processors"
              .formatted(nodes, perNode, MAX_PLACES));
    }
    return of(
        machine,
        IntStream.range(0, nodes * perNode)
            .map(i -> i / perNode * machine.processorsPerNode() + i % perNode)
            .toArray());
  }

  /** {@return the machine whose processors these are} */
  public Machine machine() {
    return machine;
  }

  /** {@return the number of processors} */
  public int places() {
    return processors.length;
  }

  /**
   * Returns the processor of a place.
   *
   * @param place a place
   * @return its processor
   */
  public int processor(int place) {
    return processors[place];
  }

  /**
   * Returns the cost of a connection.
   *
   * @param a a place
   * @param b a place
   * @return the cost in nanoseconds per kibibyte; 0 for a place and itself
   */
  public double cost(int a, int b) {
    return costs[a][b];
  }

  /** {@return the greatest cost between two places of one node} */
  public double withinNode() {
    return withinNode;
  }
}
