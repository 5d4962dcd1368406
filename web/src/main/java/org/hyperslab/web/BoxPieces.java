package org.hyperslab.web;

import java.util.Arrays;
import org.hyperslab.Slice;
import org.hyperslab.format.space.RegularHyperslab;
import org.hyperslab.format.space.Selection;

/**
 * A regular part of a dataset, divided into consecutive pieces in row-major order. Each piece is
 * regular and small enough to be held in memory.
 *
 * <p>The dimensions behind {@code split} are whole in every piece, {@code split} is divided into
 * runs of {@code run} indices, and the dimensions before it have one index in each piece.
 *
 * <p>Thread rule: immutable, provided that no one changes the arrays.
 *
 * @param start the first index of each dimension
 * @param step the distance of consecutive indices of each dimension
 * @param count the number of indices of each dimension
 * @param split the dimension that is divided; 0 for a scalar
 * @param run the number of its indices in each piece except the last
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record BoxPieces(long[] start, long[] step, long[] count, int split, long run) {

  /**
   * One piece of the box.
   *
   * @param selection its elements
   * @param first the index of its first element among all, in row-major order
   * @param elements how many it has
   */
  record Piece(Selection selection, long first, long elements) {}

  /**
   * Divides a slice.
   *
   * @param slice the slice
   * @param chunk the shape of the dataset's chunks, to whose edges pieces are aligned where that
   *     costs little; empty if there are none
   * @param most the most elements of a piece; up to eight times as many where chunks are larger
   * @return the pieces; none for an empty slice
   */
  static BoxPieces of(Slice slice, long[] chunk, long most) {
    int rank = slice.dataset().rank();
    long[] start = new long[rank];
    long[] step = new long[rank];
    long[] count = new long[rank];
    Arrays.fill(step, 1);
    if (slice.selection() instanceof RegularHyperslab box) {
      for (int i = 0; i < rank; i++) {
        // A hyperslab of step 1 is normalised to one block.
        boolean oneBlock = box.count(i) == 1;
        start[i] = box.start(i);
        step[i] = oneBlock ? 1 : box.stride(i);
        count[i] = oneBlock ? box.block(i) : box.count(i);
      }
    }
    return divided(start, step, count, chunk, most);
  }

  private static BoxPieces divided(
      long[] start, long[] step, long[] count, long[] chunk, long most) {
    int split = Math.max(0, count.length - 1);
    long inner = 1;
    while (split > 0 && count[split] <= most / inner) {
      inner *= Math.max(1, count[split]);
      split--;
    }
    long run = Math.max(1, most / inner);
    if (count.length > 0 && chunk.length == count.length && step[split] == 1) {
      run = aligned(run, chunk[split], inner, most);
    }
    return new BoxPieces(start, step, count, split, run);
  }

  /** Aligns a run to whole rows of chunks, because a chunk in two pieces is decoded twice. */
  private static long aligned(long run, long chunk, long inner, long most) {
    if (run >= chunk) {
      return run / chunk * chunk;
    }
    return chunk <= 8 * most / inner ? chunk : run;
  }

  /** {@return how many elements there are in all} */
  long elements() {
    long all = 1;
    for (long each : count) {
      all = Math.multiplyExact(all, each);
    }
    return all;
  }

  /** {@return how many pieces there are} */
  long pieces() {
    return elements() == 0 ? 0 : outer() * runs();
  }

  private long outer() {
    long outer = 1;
    for (int i = 0; i < split; i++) {
      outer *= count[i];
    }
    return outer;
  }

  private long runs() {
    return count.length == 0 ? 1 : (count[split] + run - 1) / run;
  }

  private long inner() {
    long inner = 1;
    for (int i = split + 1; i < count.length; i++) {
      inner *= count[i];
    }
    return inner;
  }

  /**
   * {@return a piece}
   *
   * @param number the index of the piece, from 0, in row-major order
   */
  Piece piece(long number) {
    if (count.length == 0) {
      return new Piece(Selection.all(), 0, 1);
    }
    long[] from = start.clone();
    long[] some = count.clone();
    long outer = number / runs();
    long at = number % runs() * run;
    long rest = outer;
    for (int i = split - 1; i >= 0; i--) {
      from[i] += rest % count[i] * step[i];
      some[i] = 1;
      rest /= count[i];
    }
    from[split] += at * step[split];
    some[split] = Math.min(run, count[split] - at);
    long[] ones = new long[count.length];
    Arrays.fill(ones, 1);
    long first = (outer * count[split] + at) * inner();
    return new Piece(Selection.hyperslab(from, step, some, ones), first, some[split] * inner());
  }

  /**
   * {@return the number of the piece that has an element}
   *
   * @param element its index among all elements, in row-major order
   */
  long pieceOf(long element) {
    if (count.length == 0) {
      return 0;
    }
    long row = element / inner();
    return row / count[split] * runs() + row % count[split] / run;
  }
}
