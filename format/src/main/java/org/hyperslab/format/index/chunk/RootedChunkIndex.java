package org.hyperslab.format.index.chunk;

import org.hyperslab.format.index.array.ChunkChecks;
import org.hyperslab.format.index.grid.ChunkGrid;
import org.hyperslab.format.index.grid.ChunkIndexSpec;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.metadata.MetadataSpace;

/**
 * The common part of the indexes that have blocks of their own in the file: the present grid, the
 * parameters and the address of the first block. A {@linkplain SingleChunkIndex single chunk} has
 * no such blocks.
 *
 * @param <S> the type of the parameters
 */
abstract sealed class RootedChunkIndex<S extends ChunkIndexSpec> implements ChunkIndex
    permits BTreeV1ChunkIndex,
        ImplicitChunkIndex,
        FixedArrayChunkIndex,
        ExtensibleArrayChunkIndex,
        BTreeV2ChunkIndex {

  final MetadataSpace space;
  final S spec;
  ChunkGrid grid;

  /** The address of the first block, or {@link FileGeometry#UNDEFINED}. */
  long root;

  RootedChunkIndex(MetadataSpace space, ChunkGrid grid, S spec, long root) {
    this.space = space;
    this.grid = grid;
    this.spec = spec;
    this.root = root;
  }

  @Override
  public final ChunkGrid grid() {
    return grid;
  }

  @Override
  public final long rootAddress() {
    return root;
  }

  @Override
  public final ChunkIndexSpec spec() {
    return spec;
  }

  @Override
  public final void extentChanged(long[] newDims) {
    ChunkChecks.extent(newDims, grid);
    grid = grid.withDims(newDims.clone());
  }
}
