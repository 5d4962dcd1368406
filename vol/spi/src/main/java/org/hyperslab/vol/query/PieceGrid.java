package org.hyperslab.vol.query;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Divides an extent into pieces that are read at once: boxes of whole blocks, or of parts of large
 * ones, in row-major order.
 *
 * <p>Thread rule: any thread may take the next piece.
 */
final class PieceGrid {

  /** A piece is made of blocks until it has so many bytes. */
  static final long USUAL_BYTES = 2L << 20;

  /** Larger blocks are read in parts. */
  static final long MOST_BYTES = 32L << 20;

  /**
   * A box of elements.
   *
   * @param start its first element
   * @param count its lengths
   */
  record Piece(long[] start, long[] count) {
    /** Returns the number of its elements. */
    long elements() {
      return volume(count);
    }
  }

  private final long[] extent;
  private final long[] pieceDims;
  private final long[] next;
  private boolean ended;

  /**
   * Creates a division.
   *
   * @param extent the extent, without a dimension of length 0
   * @param blockDims the lengths of a block
   * @param elementBytes the size of an element in memory
   */
  PieceGrid(long[] extent, long[] blockDims, long elementBytes) {
    this.extent = extent;
    this.pieceDims = pieceDims(extent, blockDims, elementBytes);
    this.next = new long[extent.length];
  }

  /** Returns the lengths of a piece, those at the edge excepted. */
  long[] pieceDims() {
    return pieceDims;
  }

  private static long[] pieceDims(long[] extent, long[] blockDims, long elementBytes) {
    long[] dims = new long[extent.length];
    for (int d = 0; d < dims.length; d++) {
      dims[d] = Math.min(blockDims[d], extent[d]);
    }
    for (int d = 0; d < dims.length && bytes(dims, elementBytes) > MOST_BYTES; d++) {
      long others = bytes(dims, elementBytes) / dims[d];
      dims[d] = Math.max(1, MOST_BYTES / Math.max(1, others));
    }
    for (int d = dims.length - 1; d >= 0; d--) {
      if (dims[d] < blockDims[d] && dims[d] < extent[d]) {
        return dims; // a part of a block
      }
      long fits = USUAL_BYTES / Math.max(1, bytes(dims, elementBytes));
      dims[d] = Math.min(extent[d], dims[d] * Math.max(1, fits));
      if (dims[d] < extent[d]) {
        return dims;
      }
    }
    return dims;
  }

  private static long bytes(long[] dims, long elementBytes) {
    double estimate = elementBytes;
    for (long length : dims) {
      estimate *= length;
    }
    return (long) Math.min(estimate, Long.MAX_VALUE);
  }

  static long volume(long[] dims) {
    return Arrays.stream(dims).reduce(1, Math::multiplyExact);
  }

  /** Returns how many pieces there are. */
  long pieces() {
    double count = 1;
    for (int d = 0; d < extent.length; d++) {
      count *= Math.ceilDiv(extent[d], pieceDims[d]);
    }
    return (long) Math.min(count, Long.MAX_VALUE);
  }

  /** Returns the next piece, or null at the end. */
  synchronized @Nullable Piece next() {
    if (ended) {
      return null;
    }
    Piece piece = cut(next.clone(), pieceDims);
    int d = extent.length - 1;
    while (d >= 0) {
      next[d] += pieceDims[d];
      if (next[d] < extent[d]) {
        break;
      }
      next[d] = 0;
      d--;
    }
    ended = d < 0;
    return piece;
  }

  /** Returns the part of a box that lies in the extent. */
  Piece cut(long[] start, long[] dims) {
    long[] count = new long[start.length];
    for (int d = 0; d < count.length; d++) {
      count[d] = Math.min(dims[d], extent[d] - start[d]);
    }
    return new Piece(start, count);
  }
}
