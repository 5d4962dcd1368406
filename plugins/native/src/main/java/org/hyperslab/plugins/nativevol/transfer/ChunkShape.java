package org.hyperslab.plugins.nativevol.transfer;

import org.hyperslab.format.filter.FilterPipeline;

/**
 * How a dataset's elements are cut into chunks and stored.
 *
 * <p>Thread rule: immutable; the array is not changed.
 *
 * @param chunkDims the extent of a chunk in elements, slowest first
 * @param elementSize bytes of an element in the file
 * @param pipeline the filters; empty for none
 * @param filterPartialEdges whether chunks that stick out over the extent are filtered too
 * @param fill what unwritten elements are
 */
public record ChunkShape(
    long[] chunkDims,
    int elementSize,
    FilterPipeline pipeline,
    boolean filterPartialEdges,
    FillPattern fill) {

  /** Bytes of a chunk before filters. */
  public long chunkBytes() {
    long bytes = elementSize;
    for (long dim : chunkDims) {
      bytes = Math.multiplyExact(bytes, dim);
    }
    return bytes;
  }

  /** Whether a chunk is filtered, in a dataset of a given extent. */
  public boolean isFiltered(long[] scaled, long[] extent) {
    return !pipeline.isEmpty() && (filterPartialEdges || !isPartialEdge(scaled, extent));
  }

  /** Whether a chunk sticks out over the extent. */
  public boolean isPartialEdge(long[] scaled, long[] extent) {
    for (int d = 0; d < scaled.length; d++) {
      if ((scaled[d] + 1) * chunkDims[d] > extent[d]) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }
}
