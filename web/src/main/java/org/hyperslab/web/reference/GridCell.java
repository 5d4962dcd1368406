package org.hyperslab.web.reference;

import java.util.Arrays;
import org.hyperslab.web.zarr.ZarrArray;

/**
 * Where the elements of a chunk of an array are that may be longer than its dataset.
 *
 * @param place where its elements are
 * @param isPartial whether it reaches beyond the extent of the dataset, or the end of the array
 */
record GridCell(Place place, boolean isPartial) {

  /** Where elements are. */
  enum Place {
    /** All are within the extent of the dataset. */
    WITHIN,
    /** Some are within it. */
    ACROSS,
    /** None is within it. */
    BEYOND
  }

  /**
   * {@return the place of a chunk}
   *
   * @param array the array
   * @param extent the extent of its dataset
   * @param start the chunk's first element
   */
  static GridCell of(ZarrArray array, long[] extent, long[] start) {
    long[] stored = part(array.chunk(), start, extent);
    boolean isPartial = !Arrays.equals(stored, array.chunk());
    if (Arrays.stream(stored).anyMatch(length -> length == 0)) {
      return new GridCell(Place.BEYOND, isPartial);
    }
    boolean isWithin = Arrays.equals(stored, part(array.chunk(), start, array.shape()));
    return new GridCell(isWithin ? Place.WITHIN : Place.ACROSS, isPartial);
  }

  /** Returns the lengths of the part of a chunk that is within bounds. */
  private static long[] part(long[] chunk, long[] start, long[] bounds) {
    long[] part = new long[chunk.length];
    for (int i = 0; i < part.length; i++) {
      part[i] = Math.clamp(bounds[i] - start[i], 0L, chunk[i]);
    }
    return part;
  }
}
