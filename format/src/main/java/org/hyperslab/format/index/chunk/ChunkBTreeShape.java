package org.hyperslab.format.index.chunk;

import java.util.Arrays;
import org.hyperslab.format.index.grid.ChunkGrid;
import org.hyperslab.format.io.FileGeometry;

/**
 * The properties that all nodes of one version 1 chunk B-tree share.
 *
 * @param geometry the file's sizes
 * @param capacity the number of entries in a full node, 2K
 * @param unit the unit of a scaled coordinate, for each key column: the chunk dimensions, then the
 *     element size
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record ChunkBTreeShape(FileGeometry geometry, int capacity, long[] unit) {

  private static final int HEAD_BYTES = 4 + 1 + 1 + 2;
  private static final int KEY_HEAD_BYTES = 4 + 4;

  static ChunkBTreeShape of(FileGeometry geometry, ChunkGrid grid, int k) {
    long[] unit = new long[grid.rank() + 1];
    System.arraycopy(grid.chunkDims(), 0, unit, 0, grid.rank());
    unit[grid.rank()] = grid.elementBytes();
    return new ChunkBTreeShape(geometry, 2 * k, unit);
  }

  /** Returns whether nodes of both shapes have the same layout. */
  boolean isLike(ChunkBTreeShape other) {
    return capacity == other.capacity && Arrays.equals(unit, other.unit);
  }

  /**
   * Returns the number of coordinates in a key: one more than the rank, for the offset within an
   * element.
   */
  int columns() {
    return unit.length;
  }

  /** Returns the size of a node in bytes, full or not. */
  long nodeBytes() {
    long key = KEY_HEAD_BYTES + 8L * columns();
    long offsets = geometry.sizeOfOffsets();
    return HEAD_BYTES + 2 * offsets + capacity * (key + offsets) + key;
  }
}
