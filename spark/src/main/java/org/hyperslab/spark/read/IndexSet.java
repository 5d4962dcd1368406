package org.hyperslab.spark.read;

import java.io.Serializable;
import java.util.Arrays;
import java.util.function.LongPredicate;

/**
 * A set of indices of a dimension, as ranges: its memory is that of its ranges, not of its indices.
 *
 * <p>Thread rule: immutable.
 */
final class IndexSet implements Serializable {

  private static final long serialVersionUID = 1L;

  static final IndexSet NONE = new IndexSet(new long[0]);

  /** First and end (excluded) of each range, ascending; no two ranges touch. */
  private final long[] bounds;

  /** The number of indices before each range, and of all. */
  private final long[] before;

  private IndexSet(long[] bounds) {
    this.bounds = bounds;
    this.before = new long[bounds.length / 2 + 1];
    for (int i = 0; i < bounds.length / 2; i++) {
      before[i + 1] = before[i] + bounds[2 * i + 1] - bounds[2 * i];
    }
  }

  static IndexSet range(long first, long end) {
    return first < end ? new IndexSet(new long[] {first, end}) : NONE;
  }

  /** Returns the indices below a length for which a condition holds. */
  static IndexSet where(long length, LongPredicate condition) {
    Ranges ranges = new Ranges();
    for (long i = 0; i < length; i++) {
      if (condition.test(i)) {
        ranges.add(i, i + 1);
      }
    }
    return ranges.toSet();
  }

  /** Collects ranges in ascending order. */
  static final class Ranges {
    private long[] found = new long[16];
    private int count;

    void add(long first, long end) {
      if (first >= end) {
        return;
      }
      if (count > 0 && first <= found[count - 1]) {
        found[count - 1] = Math.max(end, found[count - 1]);
        return;
      }
      if (count == found.length) {
        found = Arrays.copyOf(found, 2 * count);
      }
      found[count++] = first;
      found[count++] = end;
    }

    IndexSet toSet() {
      return count == 0 ? NONE : new IndexSet(Arrays.copyOf(found, count));
    }
  }

  /** Returns the number of indices. */
  long count() {
    return before[before.length - 1];
  }

  int rangeCount() {
    return bounds.length / 2;
  }

  long rangeFirst(int range) {
    return bounds[2 * range];
  }

  long rangeEnd(int range) {
    return bounds[2 * range + 1];
  }

  boolean isEmpty() {
    return bounds.length == 0;
  }

  /** Returns whether the indices follow each other without a gap. */
  boolean isOneRange() {
    return bounds.length == 2;
  }

  long first() {
    return bounds[0];
  }

  long end() {
    return bounds[bounds.length - 1];
  }

  /** Returns the index of an ordinal number, from 0. */
  long at(long ordinal) {
    int range = Arrays.binarySearch(before, ordinal);
    range = range >= 0 ? range : -range - 2;
    return bounds[2 * range] + ordinal - before[range];
  }

  boolean contains(long index) {
    int low = 0;
    int high = rangeCount() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      if (index < rangeFirst(middle)) {
        high = middle - 1;
      } else if (index >= rangeEnd(middle)) {
        low = middle + 1;
      } else {
        return true;
      }
    }
    return false;
  }

  IndexSet and(IndexSet other) {
    Ranges ranges = new Ranges();
    int i = 0;
    int j = 0;
    while (i < rangeCount() && j < other.rangeCount()) {
      ranges.add(
          Math.max(rangeFirst(i), other.rangeFirst(j)), Math.min(rangeEnd(i), other.rangeEnd(j)));
      if (rangeEnd(i) < other.rangeEnd(j)) {
        i++;
      } else {
        j++;
      }
    }
    return ranges.toSet();
  }

  IndexSet or(IndexSet other) {
    Ranges ranges = new Ranges();
    int i = 0;
    int j = 0;
    while (i < rangeCount() || j < other.rangeCount()) {
      boolean mine =
          j == other.rangeCount() || i < rangeCount() && rangeFirst(i) <= other.rangeFirst(j);
      if (mine) {
        ranges.add(rangeFirst(i), rangeEnd(i));
        i++;
      } else {
        ranges.add(other.rangeFirst(j), other.rangeEnd(j));
        j++;
      }
    }
    return ranges.toSet();
  }

  /** Returns the indices below a length that are not in this set. */
  IndexSet complement(long length) {
    Ranges ranges = new Ranges();
    long next = 0;
    for (int i = 0; i < rangeCount(); i++) {
      ranges.add(next, rangeFirst(i));
      next = rangeEnd(i);
    }
    ranges.add(next, length);
    return ranges.toSet();
  }

  /** Returns the indices from one, to another excluded. */
  IndexSet slice(long first, long end) {
    return and(range(first, end));
  }

  /** Returns the numbers of the blocks of a length that have any of the indices. */
  IndexSet blocks(long length) {
    Ranges ranges = new Ranges();
    for (int i = 0; i < rangeCount(); i++) {
      ranges.add(rangeFirst(i) / length, (rangeEnd(i) - 1) / length + 1);
    }
    return ranges.toSet();
  }

  long[] toArray() {
    long[] all = new long[Math.toIntExact(count())];
    int next = 0;
    for (int i = 0; i < rangeCount(); i++) {
      for (long index = rangeFirst(i); index < rangeEnd(i); index++) {
        all[next++] = index;
      }
    }
    return all;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof IndexSet set && Arrays.equals(bounds, set.bounds);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bounds);
  }

  /** Returns a text such as {@code 0:10,20:21}, shortened to eight ranges. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < Math.min(8, rangeCount()); i++) {
      text.append(i == 0 ? "" : ",").append(rangeFirst(i)).append(':').append(rangeEnd(i));
    }
    return rangeCount() > 8 ? text + ",...(" + rangeCount() + " ranges)" : text.toString();
  }
}
