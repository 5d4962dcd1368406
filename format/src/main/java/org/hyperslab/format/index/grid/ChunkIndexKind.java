package org.hyperslab.format.index.grid;

import org.hyperslab.error.InvalidUseException;

/**
 * The six kinds of index with which HDF5 finds the chunks of a dataset.
 *
 * <p>Source: HDF5 File Format Specification 3.0, appendix C "Types of Indexes for Dataset Chunks";
 * {@code H5D__layout_set_latest_indexing} in H5Dlayout.c chooses by the maximum extent alone.
 */
public enum ChunkIndexKind {
  /**
   * A version 1 B-tree, for layout messages up to version 3; any extent, readable by every release.
   */
  BTREE_V1(0),
  /** A single chunk that is the whole dataset, which can never grow. */
  SINGLE(1),
  /**
   * Unfiltered, early allocated chunks of a dataset with a fixed maximum extent, one after another.
   */
  IMPLICIT(2),
  /** An array, for a fixed maximum extent. */
  FIXED_ARRAY(3),
  /** An array that grows, for one unlimited dimension. */
  EXTENSIBLE_ARRAY(4),
  /**
   * A version 2 B-tree, for any extent: of two or more unlimited dimensions, or far below a limit.
   */
  BTREE_V2(5);

  private final int code;

  ChunkIndexKind(int code) {
    this.code = code;
  }

  /**
   * {@return the index type in a layout message of version 4 or 5, 1 to 5} {@link #BTREE_V1}, which
   * those messages cannot express, returns 0.
   */
  public int code() {
    return code;
  }

  /**
   * {@return the kind for a new dataset} It is the kind that the C library would choose, unless the
   * size of that one follows the maximum extent, and most of it would never be used.
   *
   * @param grid the dataset's extents and chunk, at creation
   * @param earlyAllocation whether all chunks are allocated when the dataset is created
   * @param modern whether the lower version bound is 1.10 or later, so that layout version 4 is
   *     permitted; otherwise the result is {@link #BTREE_V1}
   */
  public static ChunkIndexKind choose(ChunkGrid grid, boolean earlyAllocation, boolean modern) {
    if (!modern) {
      return BTREE_V1;
    }
    return new ChunkIndexChoice(grid).kind(earlyAllocation);
  }

  /**
   * {@return the kind for a layout message's index type, 1 to 5}
   *
   * @param code the number in the file
   */
  public static ChunkIndexKind ofCode(int code) {
    for (ChunkIndexKind kind : values()) {
      if (kind.code == code && kind != BTREE_V1) {
        return kind;
      }
    }
    throw new InvalidUseException(
        "chunk index type: actual=" + code + ", expected=1..5, at=layout message");
  }
}
