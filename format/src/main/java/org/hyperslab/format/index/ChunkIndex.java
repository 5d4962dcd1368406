package org.hyperslab.format.index;

import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.header.DataLayoutMessage;
import org.hyperslab.format.metadata.MetadataSpace;
import org.hyperslab.format.space.Dataspace;

/**
 * The index of one chunked dataset: from a chunk's coordinates to its place in the file.
 *
 * <p>Coordinates are <i>scaled</i>: element offset divided by chunk dimension, one per dataset
 * dimension. An index never touches the chunks' bytes: {@link #put} records where the caller has
 * put a chunk, {@link #remove} returns the place so that the caller may free it, and {@link
 * #delete} frees only the index's own blocks. The one exception is the {@linkplain
 * ChunkIndexKind#IMPLICIT implicit} index, whose chunks are a single allocation that the index
 * makes and frees itself; {@link #ownsChunkSpace} tells.
 *
 * <p>An index that has no root yet ({@link #rootAddress} undefined) finds nothing. Its root comes
 * with {@link #create} or the first {@link #put}.
 *
 * <p>Thread rule: {@link #find}, {@link #forEach} and {@link #metadataBytes} may be called by
 * several readers at once; everything else needs the file's write lock, with no reader under way.
 * There is one index object per dataset of an open file: it remembers blocks that it has just read,
 * and would not see what another object edits.
 *
 * <p>Errors: {@link CorruptFileException} where blocks on disk contradict the format, each other or
 * the grid; {@link InvalidUseException} for coordinates outside the maximum extent, or a location
 * that the index cannot encode.
 */
public sealed interface ChunkIndex permits SingleChunkIndex, RootedChunkIndex {

  /**
   * {@return the index of a dataset}
   *
   * @param space the file's metadata
   * @param grid how the dataset is cut
   * @param spec kind and parameters, from the layout message or {@link ChunkIndexSpec#standard}
   * @param rootAddress the index address in the layout message; {@link
   *     org.hyperslab.format.io.FileGeometry#UNDEFINED} if there is no index yet. Nothing is read
   *     now.
   * @throws CorruptFileException if the grid is none that a dataset can have, or does not fit the
   *     kind
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
   * @param extent its dataspace
   * @param filtered whether it has a filter pipeline with at least one filter
   * @param btreeK K of version-1 B-trees of chunks, from the superblock; used by no other kind
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

  /** {@return how the dataset is cut, with the present extent} */
  ChunkGrid grid();

  /**
   * {@return the location of a chunk, or {@link ChunkLocation#NONE}}
   *
   * @param scaled coordinates, one per dimension; not kept
   */
  ChunkLocation find(long[] scaled);

  /**
   * Enters a chunk, or replaces its present entry. Makes the root if there is none.
   *
   * @param scaled coordinates, one per dimension; not kept
   * @param location an allocated location. Without filters its size must be that of a chunk and its
   *     mask 0, for most kinds store neither.
   * @return whether {@link #rootAddress} or {@link #spec} changed, so that the layout message must
   *     be rewritten
   */
  boolean put(long[] scaled, ChunkLocation location);

  /**
   * Takes a chunk out.
   *
   * @param scaled the chunk's coordinates, in chunks
   * @return where it was, for the caller to free; {@link ChunkLocation#NONE} if it was not there.
   *     The implicit index keeps its chunks and always returns NONE.
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
   * Tells the index that the dataset's present extent has changed. The caller {@link #remove}s
   * chunks that fell outside beforehand.
   *
   * @param newDims elements, within the grid's maximum
   */
  void extentChanged(long[] newDims);

  /**
   * Makes the root, if there is none: a header or an empty node; for the implicit index the space
   * of all chunks up to the maximum extent.
   *
   * @return whether {@link #rootAddress} changed
   */
  boolean create();

  /**
   * Frees the index's own blocks, and for the implicit index the chunks with them; afterwards there
   * is no root. Chunks of the other kinds must be freed before, by {@link #forEach}.
   */
  void delete();

  /**
   * {@return the index address for the layout message, or undefined} For a single chunk, the
   * chunk's own.
   */
  long rootAddress();

  /**
   * {@return the parameters for the layout message; those of a single chunk change with {@link
   * #put}}
   */
  ChunkIndexSpec spec();

  /**
   * {@return whether the chunks' space is the index's to allocate and free: only the implicit
   * index's is}
   */
  default boolean ownsChunkSpace() {
    return false;
  }

  /** {@return bytes of file space that the index's own blocks take} */
  long metadataBytes();
}
