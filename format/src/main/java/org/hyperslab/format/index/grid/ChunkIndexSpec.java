package org.hyperslab.format.index.grid;

import org.hyperslab.format.index.btree.BTreeV2;

/**
 * The parameters of a chunk index, as stored in a data layout message (or, for {@link BTreeV1}, in
 * the superblock).
 *
 * <p>Source: HDF5 File Format Specification 3.0, section IV.A.2.i "Data Layout Message", version 4.
 */
public sealed interface ChunkIndexSpec {

  /** {@return the kind of the index} */
  ChunkIndexKind kind();

  /**
   * {@return the parameters with which the C library creates an index of a kind}
   *
   * @param kind the kind of index
   */
  static ChunkIndexSpec standard(ChunkIndexKind kind) {
    return switch (kind) {
      case BTREE_V1 -> new BTreeV1(32);
      case SINGLE -> new Single(0, 0);
      case IMPLICIT -> new Implicit();
      case FIXED_ARRAY -> new FixedArray(10);
      case EXTENSIBLE_ARRAY -> new ExtensibleArray(32, 4, 4, 16, 10);
      case BTREE_V2 -> new BTreeV2(2048, 100, 40);
    };
  }

  /**
   * A version 1 B-tree of node type 1.
   *
   * @param k half the number of entries of a full node: "Indexed Storage Internal Node K" of the
   *     superblock or of a B-tree K values message; 32 if neither states another value
   */
  record BTreeV1(int k) implements ChunkIndexSpec {
    @Override
    public ChunkIndexKind kind() {
      return ChunkIndexKind.BTREE_V1;
    }
  }

  /**
   * A single chunk; the index address in the layout message is the chunk's own.
   *
   * @param storedBytes the filtered chunk's size in the file; unused without filters
   * @param filterMask the filters skipped; unused without filters
   */
  record Single(long storedBytes, int filterMask) implements ChunkIndexSpec {
    @Override
    public ChunkIndexKind kind() {
      return ChunkIndexKind.SINGLE;
    }
  }

  /** The implicit index: the index address is that of the first chunk, and the others follow it. */
  record Implicit() implements ChunkIndexSpec {
    @Override
    public ChunkIndexKind kind() {
      return ChunkIndexKind.IMPLICIT;
    }
  }

  /**
   * A fixed array.
   *
   * @param pageBits log2 of the number of elements in a page of a data block
   */
  record FixedArray(int pageBits) implements ChunkIndexSpec {
    @Override
    public ChunkIndexKind kind() {
      return ChunkIndexKind.FIXED_ARRAY;
    }
  }

  /**
   * An extensible array. The parameters are in the order of the layout message (in the array's own
   * header, the second and the third from the end are swapped).
   *
   * @param maximumBits the number of bits of the greatest number of elements
   * @param indexBlockElements the number of elements stored in the index block itself
   * @param minimumPointers the least number of data block pointers in a super block; a power of 2
   * @param minimumElements the number of elements in the smallest data block; a power of 2
   * @param pageBits log2 of the number of elements in a page of a data block
   */
  record ExtensibleArray(
      int maximumBits,
      int indexBlockElements,
      int minimumPointers,
      int minimumElements,
      int pageBits)
      implements ChunkIndexSpec {
    @Override
    public ChunkIndexKind kind() {
      return ChunkIndexKind.EXTENSIBLE_ARRAY;
    }
  }

  /**
   * A version 2 B-tree of record type 10 or 11.
   *
   * @param nodeBytes the size of a node in bytes
   * @param splitPercent the fill level at which a node is split
   * @param mergePercent the fill level at which a node is merged
   */
  record BTreeV2(int nodeBytes, int splitPercent, int mergePercent) implements ChunkIndexSpec {
    @Override
    public ChunkIndexKind kind() {
      return ChunkIndexKind.BTREE_V2;
    }
  }
}
