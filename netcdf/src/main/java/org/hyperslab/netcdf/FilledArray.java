package org.hyperslab.netcdf;

import java.lang.reflect.Array;
import org.hyperslab.format.space.Dataspace;
import org.jspecify.annotations.Nullable;

/** Builds arrays of a section of which only the beginning of some axes is stored. */
final class FilledArray {

  private FilledArray() {}

  /**
   * Makes a flat array of a shape from one of a smaller shape, with the fill value in the rest.
   *
   * @param stored a flat array, in row-major order
   * @param storedShape its shape
   * @param shape the requested shape, at least as long on each axis
   * @param fill the value of the other elements; null for zeros
   */
  static Object pad(Object stored, long[] storedShape, long[] shape, @Nullable Object fill) {
    int count = Math.toIntExact(Dataspace.product(shape));
    Class<?> element = stored.getClass().componentType();
    Object all = Array.newInstance(element, count);
    if (fill != null) {
      for (int i = 0; i < count; i++) {
        Array.set(all, i, fill);
      }
    }
    if (Dataspace.product(storedShape) == 0) {
      return all;
    }
    int row = Math.toIntExact(storedShape[storedShape.length - 1]);
    long[] at = new long[storedShape.length];
    for (int from = 0; from < Array.getLength(stored); from += row) {
      System.arraycopy(stored, from, all, Math.toIntExact(offset(at, shape)), row);
      next(at, storedShape);
    }
    return all;
  }

  /** Converts a flat array to nested arrays. */
  static Object nest(Object flat, long[] shape) {
    return nest(flat, shape, 0, new int[1]);
  }

  private static Object nest(Object flat, long[] shape, int axis, int[] at) {
    int length = Math.toIntExact(shape[axis]);
    Class<?> leaf = flat.getClass().componentType();
    if (axis == shape.length - 1) {
      Object row = Array.newInstance(leaf, length);
      System.arraycopy(flat, at[0], row, 0, length);
      at[0] += length;
      return row;
    }
    int[] lengths = new int[shape.length - axis];
    lengths[0] = length;
    Object rows = Array.newInstance(leaf, lengths);
    for (int i = 0; i < length; i++) {
      Array.set(rows, i, nest(flat, shape, axis + 1, at));
    }
    return rows;
  }

  private static long offset(long[] at, long[] shape) {
    long offset = 0;
    for (int axis = 0; axis < at.length; axis++) {
      offset = offset * shape[axis] + at[axis];
    }
    return offset;
  }

  /** Advances to the first index of the next row. */
  private static void next(long[] at, long[] shape) {
    for (int axis = at.length - 2; axis >= 0; axis--) {
      at[axis]++;
      if (at[axis] < shape[axis]) {
        return;
      }
      at[axis] = 0;
    }
  }
}
