package org.hyperslab.format.index.grid;

import org.hyperslab.format.index.chunk.ChunkIndex;

/** Receives each allocated chunk from {@link ChunkIndex#forEach}. */
@FunctionalInterface
public interface ChunkVisitor {

  /**
   * Visits one chunk. It must not edit the index.
   *
   * @param scaled the chunk's coordinates: element offset divided by chunk dimension, one per
   *     dataset dimension; the array is reused for the next chunk
   * @param location the place of the chunk
   * @return false to stop
   */
  boolean visit(long[] scaled, ChunkLocation location);
}
