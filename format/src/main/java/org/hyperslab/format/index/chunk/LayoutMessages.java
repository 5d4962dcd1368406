package org.hyperslab.format.index.chunk;

import java.util.OptionalLong;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.header.ChunkIndexing;
import org.hyperslab.format.header.DataLayoutMessage;
import org.hyperslab.format.index.grid.ChunkGrid;
import org.hyperslab.format.index.grid.ChunkIndexSpec;
import org.hyperslab.format.space.Dataspace;

/**
 * Converts data layout messages to the parameters of chunk indexes, and back. {@link ChunkIndexing}
 * is the form that the message stores; {@link ChunkIndexSpec} is the form that {@link
 * ChunkIndex#open} takes.
 */
final class LayoutMessages {

  private LayoutMessages() {}

  /** Returns the chunked layout of a message. */
  static DataLayoutMessage.Chunked chunked(String file, DataLayoutMessage message) {
    if (message.layout() instanceof DataLayoutMessage.Chunked chunked) {
      return chunked;
    }
    throw new InvalidUseException(
        "data layout: actual="
            + message.layout().getClass().getSimpleName()
            + ", expected=Chunked, at="
            + file);
  }

  static ChunkGrid grid(
      String file, DataLayoutMessage message, Dataspace extent, boolean filtered) {
    DataLayoutMessage.Chunked chunked = chunked(file, message);
    if (chunked.elementSizeBytes() > Integer.MAX_VALUE) {
      throw new CorruptFileException(
          file,
          "chunked data layout",
          CorruptFileException.NO_OFFSET,
          "element size actual=" + chunked.elementSizeBytes() + ", expected=below 2^31");
    }
    return new ChunkGrid(
        extent.dims(),
        extent.maxDims(),
        chunked.chunkSizes(),
        (int) chunked.elementSizeBytes(),
        filtered,
        message.version());
  }

  /**
   * Returns the parameters in a message.
   *
   * @param btreeK K of version 1 B-trees of chunks, from the superblock
   */
  static ChunkIndexSpec spec(ChunkIndexing index, int btreeK) {
    return switch (index) {
      case ChunkIndexing.BTreeV1 _ -> new ChunkIndexSpec.BTreeV1(btreeK);
      case ChunkIndexing.Single single ->
          new ChunkIndexSpec.Single(single.filteredSizeBytes().orElse(0), single.filterMask());
      case ChunkIndexing.Implicit _ -> new ChunkIndexSpec.Implicit();
      case ChunkIndexing.FixedArray array -> new ChunkIndexSpec.FixedArray(array.pageBits());
      case ChunkIndexing.ExtensibleArray array ->
          new ChunkIndexSpec.ExtensibleArray(
              array.maximumBits(),
              array.indexBlockElements(),
              array.minimumSuperBlockPointers(),
              array.minimumDataBlockElements(),
              array.pageBits());
      case ChunkIndexing.BTreeV2 tree ->
          new ChunkIndexSpec.BTreeV2(
              tree.nodeSizeBytes(), tree.splitPercent(), tree.mergePercent());
    };
  }

  /** Returns the part of a message that holds the parameters. */
  static ChunkIndexing index(ChunkIndexSpec spec, boolean filtered) {
    return switch (spec) {
      case ChunkIndexSpec.BTreeV1 _ -> new ChunkIndexing.BTreeV1();
      case ChunkIndexSpec.Single single ->
          new ChunkIndexing.Single(
              filtered ? OptionalLong.of(single.storedBytes()) : OptionalLong.empty(),
              single.filterMask());
      case ChunkIndexSpec.Implicit _ -> new ChunkIndexing.Implicit();
      case ChunkIndexSpec.FixedArray array -> new ChunkIndexing.FixedArray(array.pageBits());
      case ChunkIndexSpec.ExtensibleArray array ->
          new ChunkIndexing.ExtensibleArray(
              array.maximumBits(),
              array.indexBlockElements(),
              array.minimumPointers(),
              array.minimumElements(),
              array.pageBits());
      case ChunkIndexSpec.BTreeV2 tree ->
          new ChunkIndexing.BTreeV2(tree.nodeBytes(), tree.splitPercent(), tree.mergePercent());
    };
  }
}
