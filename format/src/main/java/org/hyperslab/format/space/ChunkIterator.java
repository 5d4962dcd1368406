package org.hyperslab.format.space;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.hyperslab.error.InvalidUseException;

/**
 * Iterates over the chunks that contain selected elements, in row-major order of chunks, each with
 * its piece of the selection. The pieces are values and may be handed to other threads.
 *
 * <p>Thread rule: the iterator is confined to one thread.
 */
public abstract sealed class ChunkIterator implements Iterator<ChunkPiece>
    permits TreeChunkIterator, PointChunkIterator {

  private ChunkPiece ahead;
  private boolean looked;

  ChunkIterator() {}

  static ChunkIterator over(Selection selection, long[] extent, long[] chunkDims) {
    Extents.requireRank(chunkDims.length, extent.length);
    for (int i = 0; i < chunkDims.length; i++) {
      if (chunkDims[i] < 1) {
        throw new InvalidUseException(
            "chunk extent: actual=" + chunkDims[i] + ", expected=at least 1, at=dimension " + i);
      }
    }
    Extents.volume(chunkDims);
    return selection instanceof PointSelection points
        ? new PointChunkIterator(points, extent, chunkDims)
        : new TreeChunkIterator(selection.walkedTree(extent), extent, chunkDims);
  }

  /** Returns the next piece, or null at the end. */
  abstract ChunkPiece find();

  @Override
  public final boolean hasNext() {
    if (!looked) {
      ahead = find();
      looked = true;
    }
    return ahead != null;
  }

  @Override
  public final ChunkPiece next() {
    if (!hasNext()) {
      throw new NoSuchElementException("no more chunks in the selection");
    }
    looked = false;
    return ahead;
  }
}
