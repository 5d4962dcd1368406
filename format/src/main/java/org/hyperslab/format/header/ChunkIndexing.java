package org.hyperslab.format.header;

import java.util.OptionalLong;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;

/**
 * The chunk index type of a chunked dataset, with the parameters in its data layout message.
 *
 * <p>Source: HDF5 File Format Specification, IV.A.2.i, "Chunk Indexing Type"; reference {@code
 * H5Olayout.c}. Bit 1 of the layout's flags states whether a single chunk has a filtered size.
 */
public sealed interface ChunkIndexing {

  /** A version 1 B-tree, the only index of layout versions 1 to 3. */
  record BTreeV1() implements ChunkIndexing {}

  /**
   * A single chunk that covers the whole extent.
   *
   * @param filteredSizeBytes the chunk's size after its filters; empty if the dataset has none
   * @param filterMask bit i set: filter i was skipped
   */
  record Single(OptionalLong filteredSizeBytes, int filterMask) implements ChunkIndexing {}

  /** All chunks of the maximum extent, one after another, at the index address. */
  record Implicit() implements ChunkIndexing {}

  /**
   * An array with one slot for each chunk of the maximum extent.
   *
   * @param pageBits log2 of the number of slots in a page of a data block
   */
  record FixedArray(int pageBits) implements ChunkIndexing {

    /** The parameters that the reference implementation uses. */
    public static final FixedArray DEFAULT = new FixedArray(10);
  }

  /**
   * An array that grows in one dimension.
   *
   * @param maximumBits log2 of the greatest number of slots
   * @param indexBlockElements the number of slots in the index block
   * @param minimumSuperBlockPointers the least number of pointers in a super block
   * @param minimumDataBlockElements the least number of slots in a data block
   * @param pageBits log2 of the number of slots in a page of a data block
   */
  record ExtensibleArray(
      int maximumBits,
      int indexBlockElements,
      int minimumSuperBlockPointers,
      int minimumDataBlockElements,
      int pageBits)
      implements ChunkIndexing {

    /** The parameters that the reference implementation uses. */
    public static final ExtensibleArray DEFAULT = new ExtensibleArray(32, 4, 4, 16, 10);
  }

  /**
   * A version 2 B-tree.
   *
   * @param nodeSizeBytes the size of a node in bytes
   * @param splitPercent the fill level at which a node is split
   * @param mergePercent the fill level at which a node is merged
   */
  record BTreeV2(int nodeSizeBytes, int splitPercent, int mergePercent) implements ChunkIndexing {

    /** The parameters that the reference implementation uses. */
    public static final BTreeV2 DEFAULT = new BTreeV2(2048, 100, 40);
  }

  /** {@return the code in a layout message of version 4 or 5; 0 for a version 1 B-tree} */
  default int code() {
    return switch (this) {
      case BTreeV1 _ -> 0;
      case Single _ -> 1;
      case Implicit _ -> 2;
      case FixedArray _ -> 3;
      case ExtensibleArray _ -> 4;
      case BTreeV2 _ -> 5;
    };
  }

  /**
   * Decodes the type and its parameters.
   *
   * @param reader reads the bytes, from its position
   * @param singleFiltered whether a single chunk has a filtered size
   * @return the chunk index type
   */
  static ChunkIndexing decode(MetadataReader reader, boolean singleFiltered) {
    int code = reader.u8();
    return switch (code) {
      case 1 ->
          singleFiltered
              ? new Single(OptionalLong.of(size(reader)), reader.i32())
              : new Single(OptionalLong.empty(), 0);
      case 2 -> new Implicit();
      case 3 -> new FixedArray(atLeastOne(reader, "page bits", reader.u8()));
      case 4 ->
          new ExtensibleArray(
              atLeastOne(reader, "maximum bits", reader.u8()),
              atLeastOne(reader, "index block elements", reader.u8()),
              atLeastOne(reader, "super block minimum data pointers", reader.u8()),
              atLeastOne(reader, "data block minimum elements", reader.u8()),
              atLeastOne(reader, "page bits", reader.u8()));
      case 5 -> btree(reader);
      default -> throw reader.corrupt("chunk index type actual=" + code + ", expected=1..5");
    };
  }

  private static BTreeV2 btree(MetadataReader reader) {
    long nodeSize = reader.u32();
    int split = reader.u8();
    int merge = reader.u8();
    if (nodeSize < 1 || nodeSize > Integer.MAX_VALUE) {
      throw reader.corrupt("B-tree node size actual=" + nodeSize + ", expected=1..2147483647");
    }
    return new BTreeV2((int) nodeSize, split, merge);
  }

  private static long size(MetadataReader reader) {
    long size = reader.length();
    if (size == FileGeometry.UNDEFINED && reader.geometry().sizeOfLengths() < Long.BYTES) {
      return 0; // the value that HDF5 1.10 stores for a missing chunk
    }
    if (size < 0) {
      throw reader.corrupt("filtered chunk size actual=" + size + ", expected=at least 0");
    }
    return size;
  }

  private static int atLeastOne(MetadataReader reader, String what, int value) {
    if (value < 1) {
      throw reader.corrupt(what + " actual=" + value + ", expected=at least 1");
    }
    return value;
  }

  /**
   * Appends the type and its parameters.
   *
   * @param writer receives the bytes, at its position
   */
  default void encode(MetadataWriter writer) {
    writer.u8(code());
    switch (this) {
      case BTreeV1 _, Implicit _ -> {}
      case Single single -> {
        if (single.filteredSizeBytes.isPresent()) {
          writer.length(single.filteredSizeBytes.getAsLong()).u32(single.filterMask);
        }
      }
      case FixedArray array -> writer.u8(array.pageBits);
      case ExtensibleArray array ->
          writer
              .u8(array.maximumBits)
              .u8(array.indexBlockElements)
              .u8(array.minimumSuperBlockPointers)
              .u8(array.minimumDataBlockElements)
              .u8(array.pageBits);
      case BTreeV2 tree ->
          writer.u32(tree.nodeSizeBytes).u8(tree.splitPercent).u8(tree.mergePercent);
    }
  }
}
