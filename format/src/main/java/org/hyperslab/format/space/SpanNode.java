package org.hyperslab.format.space;

import java.util.Arrays;
import org.hyperslab.error.InvalidUseException;

/**
 * A set of coordinates of {@code rank} dimensions: the node of a span tree.
 *
 * <p>An entry is a run of equal blocks along the first of these dimensions, {@code start + k*stride
 * .. start + k*stride + block - 1} for {@code 0 ≤ k < count}, together with the node {@code down},
 * which is the selection in the remaining dimensions at each of these indices. These invariants
 * make the form canonical, so that equal sets are equal arrays:
 *
 * <ul>
 *   <li>entries ascend and do not interleave: an entry ends before the next one starts;
 *   <li>neighbouring spans that touch have different {@code down}; a touching equal span is merged;
 *   <li>runs are formed greedily from the left: two neighbouring spans of equal block and {@code
 *       down} are always one entry, and an entry takes the next span whenever it fits;
 *   <li>with {@code count == 1}, {@code stride == block};
 *   <li>{@code down} is never empty.
 * </ul>
 *
 * <p>Nodes are hash-consed by {@link SpanTable}: equal reachable nodes are one object, so that
 * {@code ==} is equality of the sets. {@link #EMPTY} is the empty set of any rank.
 *
 * <p>Thread rule: immutable; {@link #before} is computed on first use and published safely.
 */
final class SpanNode {

  /** The index of an entry's first coordinate in its four longs. */
  static final int START = 0;

  /** The index of the distance between neighbouring blocks. */
  static final int STRIDE = 1;

  /** The index of the number of blocks. */
  static final int COUNT = 2;

  /** The index of the length of a block. */
  static final int BLOCK = 3;

  /** The number of longs per entry. */
  static final int WIDTH = 4;

  /** The empty set, of every rank. */
  static final SpanNode EMPTY = new SpanNode(0, new long[0], null, null, 0, new long[0], 0);

  /** The set of rank 0 that contains the single empty coordinate: below the fastest dimension. */
  static final SpanNode UNIT = new SpanNode(0, new long[0], null, null, 1, new long[0], 1);

  final int rank;
  final long[] spans;
  private final SpanNode sharedDown;
  private final SpanNode[] downs;

  /** The number of coordinates, or -1 if it exceeds 2^63-1. */
  final long count;

  /** The low (inclusive) and end (exclusive) of each dimension in turn. */
  final long[] bounds;

  final int hash;
  private volatile long[] before;

  /**
   * Creates a node, which owns the arrays.
   *
   * @param sharedDown the node below every entry, or null if {@code downs} has one for each entry
   */
  SpanNode(
      int rank,
      long[] spans,
      SpanNode sharedDown,
      SpanNode[] downs,
      long count,
      long[] bounds,
      int hash) {
    this.rank = rank;
    this.spans = spans;
    this.sharedDown = sharedDown;
    this.downs = downs;
    this.count = count;
    this.bounds = bounds;
    this.hash = hash;
  }

  /** Returns the number of entries. */
  int size() {
    return spans.length / WIDTH;
  }

  long start(int entry) {
    return spans[WIDTH * entry];
  }

  long stride(int entry) {
    return spans[WIDTH * entry + STRIDE];
  }

  long repeats(int entry) {
    return spans[WIDTH * entry + COUNT];
  }

  long block(int entry) {
    return spans[WIDTH * entry + BLOCK];
  }

  /** Returns the end, exclusive, of an entry's last block. */
  long end(int entry) {
    int at = WIDTH * entry;
    return spans[at] + (spans[at + COUNT] - 1) * spans[at + STRIDE] + spans[at + BLOCK];
  }

  SpanNode down(int entry) {
    return sharedDown != null ? sharedDown : downs[entry];
  }

  /** Returns the smallest selected index in the first dimension. */
  long low() {
    return bounds[0];
  }

  /** Returns the index after the largest selected index in the first dimension. */
  long endExclusive() {
    return bounds[1];
  }

  /** Returns whether this is one block with one node below: {@code start .. start + block - 1}. */
  boolean isSingleSpan() {
    return spans.length == WIDTH && spans[COUNT] == 1;
  }

