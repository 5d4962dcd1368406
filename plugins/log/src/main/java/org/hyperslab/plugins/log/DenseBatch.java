package org.hyperslab.plugins.log;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import org.hyperslab.format.space.RunCursor;
import org.hyperslab.format.space.Selection;
import org.hyperslab.plugins.compacting.plan.ElementKind;
import org.hyperslab.plugins.compacting.plan.Region;
import org.hyperslab.plugins.compacting.plan.WriteRequest;

/**
 * Many short runs of elements that lie close together: the rows that hold them are read, changed in
 * memory and written as a whole. Planning each run would take longer than moving all rows.
 *
 * @param rows the rows, all elements of them
 * @param writes the writes, oldest first
 */
record DenseBatch(Region rows, List<WriteRequest> writes) {

  /** The mean length of a run, in bytes, below which runs are short. */
  private static final int SHORT_BYTES = 128;

  private static final long LEAST_RUNS = 256;

  /** The most elements of the rows for each element that is written. */
  private static final long SPARSEST = 4;

  /**
   * Returns the batch of some writes.
   *
   * @param writes the writes, of one dataset with one extent, oldest first
   * @param kind the type of the elements
   * @param mostBytes the greatest length of the rows
   * @return the batch; empty if the runs are long, few or far apart
   */
  static Optional<DenseBatch> of(List<WriteRequest> writes, ElementKind kind, long mostBytes) {
    long[] extent = writes.getFirst().region().extent();
    if (extent.length == 0) {
      return Optional.empty();
    }
    long elements = 0;
    long runs = 0;
    long first = Long.MAX_VALUE;
    long last = -1;
    for (WriteRequest write : writes) {
      Selection selection = write.region().selection();
      Selection.Bounds bounds = selection.bounds(extent);
      first = Math.min(first, bounds.low(0));
      last = Math.max(last, bounds.high(0));
      elements += write.region().elements();
      runs += runs(selection, extent);
    }
    long inner = 1;
    for (int d = 1; d < extent.length; d++) {
      inner *= extent[d];
    }
    long wide = (last - first + 1) * inner;
    boolean isShort = runs >= LEAST_RUNS && elements * kind.bytes() < runs * SHORT_BYTES;
    if (!isShort || wide > elements * SPARSEST || wide > mostBytes / kind.bytes()) {
      return Optional.empty();
    }
    long[] start = new long[extent.length];
    long[] count = extent.clone();
    start[0] = first;
    count[0] = last - first + 1;
    return Optional.of(new DenseBatch(Region.of(Selection.box(start, count), extent), writes));
  }

  private static long runs(Selection selection, long... extent) {
    RunCursor cursor = selection.runs(extent);
    long runs = 0;
    while (cursor.next()) {
      runs++;
    }
    return runs;
  }

  /**
   * Changes the elements of the rows.
   *
   * @param memory the rows, in the order of the file
   * @param elementBytes the size of an element
   */
  void apply(MemorySegment memory, int elementBytes) {
    long[] extent = rows.extent();
    RunCursor whole = rows.selection().runs(extent);
    long begin = whole.next() ? whole.offset() : 0;
    for (WriteRequest write : writes) {
      RunCursor runs = write.region().selection().runs(extent);
      while (runs.next()) {
        MemorySegment.copy(
            write.buffer(),
            runs.ordinal() * elementBytes,
            memory,
            (runs.offset() - begin) * elementBytes,
            runs.length() * elementBytes);
      }
    }
  }
}
