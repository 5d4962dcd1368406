package org.hyperslab.plugins.compacting.plan;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.AllSelection;
import org.hyperslab.format.space.RegularHyperslab;
import org.hyperslab.format.space.RunCursor;
import org.hyperslab.format.space.Selection;

/**
 * A selection of elements of a dataset, checked to lie within the dataset's extent. Most requests
 * select boxes, which are handled without span trees.
 *
 * <p>Offsets are 0-based and count elements in row-major order.
 *
 * <p>Thread rule: immutable.
 */
public final class Region {

  private final Selection selection;
  private final long[] extent;
  private final RegularHyperslab box;
  private final long elements;
  private final long lowOffset;
  private final long endOffset;

  private Region(Selection selection, long[] extent) {
    this.selection = selection;
    this.extent = extent;
    this.box = selection instanceof RegularHyperslab regular && isBox(regular) ? regular : null;
    if (box != null) {
      requireBoxWithin();
      long volume = 1;
      long low = 0;
      long high = 0;
      for (int d = 0; d < extent.length; d++) {
        volume *= box.block(d);
        low = low * extent[d] + box.start(d);
        high = high * extent[d] + box.start(d) + box.block(d) - 1;
      }
      this.elements = volume;
      this.lowOffset = low;
      this.endOffset = high + 1;
    } else {
      selection.requireWithin(extent);
      this.elements = selection.elementCount(extent);
      this.lowOffset = elements == 0 ? 0 : corner(false);
      this.endOffset = elements == 0 ? 0 : corner(true) + 1;
    }
  }

  /**
   * Returns the region of a selection. Unlimited counts end at the extent.
   *
   * @param selection the selection
   * @param extent the dataset's current extent, empty for a scalar
   * @return the selected elements
   * @throws InvalidUseException if the selection is not within the extent or the rank differs, or
   *     the extent has more than 2<sup>63</sup>-1 elements
   */
  public static Region of(Selection selection, long... extent) {
    long volume = 1;
    for (long dim : extent) {
      if (dim < 0 || (dim > 0 && volume > Long.MAX_VALUE / dim)) {
        throw new InvalidUseException(
            "extent: actual="
                + dim
                + " in one of its dimensions, expected=at most 2^63-1 elements");
      }
      volume *= dim;
    }
    Selection limited = selection.isUnlimited() ? selection.clip(extent) : selection;
    if (selection instanceof AllSelection && extent.length > 0) {
      // As a box, which all set operations support; empty if a dimension is 0.
      limited = Selection.box(new long[extent.length], extent);
    }
    return new Region(limited, extent.clone());
  }

  /**
   * Returns a region of an array of bytes.
   *
   * @param offset the offset of the first byte
   * @param length the number of bytes
   * @return the region
   * @throws InvalidUseException if the offset or length is negative or their sum too large
   */
  public static Region bytes(long offset, long length) {
    return of(Selection.box(new long[] {offset}, new long[] {length}), Long.MAX_VALUE);
  }

  /**
   * Returns the elements of this region within a range of offsets.
   *
   * @param from the first offset
   * @param to the offset after the last
   * @return those elements
   */
  Region within(long from, long to) {
    Region range = solid(from, to);
    boolean solid = box != null && endOffset - lowOffset == elements;
    return solid ? range : new Region(selection.and(range.selection), extent);
  }

  /**
   * Returns all elements of the same extent within a range of offsets; not for a scalar.
   *
   * @param from the first offset
   * @param to the offset after the last
   * @return those elements
   */
  Region solid(long from, long to) {
    List<Selection> boxes = new ArrayList<>(2 * extent.length);
    addRange(boxes, new long[extent.length], 0, from, to);
    return new Region(boxes.size() == 1 ? boxes.getFirst() : Selection.union(boxes), extent);
  }

  /**
   * Adds boxes for a range of offsets within the part of the dataset that a prefix of indices
   * selects.
   */
  private void addRange(List<Selection> boxes, long[] prefix, int d, long from, long to) {
    long inner = 1;
    for (int i = d + 1; i < extent.length; i++) {
      inner *= extent[i];
    }
    long first = from / inner;
    long end = to / inner;
    if (from % inner != 0) {
      prefix[d] = first;
      addRange(boxes, prefix, d + 1, from % inner, Math.min(inner, to - first * inner));
      first++;
    }
    if (to % inner != 0 && end >= first) {
      prefix[d] = end;
      addRange(boxes, prefix, d + 1, 0, to % inner);
    }
    if (first < end) {
      long[] start = Arrays.copyOf(prefix, d + 1);
      long[] count = extent.clone();
      Arrays.fill(count, 0, d, 1);
      start[d] = first;
      count[d] = end - first;
      boxes.add(Selection.box(Arrays.copyOf(start, extent.length), count));
    }
  }

  private static boolean isBox(RegularHyperslab regular) {
    for (int d = 0; d < regular.rank(); d++) {
      if (regular.count(d) != 1 || regular.block(d) < 1) {
        return false;
      }
    }
    return true;
  }

