package org.hyperslab.plugins.nativevol.transfer;

import org.hyperslab.format.filter.FilterPipeline;

/**
 * The division of a dataset's elements into chunks, and their stored form. Coordinates of chunks
 * are scaled: the offset of the first element divided by the chunk's extent.
 *
 * <p>Thread rule: immutable; the array must not be modified.
 *
 * @param chunkDims the extent of a chunk in elements, slowest first
 * @param elementSize the size of an element in the file, in bytes
 * @param pipeline the filters; empty if there are none
 * @param filterPartialEdges whether chunks that extend beyond the dataset's extent are filtered too
 * @param fill the value of unwritten elements
 */
public record ChunkShape(
    long[] chunkDims,
    int elementSize,
    FilterPipeline pipeline,
    boolean filterPartialEdges,
    FillPattern fill) {

  /** {@return the size of a chunk before filters, in bytes} */
  public long chunkBytes() {
    long bytes = elementSize;
    for (long dim : chunkDims) {
      bytes = Math.multiplyExact(bytes, dim);
    }
    return bytes;
  }

  /**
   * {@return whether a chunk is filtered in a dataset of the given extent}
   *
   * @param scaled the chunk, by its coordinates in units of chunks
   * @param extent the extent, elements in each dimension
   */
  public boolean isFiltered(long[] scaled, long[] extent) {
    return !pipeline.isEmpty() && (filterPartialEdges || !isPartialEdge(scaled, extent));
  }

  /**
   * {@return whether a chunk extends beyond the dataset's extent}
   *
   * @param scaled the chunk, by its coordinates in units of chunks
   * @param extent the extent, elements in each dimension
   */
  public boolean isPartialEdge(long[] scaled, long[] extent) {
    for (int d = 0; d < scaled.length; d++) {
      if (extent[d] - scaled[d] * chunkDims[d] < chunkDims[d]) {
        return true;
      }
    }
    return false;
  }

  /**
   * {@return whether no element of a chunk is within an extent; coordinates may have any value
   * below 2^63}
   *
   * @param scaled the chunk, by its coordinates in units of chunks
   * @param extent the extent, elements in each dimension
   */
  public boolean isOutside(long[] scaled, long[] extent) {
    for (int d = 0; d < scaled.length; d++) {
      if (scaled[d] >= Math.ceilDiv(extent[d], chunkDims[d])) {
        return true;
      }
    }
    return false;
  }

  /**
   * {@return whether some elements of a chunk within the old extent are outside the new one}
   *
   * @param scaled the coordinates of a chunk with elements within the new extent
   * @param oldExtent the previous extent, elements in each dimension
   * @param newExtent the new extent, elements in each dimension
   */
  public boolean isCut(long[] scaled, long[] oldExtent, long[] newExtent) {
    for (int d = 0; d < scaled.length; d++) {
      long first = scaled[d] * chunkDims[d];
      long was = Math.min(chunkDims[d], oldExtent[d] - first);
      if (newExtent[d] - first < was) {
        return true;
      }
    }
    return false;
  }

  /**
   * {@return the number of elements of a chunk within an extent, in each dimension; at least one of
   * them must be within it}
   *
   * @param scaled the chunk, by its coordinates in units of chunks
   * @param extent the extent, elements in each dimension
   */
  public long[] inside(long[] scaled, long[] extent) {
    long[] inside = new long[scaled.length];
    for (int d = 0; d < inside.length; d++) {
      inside[d] = Math.min(chunkDims[d], extent[d] - scaled[d] * chunkDims[d]);
    }
    return inside;
  }

  /**
   * {@return the number of a chunk's bytes up to its last element within an extent; 0 if there is
   * none}
   *
   * @param scaled the chunk, by its coordinates in units of chunks
   * @param extent the extent, elements in each dimension
   */
  public long bytesInside(long[] scaled, long[] extent) {
    if (isOutside(scaled, extent)) {
      return 0;
    }
    long last = 0;
    for (int d = 0; d < scaled.length; d++) {
      long inside = Math.min(chunkDims[d], extent[d] - scaled[d] * chunkDims[d]);
      last = last * chunkDims[d] + inside - 1;
    }
    return (last + 1) * elementSize;
  }

  /**
   * {@return the offset of a chunk's first element}
   *
   * @param scaled the chunk, by its coordinates in units of chunks
   */
  public long[] origin(long[] scaled) {
    long[] origin = new long[scaled.length];
    for (int d = 0; d < origin.length; d++) {
      origin[d] = scaled[d] * chunkDims[d];
    }
    return origin;
  }

  /**
   * Advances to the next chunk of a non-empty extent, in row-major order.
   *
   * @param scaled the coordinates, changed in place; zeros after the last chunk
   * @param extent the extent, elements in each dimension
   * @return whether there is a next chunk
   */
  public boolean advance(long[] scaled, long[] extent) {
    for (int d = scaled.length - 1; d >= 0; d--) {
      if (scaled[d] + 1 < Math.ceilDiv(extent[d], chunkDims[d])) {
        scaled[d]++;
        return true;
      }
      scaled[d] = 0;
    }
    return false;
  }

  /**
   * {@return the number of chunks that cover an extent; {@link Long#MAX_VALUE} if it is greater}
   *
   * @param extent the extent, elements in each dimension
   */
  public long count(long[] extent) {
    long count = 1;
    for (int d = 0; d < extent.length; d++) {
      count = product(count, Math.ceilDiv(extent[d], chunkDims[d]));
    }
    return count;
  }

  /**
   * {@return the product of two numbers that are not negative; {@link Long#MAX_VALUE} if it is
   * greater}
   *
   * @param a a number
   * @param b the other number
   */
  public static long product(long a, long b) {
    boolean tooMuch = Math.multiplyHigh(a, b) != 0 || a * b < 0;
    return tooMuch ? Long.MAX_VALUE : a * b;
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
