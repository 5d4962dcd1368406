package org.hyperslab.format.index.btree;

import org.hyperslab.error.InvalidUseException;

/**
 * The creation parameters of a B-tree.
 *
 * @param nodeBytes the size of every node in bytes
 * @param splitPercent the fill level, in percent of a node's capacity, at which a node is split
 * @param mergePercent the fill level at which a node is merged with a neighbour; below half of
 *     {@code splitPercent}
 */
public record BTreeParameters(int nodeBytes, int splitPercent, int mergePercent) {

  /** The parameters that the C library uses for links, attributes and huge heap objects. */
  public static final BTreeParameters SMALL = new BTreeParameters(512, 100, 40);

  /** The parameters that the C library uses for chunks. */
  public static final BTreeParameters CHUNKS = new BTreeParameters(2048, 100, 40);

  /** Checks the parameters. */
  public BTreeParameters {
    if (nodeBytes < 64
        || splitPercent < 1
        || splitPercent > 100
        || mergePercent < 1
        || mergePercent >= (splitPercent + 1) / 2) {
      throw new InvalidUseException(
          "B-tree parameters: actual=node "
              + nodeBytes
              + " bytes, split "
              + splitPercent
              + "%, merge "
              + mergePercent
              + "%, expected=node of at least 64 bytes, split 1..100%, merge below half of split");
    }
  }
}