  private void requireBoxWithin() {
    if (box.rank() != extent.length) {
      throw new InvalidUseException(
          "rank of the selection: actual=" + box.rank() + ", expected=" + extent.length);
    }
    for (int d = 0; d < extent.length; d++) {
      if (box.start(d) > extent[d] - box.block(d)) {
        throw new InvalidUseException(
            "selected index: actual="
                + (box.start(d) + box.block(d) - 1)
                + ", expected=below the extent "
                + extent[d]
                + ", at=dimension "
                + d);
      }
    }
  }

  private long corner(boolean high) {
    Selection.Bounds bounds = selection.bounds(extent);
    long at = 0;
    for (int d = 0; d < extent.length; d++) {
      at = at * extent[d] + (high ? bounds.high(d) : bounds.low(d));
    }
    return at;
  }

  /**
   * {@return the selection; never unlimited, and a box instead of {@link AllSelection} unless the
   * dataset is a scalar}
   */
  public Selection selection() {
    return selection;
  }

  /** {@return the extent of the dataset} */
  public long[] extent() {
    return extent.clone();
  }

  /** {@return the number of dimensions} */
  public int rank() {
    return extent.length;
  }

  /** {@return the number of elements in the order of transfer} */
  public long elements() {
    return elements;
  }

  /** {@return a lower bound of the elements' offsets, inclusive} */
  long lowOffset() {
    return lowOffset;
  }

  /** {@return an upper bound of the elements' offsets, exclusive} */
  long endOffset() {
    return endOffset;
  }

  /**
   * Compares the extents of two regions.
   *
   * @param other the other region
   * @return whether the extents are equal
   */
  public boolean hasExtentOf(Region other) {
    return extent == other.extent || Arrays.equals(extent, other.extent);
  }

  /**
   * Tests whether two regions have an element in common. Regions of different extents are assumed
   * to overlap.
   *
   * @param other the other region
   * @return whether they overlap
   */
  public boolean overlaps(Region other) {
    if (elements == 0 || other.elements == 0) {
      return false;
    }
    if (!hasExtentOf(other)) {
      return true;
    }
    if (lowOffset >= other.endOffset || other.lowOffset >= endOffset) {
      return false;
    }
    if (extent.length == 0) {
      return true;
    }
    if (box != null && other.box != null) {
      return boxesOverlap(box, other.box);
    }
    return selection.and(other.selection).elementCount(extent) > 0;
  }

  private static boolean boxesOverlap(RegularHyperslab a, RegularHyperslab b) {
    for (int d = 0; d < a.rank(); d++) {
      if (a.start(d) >= b.start(d) + b.block(d) || b.start(d) >= a.start(d) + a.block(d)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Visits the runs in the order of transfer.
   *
   * @param limit the largest number of runs to visit
   * @param sink receives the runs
   * @return whether all runs were visited
   */
  boolean forEachRun(int limit, RunSink sink) {
    if (box != null) {
      return forEachRow(limit, sink);
    }
    RunCursor runs = selection.runs(extent);
    for (int i = 0; runs.next(); i++) {
      if (i == limit) {
        return false;
      }
      sink.run(runs.offset(), runs.length(), runs.ordinal());
    }
    return true;
  }

  private boolean forEachRow(int limit, RunSink sink) {
    // The last dimension that is not fully selected and all dimensions after it make one run.
    int inner = extent.length - 1;
    long length = 1;
    while (inner >= 0 && box.block(inner) == extent[inner]) {
      length *= extent[inner];
      inner--;
    }
    long step = length;
    if (inner >= 0) {
      length *= box.block(inner);
    }
    long rows = elements / length;
    if (rows == 1) {
      sink.run(lowOffset, length, 0);
      return true;
    }
    for (long row = 0; row < rows; row++) {
      if (row == limit) {
        return false;
      }
      sink.run(rowOffset(row, inner, step), length, row * length);
    }
    return true;
  }

  /**
   * {@return the offset of a row; an index of dimension {@code inner} spans {@code step} elements}
   */
  private long rowOffset(long row, int inner, long step) {
    long offset = box.start(inner) * step;
    long span = step * extent[inner];
    long left = row;
    for (int d = inner - 1; d >= 0; d--) {
      offset += (box.start(d) + left % box.block(d)) * span;
      left /= box.block(d);
      span *= extent[d];
    }
    return offset;
  }

  void requireBuffer(ElementKind kind, MemorySegment buffer) {
    long needed = Math.multiplyExact(elements, (long) kind.bytes());
    if (buffer.byteSize() != needed) {
      throw new InvalidUseException(
          "buffer: actual="
              + buffer.byteSize()
              + " bytes, expected="
              + needed
              + " bytes for "
              + elements
              + " elements of "
              + kind.type().describe());
    }
  }

  @Override
  public String toString() {
    return selection + " of " + Arrays.toString(extent);
  }
}
