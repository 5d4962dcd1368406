package org.hyperslab.format.index.array;

import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.index.grid.ChunkGrid;

/**
 * Numbers chunks in the order in which array indexes store them: row-major over the grid of the
 * <em>maximum</em> extent, with an unlimited dimension, if there is one, moved to the front.
 *
 * <p>Numbers do not change when the dataset grows or shrinks. Source: {@code H5VM_array_offset_pre}
 * and {@code H5VM_swizzle_coords}, as used by H5Dearray.c and H5Dfarray.c.
 *
 * <p>Thread rule: immutable.
 */
public final class ChunkNumbering {

  private final long[] countByDimension;
  private final long[] strideByDimension;
  private final int[] slowestFirst;
  private final long total;

  /**
   * Numbers the chunks of a grid.
   *
   * @param file the file's name, for errors
   * @param grid the grid, with at most one unlimited dimension
   */
  public ChunkNumbering(String file, ChunkGrid grid) {
    int rank = grid.rank();
    countByDimension = new long[rank];
    strideByDimension = new long[rank];
    slowestFirst = unlimitedFirst(grid);
    long stride = 1;
    for (int i = rank - 1; i >= 0; i--) {
      int d = slowestFirst[i];
      boolean unlimited = grid.maxDims()[d] == ChunkGrid.UNLIMITED;
      long count = unlimited ? Long.MAX_VALUE / Math.max(1, stride) : grid.maximumChunks(d);
      countByDimension[d] = count;
      strideByDimension[d] = stride;
      if (Math.multiplyHigh(stride, count) != 0 || stride * count < 0) {
        throw new UnsupportedFeatureException(
            "chunks of the maximum extent: actual=" + grid + ", expected=below 2^63, at=" + file);
      }
      stride *= count;
    }
    total = stride;
  }

  private static int[] unlimitedFirst(ChunkGrid grid) {
    int[] order = new int[grid.rank()];
    int next = 0;
    for (int d = 0; d < order.length; d++) {
      if (grid.maxDims()[d] == ChunkGrid.UNLIMITED) {
        order[next++] = d;
      }
    }
    for (int d = 0; d < order.length; d++) {
      if (grid.maxDims()[d] != ChunkGrid.UNLIMITED) {
        order[next++] = d;
      }
    }
    return order;
  }

  /**
   * Returns the number of chunks of the maximum extent; with an unlimited dimension, the greatest
   * number that fits.
   */
  public long total() {
    return total;
  }

  /**
   * Returns the number of a chunk, from 0.
   *
   * @throws InvalidUseException if it is outside the maximum extent
   */
  public long number(long[] scaled) {
    if (scaled.length != countByDimension.length) {
      throw outside(scaled);
    }
    long number = 0;
    for (int d = 0; d < scaled.length; d++) {
      long coordinate = scaled[d];
      if (coordinate < 0 || coordinate >= countByDimension[d]) {
        throw outside(scaled);
      }
      number += coordinate * strideByDimension[d];
    }
    return number;
  }

  /** Fills {@code scaled} with the coordinates of chunk {@code number}. */
  void coordinates(long number, long[] scaled) {
    long rest = number;
    for (int d : slowestFirst) {
      scaled[d] = rest / strideByDimension[d];
      rest %= strideByDimension[d];
    }
  }

  private InvalidUseException outside(long[] scaled) {
    return ChunkChecks.outside(scaled, countByDimension);
  }
}
