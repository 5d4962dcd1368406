package org.hyperslab.format.index.chunk;

import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.header.DataLayoutMessage;
import org.hyperslab.format.index.grid.ChunkGrid;
import org.hyperslab.format.index.grid.ChunkIndexKind;
import org.hyperslab.format.index.grid.ChunkIndexSpec;
import org.hyperslab.format.index.grid.ChunkLocation;
import org.hyperslab.format.index.grid.ChunkVisitor;
import org.hyperslab.format.metadata.MetadataSpace;
import org.hyperslab.format.space.Dataspace;

/**
 * The index of one chunked dataset, which maps a chunk's coordinates to its place in the file.
 *
 * <p>Coordinates are <i>scaled</i>: element offset divided by chunk dimension, one per dataset
 * dimension. An index never accesses the chunks' bytes: {@link #put} records where the caller has
 * placed a chunk, {@link #remove} returns the place so that the caller may free it, and {@link
 * #delete} frees only the index's own blocks. The exception is the {@linkplain
 * ChunkIndexKind#IMPLICIT implicit} index, whose chunks are a single allocation that the index
 * makes and frees itself (see {@link #ownsChunkSpace}).
 *
 * <p>An index without a root ({@link #rootAddress} undefined) contains no chunks. {@link #create}
 * or the first {@link #put} creates the root.
 *
 * <p>Thread rule: {@link #find}, {@link #forEach} and {@link #metadataBytes} in any number of
 * threads; everything else under the file's write lock, with no readers. An open file has one index
 * object per dataset: it caches blocks that it has read, and would not see edits of another object.
 *
 * <p>Errors: {@link CorruptFileException} if blocks on disk contradict the format, each other or
 * the grid; {@link InvalidUseException} for coordinates outside the maximum extent, or a location
 * that the index cannot encode.
 */
public sealed interface ChunkIndex permits SingleChunkIndex, RootedChunkIndex {

  /**
   * {@return the index of a dataset}
   *
   * @param space the file's metadata
   * @param grid the division of the dataset into chunks
   * @param spec the kind and parameters, from the layout message or {@link ChunkIndexSpec#standard}
   * @param rootAddress the index address in the layout message; {@link
   *     org.hyperslab.format.io.FileGeometry#UNDEFINED} if there is no index yet. This method reads
   *     nothing.
   * @throws CorruptFileException if no dataset can have the grid, or if it does not match the kind
   */
  static ChunkIndex open(
      MetadataSpace space, ChunkGrid grid, ChunkIndexSpec spec, long rootAddress) {
    grid.check(space.geometry().file());
    return switch (spec) {
      case ChunkIndexSpec.BTreeV1 s -> new BTreeV1ChunkIndex(space, grid, s, rootAddress);
      case ChunkIndexSpec.Single s -> new SingleChunkIndex(space, grid, s, rootAddress);
      case ChunkIndexSpec.Implicit s -> new ImplicitChunkIndex(space, grid, s, rootAddress);
      case ChunkIndexSpec.FixedArray s -> new FixedArrayChunkIndex(space, grid, s, rootAddress);
      case ChunkIndexSpec.ExtensibleArray s ->
          new ExtensibleArrayChunkIndex(space, grid, s, rootAddress);
      case ChunkIndexSpec.BTreeV2 s -> new BTreeV2ChunkIndex(space, grid, s, rootAddress);
    };
  }

  /**
   * {@return the index of a dataset as its header describes it}
   *
   * @param space the file's metadata
   * @param message the dataset's data layout message, of chunked class
   * @param extent the dataset's dataspace
   * @param filtered whether it has a filter pipeline with at least one filter
   * @param btreeK K of version 1 B-trees of chunks, from the superblock; used by no other kind
   */
  static ChunkIndex open(
      MetadataSpace space,
      DataLayoutMessage message,
      Dataspace extent,
      boolean filtered,
      int btreeK) {
    String file = space.geometry().file();
    DataLayoutMessage.Chunked chunked = LayoutMessages.chunked(file, message);
    return open(
        space,
        LayoutMessages.grid(file, message, extent, filtered),
        LayoutMessages.spec(chunked.index(), btreeK),
        chunked.indexAddress());
  }

  /**
   * {@return a data layout message with the present {@link #spec} and {@link #rootAddress}}
   *
   * @param old the dataset's message, of chunked class
   */
  default DataLayoutMessage updated(DataLayoutMessage old) {
    DataLayoutMessage.Chunked chunked = LayoutMessages.chunked("layout message", old);
    return new DataLayoutMessage(
        old.version(),
        chunked.withIndex(LayoutMessages.index(spec(), grid().filtered()), rootAddress()));
  }

  /** {@return the division of the dataset, with the present extent} */
  ChunkGrid grid();

  /**
   * {@return the location of a chunk, or {@link ChunkLocation#NONE}}
   *
   * @param scaled coordinates, one per dimension; not kept
   */
  ChunkLocation find(long[] scaled);

  /**
   * Inserts a chunk, or replaces its entry. Creates the root if there is none.
   *
   * @param scaled coordinates, one per dimension; not kept
   * @param location an allocated location. Without filters its size must be that of a chunk and its
   *     mask 0, because most kinds of index store neither.
   * @return whether {@link #rootAddress} or {@link #spec} changed, so that the layout message must
   *     be rewritten
   */
  boolean put(long[] scaled, ChunkLocation location);

  /**
   * Removes a chunk from the index.
   *
   * @param scaled the chunk's coordinates, in chunks
   * @return the chunk's location, for the caller to free; {@link ChunkLocation#NONE} if it was not
   *     in the index. The implicit index keeps its chunks and always returns NONE.
   */
  ChunkLocation remove(long[] scaled);

  /**
   * Visits every allocated chunk in index order: ascending coordinates, slowest dimension first; in
   * an extensible array the unlimited dimension counts as the slowest.
   *
   * @param visitor called for each chunk
   */
  void forEach(ChunkVisitor visitor);

  /**
   * Informs the index that the dataset's extent has changed. Before that, the caller {@link
   * #remove}s the chunks that are outside the new extent.
   *
   * @param newDims the new extent in elements, within the grid's maximum
   */
  void extentChanged(long[] newDims);

  /**
   * Creates the root, if there is none: a header or an empty node, or for the implicit index the
   * space of all chunks of the maximum extent.
   *
   * @return whether {@link #rootAddress} changed
   */
  boolean create();

  /**
   * Frees the index's own blocks, and for the implicit index also the chunks; afterwards there is
   * no root. Chunks of the other kinds must be freed before, by {@link #forEach}.
   */
  void delete();

  /**
   * {@return the index address for the layout message, or undefined} For a single chunk, this is
   * the chunk's own address.
   */
  long rootAddress();

  /**
   * {@return the parameters for the layout message; those of a single chunk change with {@link
   * #put}}
   */
  ChunkIndexSpec spec();

  /**
   * {@return whether the index allocates and frees the chunks' space: true only for the implicit
   * index}
   */
  default boolean ownsChunkSpace() {
    return false;
  }

  /** {@return the size of the index's own blocks in the file, in bytes} */
  long metadataBytes();
}