  /** Returns whether this and every node below has one entry: a regular hyperslab. */
  boolean isRegular() {
    SpanNode node = this;
    while (node.rank > 0) {
      if (node.spans.length != WIDTH) {
        return false;
      }
      node = node.down(0);
    }
    return true;
  }

  /** Returns the last entry that starts at or before an index, or -1. */
  int entryAtOrBefore(long index) {
    int low = 0;
    int high = size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      if (spans[WIDTH * middle] <= index) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return high;
  }

  /**
   * Returns the selection below an index of the first dimension, {@link #EMPTY} if nothing is
   * selected.
   */
  SpanNode at(long index) {
    int entry = entryAtOrBefore(index);
    if (entry < 0) {
      return EMPTY;
    }
    long inside = index - start(entry);
    long repeat = inside / stride(entry);
    return repeat < repeats(entry) && inside - repeat * stride(entry) < block(entry)
        ? down(entry)
        : EMPTY;
  }

  /** Returns whether a coordinate is selected. */
  boolean contains(long[] coordinates) {
    SpanNode node = this;
    for (int d = 0; d < coordinates.length && node != EMPTY; d++) {
      node = node.at(coordinates[d]);
    }
    return node != EMPTY;
  }

  /** Returns the smallest selected index at or after {@code index}, or -1. */
  long nextSelected(long index) {
    int entry = Math.max(0, entryAtOrBefore(index));
    for (; entry < size(); entry++) {
      long start = start(entry);
      if (index <= start) {
        return start;
      }
      long repeat = (index - start) / stride(entry);
      if (repeat < repeats(entry)) {
        long block = start + repeat * stride(entry);
        if (index < block + block(entry)) {
          return index;
        }
        if (repeat + 1 < repeats(entry)) {
          return block + stride(entry);
        }
      }
    }
    return -1;
  }

  /**
   * Returns the number of coordinates before each entry, and the total after the last one, for
   * random access. The total must not have overflowed.
   */
  long[] before() {
    long[] sums = before;
    if (sums == null) {
      sums = new long[size() + 1];
      for (int i = 0; i < size(); i++) {
        sums[i + 1] = sums[i] + repeats(i) * block(i) * down(i).count;
      }
      before = sums;
    }
    return sums;
  }

  /** Returns the number of selected coordinates whose first index is below {@code index}. */
  long countBefore(long index) {
    int entry = entryAtOrBefore(index);
    return entry < 0 ? 0 : countBefore(index, entry);
  }

  /**
   * Returns the number of selected coordinates whose first index is below {@code index}, given the
   * last entry that starts at or before it.
   */
  long countBefore(long index, int entry) {
    long inside = index - start(entry);
    long repeat = Math.min(inside / stride(entry), repeats(entry) - 1);
    long within = Math.min(inside - repeat * stride(entry), block(entry));
    return before()[entry] + (repeat * block(entry) + within) * down(entry).count;
  }

  /** Returns the entry that contains the coordinate of an ordinal below {@link #count}. */
  int entryOfOrdinal(long ordinal) {
    int found = Arrays.binarySearch(before(), ordinal);
    return found >= 0 ? found : -found - 2;
  }

  /**
   * Returns whether a node of this content would be the same set; called by the table.
   *
   * @param entries the number of valid entries in the arrays
   * @param shared the node below every entry, or null if {@code each} has one for each entry
   */
  boolean hasContent(
      int wantedRank, int entries, long[] content, SpanNode shared, SpanNode[] each) {
    if (rank != wantedRank
        || sharedDown != shared
        || !Arrays.equals(spans, 0, spans.length, content, 0, WIDTH * entries)) {
      return false;
    }
    for (int i = 0; shared == null && i < entries; i++) {
      if (downs[i] != each[i]) {
        return false;
      }
    }
    return true;
  }

  /** Returns the number of coordinates, which must not exceed 2^63-1. */
  long countOrThrow() {
    if (count < 0) {
      throw new InvalidUseException(
          "number of selected elements: actual=more than 2^63-1, expected=at most that; clip the "
              + "selection");
    }
    return count;
  }
}
