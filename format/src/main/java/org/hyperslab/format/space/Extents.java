package org.hyperslab.format.space;

import java.util.Arrays;
import org.hyperslab.error.InvalidUseException;

/** Computes with extents in elements, checking for overflow. */
final class Extents {

  private Extents() {}

  /**
   * Returns the number of elements of an extent; 1 for rank 0.
   *
   * @throws InvalidUseException if the number exceeds 2^63-1 or an extent is negative
   */
  static long volume(long[] extent) {
    for (int i = 0; i < extent.length; i++) {
      if (extent[i] < 0) {
        throw new InvalidUseException(
            "extent: actual=" + extent[i] + ", expected=at least 0, at=dimension " + i);
      }
    }
    try {
      return Dataspace.product(extent);
    } catch (ArithmeticException tooLarge) {
      throw new InvalidUseException(
          "number of elements: actual=product of "
              + text(extent)
              + ", expected=at most 2^63-1; reduce the extent",
          tooLarge);
    }
  }

  /**
   * Returns the distance in elements between neighbours along each dimension; that of the last is
   * 1.
   */
  static long[] units(long[] extent) {
    long[] units = new long[extent.length];
    long unit = 1;
    for (int i = extent.length - 1; i >= 0; i--) {
      units[i] = unit;
      unit *= extent[i];
    }
    return units;
  }

  /**
   * Returns the row-major element offset of a coordinate, which must lie inside the extent.
   *
   * @throws InvalidUseException if it does not
   */
  static long linear(long[] extent, long[] coordinates) {
    requireRank(coordinates.length, extent.length);
    long offset = 0;
    for (int i = 0; i < extent.length; i++) {
      if (coordinates[i] < 0 || coordinates[i] >= extent[i]) {
        throw new InvalidUseException(
            "coordinate: actual="
                + coordinates[i]
                + ", expected=0.."
                + (extent[i] - 1)
                + ", at=dimension "
                + i);
      }
      offset = offset * extent[i] + coordinates[i];
    }
    return offset;
  }

  /** Requires two ranks to be equal. */
  static void requireRank(int actual, int expected) {
    if (actual != expected) {
      throw new InvalidUseException("rank: actual=" + actual + ", expected=" + expected);
    }
  }

  /** Returns a product, or -1 if it exceeds 2^63-1; factors must not be negative. */
  static long multiplyOrOverflow(long a, long b) {
    if (a < 0 || b < 0) {
      return -1;
    }
    long low = a * b;
    return Math.multiplyHigh(a, b) != 0 || low < 0 ? -1 : low;
  }

  /** Returns a sum, or -1 if it exceeds 2^63-1 or one of the terms is -1. */
  static long addOrOverflow(long a, long b) {
    long sum = a + b;
    return a < 0 || b < 0 || sum < 0 ? -1 : sum;
  }

  /** Returns an index moved by an offset, which must stay in 0 .. 2^63-1. */
  static long moved(long index, long by, int dimension) {
    long result = index + by;
    if (result < 0) {
      throw new InvalidUseException(
          "moved index: actual="
              + index
              + (by < 0 ? " - " + Math.absExact(by) : " + " + by)
              + ", expected=0..2^63-1, at=dimension "
              + dimension);
    }
    return result;
  }

  /** Returns text such as {@code [3, 4]}. */
  static String text(long[] values) {
    return Arrays.toString(values);
  }
}
