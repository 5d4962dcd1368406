package org.hyperslab.mpiio.datatype;

import static java.lang.Math.addExact;
import static java.lang.Math.multiplyExact;
import static java.lang.Math.subtractExact;

/**
 * Lower and upper bound of a type map, in bytes from the origin (MPI 4.1, section 5.1.6 and 5.1.7).
 *
 * <p>Bounds come from the data, with the extent rounded up to the strictest alignment, unless a
 * resized type inside has set a mark: then the lowest and highest marks alone count.
 *
 * @param data the range of the bytes
 * @param lowerMarks the range of marks of lower bounds
 * @param upperMarks the range of marks of upper bounds
 * @param alignment the strictest alignment of an elementary type inside, at least 1
 */
record Bounds(Range data, Range lowerMarks, Range upperMarks, int alignment) {

  /** Bounds without bytes and marks. */
  static final Bounds NOTHING = new Bounds(Range.EMPTY, Range.EMPTY, Range.EMPTY, 1);

  /** Returns bytes from 0 to {@code bytes}. */
  static Bounds basic(long bytes, int alignment) {
    return new Bounds(new Range(0, bytes), Range.EMPTY, Range.EMPTY, alignment);
  }

  long lower() {
    return !lowerMarks.isEmpty() ? lowerMarks.low : data.isEmpty() ? 0 : data.low;
  }

  long upper() {
    if (!upperMarks.isEmpty()) {
      return upperMarks.high;
    }
    if (data.isEmpty()) {
      return lower();
    }
    long extent = subtractExact(data.high, lower());
    long over = Math.floorMod(extent, alignment);
    return over == 0 ? data.high : addExact(data.high, alignment - over);
  }

  long extent() {
    return subtractExact(upper(), lower());
  }

  Bounds resized(long lower, long extent) {
    long upper = addExact(lower, extent);
    return new Bounds(data, new Range(lower, lower), new Range(upper, upper), alignment);
  }

  /**
   * Returns the bounds of {@code count} copies, the i-th displaced by {@code first + i * stride}.
   */
  Bounds repeated(long first, long count, long stride) {
    if (count == 0) {
      return NOTHING;
    }
    Bounds start = shifted(first);
    return count == 1
        ? start
        : start.and(shifted(addExact(first, multiplyExact(count - 1, stride))));
  }

  Bounds and(Bounds other) {
    return new Bounds(
        data.and(other.data),
        lowerMarks.and(other.lowerMarks),
        upperMarks.and(other.upperMarks),
        Math.max(alignment, other.alignment));
  }

  private Bounds shifted(long by) {
    return new Bounds(data.shifted(by), lowerMarks.shifted(by), upperMarks.shifted(by), alignment);
  }

  /** A range from low to high; empty if low is above high. */
  record Range(long low, long high) {

    static final Range EMPTY = new Range(Long.MAX_VALUE, Long.MIN_VALUE);

    boolean isEmpty() {
      return low > high;
    }

    Range shifted(long by) {
      return isEmpty() ? this : new Range(addExact(low, by), addExact(high, by));
    }

    Range and(Range other) {
      return new Range(Math.min(low, other.low), Math.max(high, other.high));
    }
  }
}
