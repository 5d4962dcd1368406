package org.hyperslab.spark.read;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hyperslab.format.space.Selection;
import org.hyperslab.spark.table.Axis;
import org.hyperslab.spark.table.TablePart;

/**
 * How the selected elements of one file are divided into units, the parts that are read at once: a
 * grid of blocks of whole chunks, of which those remain that have selected indices in every
 * dimension. Units are numbered in row-major order, so that any number of them is a range.
 *
 * <p>Thread rule: immutable.
 */
final class UnitGrid implements Serializable {

  private static final long serialVersionUID = 1L;

  /** The most elements to which small chunks are put together. */
  private static final long UNIT_ELEMENTS = 1 << 17;

  private final TablePart file;
  private final IndexSet[] selected;
  private final long[] unit;
  private final IndexSet[] blocks;

  private UnitGrid(TablePart file, IndexSet[] selected, long[] unit) {
    this.file = file;
    this.selected = selected;
    this.unit = unit;
    this.blocks = new IndexSet[selected.length];
    for (int d = 0; d < selected.length; d++) {
      blocks[d] = selected[d].blocks(unit[d]);
    }
  }

  /**
   * Divides a file.
   *
   * @param file the file
   * @param selected the selected indices of each dimension
   * @param wholeChunks whether a unit is one chunk exactly
   */
  static UnitGrid of(TablePart file, IndexSet[] selected, boolean wholeChunks) {
    long[] unit = file.chunk().stream().mapToLong(length -> Math.max(1, length)).toArray();
    long[] extent = file.axes().stream().mapToLong(Axis::length).toArray();
    if (!wholeChunks || !file.isChunked()) {
      if (!file.isChunked()) {
        Arrays.fill(unit, 1);
      }
      grow(unit, extent);
    }
    return new UnitGrid(file, selected, unit);
  }

  /** Enlarges units by whole chunks, in the fastest dimension first. */
  private static void grow(long[] unit, long[] extent) {
    long elements = 1;
    for (long length : unit) {
      elements *= length;
    }
    for (int d = unit.length - 1; d >= 0 && elements < UNIT_ELEMENTS; d--) {
      long times = Math.min(UNIT_ELEMENTS / elements, Math.ceilDiv(extent[d], unit[d]));
      if (times > 1) {
        elements = elements / unit[d] * Math.min(unit[d] * times, extent[d]);
        unit[d] = Math.min(unit[d] * times, Math.max(1, extent[d]));
      }
      if (unit[d] < extent[d]) {
        break; // a longer block in a slower dimension would not be contiguous
      }
    }
  }

  TablePart file() {
    return file;
  }

  IndexSet selected(int axis) {
    return selected[axis];
  }

  /** Returns the number of units. */
  long count() {
    long count = 1;
    for (IndexSet each : blocks) {
      count = Math.multiplyExact(count, each.count());
    }
    return count;
  }

  /** Returns the number of selected elements. */
  long rows() {
    long rows = 1;
    for (IndexSet each : selected) {
      rows = Math.multiplyExact(rows, each.count());
    }
    return rows;
  }

  /** Returns the selected indices of a unit, in each dimension. */
  IndexSet[] indices(long number) {
    IndexSet[] part = new IndexSet[selected.length];
    long rest = number;
    for (int d = selected.length - 1; d >= 0; d--) {
      long block = blocks[d].at(rest % blocks[d].count());
      rest /= blocks[d].count();
      part[d] = selected[d].slice(block * unit[d], (block + 1) * unit[d]);
    }
    return part;
  }

  /**
   * Returns the selected indices of each chunk of a unit that has any, or of the whole unit if
   * elements are not chunked.
   */
  List<IndexSet[]> chunks(long number) {
    IndexSet[] indices = indices(number);
    List<IndexSet[]> all = new ArrayList<>();
    if (!file.isChunked()) {
      all.add(indices);
      return all;
    }
    IndexSet[] each = new IndexSet[indices.length];
    long count = 1;
    for (int d = 0; d < each.length; d++) {
      each[d] = indices[d].blocks(file.chunk().get(d));
      count *= each[d].count();
    }
    for (long chunk = 0; chunk < count; chunk++) {
      IndexSet[] part = new IndexSet[each.length];
      long rest = chunk;
      for (int d = each.length - 1; d >= 0; d--) {
        long block = each[d].at(rest % each[d].count());
        rest /= each[d].count();
        long length = file.chunk().get(d);
        part[d] = indices[d].slice(block * length, (block + 1) * length);
      }
      all.add(part);
    }
    return all;
  }

  /** Returns the origin of a unit's block, whether it is selected or not. */
  long[] origin(long number) {
    long[] origin = new long[selected.length];
    long rest = number;
    for (int d = selected.length - 1; d >= 0; d--) {
      origin[d] = blocks[d].at(rest % blocks[d].count()) * unit[d];
      rest /= blocks[d].count();
    }
    return origin;
  }

  /** Returns the selected elements of a unit. */
  long rows(long number) {
    long rows = 1;
    for (IndexSet each : indices(number)) {
      rows *= each.count();
    }
    return rows;
  }

  /**
   * Returns the dimensions by which the rows of successive units ascend: all, or those at the
   * beginning of which a unit has one index each.
   */
  int orderedAxes() {
    int last = 0;
    while (last < unit.length && (unit[last] == 1 || selected[last].count() == 1)) {
      last++;
    }
    for (int d = last + 1; d < unit.length; d++) {
      if (blocks[d].count() > 1) {
        return last;
      }
    }
    return unit.length;
  }

  /** Returns the selection of indices in each dimension. */
  Selection selection(IndexSet[] part) {
    int rank = part.length;
    long[] extent = file.axes().stream().mapToLong(Axis::length).toArray();
    long[] start = new long[rank];
    long[] count = new long[rank];
    List<Integer> gaps = new ArrayList<>();
    for (int d = 0; d < rank; d++) {
      start[d] = part[d].first();
      count[d] = part[d].end() - start[d];
      if (!part[d].isOneRange()) {
        gaps.add(d);
      }
    }
    Selection selection = Selection.box(start, count);
    for (int d : gaps) {
      selection = selection.and(Selection.along(d, part[d].toArray(), extent));
    }
    return selection;
  }
}
