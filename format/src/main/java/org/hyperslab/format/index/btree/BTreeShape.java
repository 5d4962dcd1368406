package org.hyperslab.format.index.btree;

import java.util.Arrays;
import org.hyperslab.format.io.FileGeometry;

/**
 * The properties derived from a version 2 B-tree header's fixed fields: the capacity of a node at
 * each depth, and the width of its child pointers. Depth 0 is a leaf.
 *
 * <p>Thread rule: immutable.
 */
final class BTreeShape {

  /** The size of signature, version and type, which precede the records of a node. */
  static final int PREFIX_BYTES = 6;

  static final int CHECKSUM_BYTES = 4;

  /** The greatest depth of a tree: that of 2^63 records with two children per node. */
  private static final int MAXIMUM_LEVELS = 63;

  private final FileGeometry geometry;
  private final int type;
  private final int nodeBytes;
  private final int recordBytes;
  private final int splitPercent;
  private final int mergePercent;
  private final int countBytes;

  /** The number of records that fit in a node, by depth. */
  private final int[] capacity;

  /** The width in bytes of the subtree count in a pointer to a node of this depth; 0 at depth 0. */
  private final int[] totalBytes;

  BTreeShape(
      FileGeometry geometry,
      int type,
      int recordBytes,
      int nodeBytes,
      int splitPercent,
      int mergePercent) {
    this.geometry = geometry;
    this.type = type;
    this.nodeBytes = nodeBytes;
    this.recordBytes = recordBytes;
    this.splitPercent = splitPercent;
    this.mergePercent = mergePercent;
    int[] capacities = new int[MAXIMUM_LEVELS];
    int[] widths = new int[MAXIMUM_LEVELS];
    capacities[0] = (nodeBytes - PREFIX_BYTES - CHECKSUM_BYTES) / recordBytes;
    this.countBytes = encodedBytes(Math.max(1, capacities[0]));
    long total = capacities[0];
    int levels = 1;
    while (levels < MAXIMUM_LEVELS && total > 0) {
      int pointer = geometry.sizeOfOffsets() + countBytes + widths[levels - 1];
      int fits = (nodeBytes - PREFIX_BYTES - CHECKSUM_BYTES - pointer) / (recordBytes + pointer);
      if (fits < 1 || total > (Long.MAX_VALUE - fits) / (fits + 1L)) {
        break;
      }
      total = total * (fits + 1L) + fits;
      capacities[levels] = fits;
      widths[levels] = encodedBytes(total);
      levels++;
    }
    this.capacity = Arrays.copyOf(capacities, levels);
    this.totalBytes = Arrays.copyOf(widths, levels);
  }

  /** Returns the number of bytes needed to store any number up to {@code limit}. */
  private static int encodedBytes(long limit) {
    return (63 - Long.numberOfLeadingZeros(limit)) / 8 + 1;
  }

  FileGeometry geometry() {
    return geometry;
  }

  /** Returns whether nodes of both shapes have the same layout. */
  boolean isLike(BTreeShape other) {
    return this == other
        || (type == other.type && nodeBytes == other.nodeBytes && recordBytes == other.recordBytes);
  }

  int type() {
    return type;
  }

  int nodeBytes() {
    return nodeBytes;
  }

  int recordBytes() {
    return recordBytes;
  }

  int splitPercent() {
    return splitPercent;
  }

  int mergePercent() {
    return mergePercent;
  }

  /**
   * Returns the number of levels that a tree of this shape may have; the depth of the root is below
   * it.
   */
  int levels() {
    return capacity.length;
  }

  /** Returns the number of records that fit in a node at {@code depth}. */
  int capacity(int depth) {
    return capacity[depth];
  }

  /**
   * Returns the number of records at which a node is full and must be split before it is entered.
   */
  int full(int depth) {
    return Math.clamp((long) capacity[depth] * splitPercent / 100, 1, capacity[depth]);
  }

  /**
   * Returns the number of records at or below which a node must be refilled before a removal enters
   * it. It is bounded so that two such nodes fit in one.
   */
  int low(int depth) {
    long low = (long) capacity[depth] * mergePercent / 100;
    return Math.clamp(low, 1, Math.max(1, capacity[depth] / 2 - 1));
  }

  /** Returns the width in bytes of the record count in a child pointer. */
  int countBytes() {
    return countBytes;
  }

  /**
   * Returns the width in bytes of the subtree count in a pointer to a node at {@code childDepth}.
   */
  int totalBytes(int childDepth) {
    return totalBytes[childDepth];
  }
}
