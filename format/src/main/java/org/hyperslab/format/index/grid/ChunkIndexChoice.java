package org.hyperslab.format.index.grid;

/**
 * Chooses the index of a new dataset: that of the HDF5 library, unless its size follows the maximum
 * extent instead of the chunks that exist.
 *
 * <p>A fixed array has a slot for each chunk of the maximum extent, an implicit index has the
 * chunks themselves, and an extensible array has slots for a whole row of chunks whenever it grows.
 * Where these would take several times the space of a tree of the present chunks, the dataset gets
 * a version 2 B-tree, which every library since 1.10 reads whatever the maximum is.
 *
 * <p>Thread rule: immutable.
 */
final class ChunkIndexChoice {

  /** How many times the space of a tree an index of the maximum extent may take. */
  private static final int FACTOR = 2;

  /**
   * The most bytes of slots for chunks of the present extent, of which few may ever be written, in
   * an array that is allocated at once.
   */
  private static final long MAX_SLOT_BYTES = 1L << 20;

  /** The same where chunks are so small that a tree of all would be larger than they are. */
  private static final long MAX_SLOT_BYTES_OF_SMALL = 16L << 20;

  /** The size of a chunk above which the records of a full tree are a small part of the data. */
  private static final long SMALL_CHUNK_BYTES = 512;

  private static final int OFFSET_BYTES = Long.BYTES;
  private static final int MASK_BYTES = 4;
  private static final int TREE_HEADER_BYTES = 38;

  private final ChunkGrid grid;
  private final ChunkIndexSpec.BTreeV2 tree =
      (ChunkIndexSpec.BTreeV2) ChunkIndexSpec.standard(ChunkIndexKind.BTREE_V2);

  ChunkIndexChoice(ChunkGrid grid) {
    this.grid = grid;
  }

  /** Returns the kind for a dataset whose chunks may have any index but a version 1 B-tree. */
  ChunkIndexKind kind(boolean earlyAllocation) {
    return switch (grid.unlimitedDimensions()) {
      case 0 -> fixed(earlyAllocation);
      case 1 -> rowsFit() ? ChunkIndexKind.EXTENSIBLE_ARRAY : ChunkIndexKind.BTREE_V2;
      default -> ChunkIndexKind.BTREE_V2;
    };
  }

  private ChunkIndexKind fixed(boolean earlyAllocation) {
    if (grid.isOneFixedChunk()) {
      return ChunkIndexKind.SINGLE;
    }
    long present = count(true);
    long most = count(false);
    if (earlyAllocation && !grid.filtered()) {
      long unused = times(most - present, grid.chunkBytes());
      if (unused <= FACTOR * treeBytes(present)) {
        return ChunkIndexKind.IMPLICIT;
      }
    }
    long slots = times(most, slotBytes());
    boolean follows = slots <= FACTOR * treeBytes(present);
    boolean small = grid.chunkBytes() <= SMALL_CHUNK_BYTES;
    long limit = small ? MAX_SLOT_BYTES_OF_SMALL : MAX_SLOT_BYTES;
    return follows && (earlyAllocation || slots <= limit)
        ? ChunkIndexKind.FIXED_ARRAY
        : ChunkIndexKind.BTREE_V2;
  }

  /**
   * Returns whether the slots of a row of chunks across the unlimited dimension may be allocated.
   */
  private boolean rowsFit() {
    return times(count(false), slotBytes()) <= FACTOR * treeBytes(count(true));
  }

  /** Returns the number of chunks of an extent, across the limited dimensions only. */
  private long count(boolean present) {
    long count = 1;
    for (int d = 0; d < grid.rank(); d++) {
      if (grid.maxDims()[d] != ChunkGrid.UNLIMITED) {
        long along = present ? grid.chunksAlong(d, grid.dims()[d]) : grid.maximumChunks(d);
        count = times(count, along);
      }
    }
    return count;
  }

  private long slotBytes() {
    return OFFSET_BYTES + sizeBytes();
  }

  /** Returns the width of what an index records of the size of a filtered chunk. */
  private long sizeBytes() {
    return grid.filtered() ? Long.BYTES + MASK_BYTES : 0;
  }

  /** Returns the approximate size of a tree whose nodes are two thirds full. */
  private long treeBytes(long chunks) {
    long record = OFFSET_BYTES + sizeBytes() + (long) Long.BYTES * grid.rank();
    long nodes = 1 + times(chunks, record) / (tree.nodeBytes() * 2L / 3);
    return Math.min(times(nodes, tree.nodeBytes()) + TREE_HEADER_BYTES, Long.MAX_VALUE / FACTOR);
  }

  /** Multiplies, up to a limit that leaves room for additions. */
  private static long times(long a, long b) {
    long limit = Long.MAX_VALUE >> 2;
    return a != 0 && b > limit / a ? limit : a * b;
  }
}
