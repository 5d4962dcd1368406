package org.hyperslab.web.slice;

import java.util.Arrays;
import org.hyperslab.Slice;
import org.hyperslab.format.space.RegularHyperslab;
import org.hyperslab.format.space.Selection;

/**
 * A regular part of a dataset: some indices of each dimension, at equal distances.
 *
 * <p>Thread rule: immutable, provided that no one changes the arrays.
 *
 * @param start the first index of each dimension
 * @param step the distance of consecutive indices of each dimension
 * @param count the number of indices of each dimension
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record StridedBox(long[] start, long[] step, long[] count) {

  /** {@return the elements of a slice} */
  public static StridedBox of(Slice slice) {
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
    return new StridedBox(start, step, count);
  }

  /** {@return the product of two numbers that are not negative, or the greatest long} */
  public static long product(long a, long b) {
    return a == 0 || b == 0 ? 0 : a > Long.MAX_VALUE / b ? Long.MAX_VALUE : a * b;
  }

  /** {@return how many elements there are, or the greatest long if there are more} */
  public long elements() {
    return Arrays.stream(count).reduce(1, StridedBox::product);
  }

  /**
   * {@return how many chunks have an element, or the greatest long if there are more}
   *
   * @param chunk the shape of a chunk; empty if there are none, which counts as one
   */
  long chunks(long[] chunk) {
    long all = 1;
    for (int i = 0; i < chunk.length; i++) {
      all = product(all, chunks(i, chunk[i]));
    }
    return all;
  }

  /** Returns how many chunks have an index of a dimension. */
  private long chunks(int i, long chunk) {
    if (count[i] == 0 || step[i] >= chunk) {
      return count[i];
    }
    return (start[i] + (count[i] - 1) * step[i]) / chunk - start[i] / chunk + 1;
  }

  /**
   * {@return the first element in one of the chunks that have an element}
   *
   * @param number the number of the chunk among them, in row-major order
   * @param chunk the shape of a chunk
   */
  StridedBox inChunk(long number, long[] chunk) {
    long[] at = start.clone();
    long[] one = new long[count.length];
    Arrays.fill(one, 1);
    long rest = number;
    for (int i = count.length - 1; i >= 0; i--) {
      long nth = rest % chunks(i, chunk[i]);
      rest /= chunks(i, chunk[i]);
      long edge = (start[i] / chunk[i] + nth) * chunk[i];
      long index = step[i] >= chunk[i] ? nth : Math.max(0, Math.ceilDiv(edge - start[i], step[i]));
      at[i] += index * step[i];
    }
    return new StridedBox(at, step, one);
  }

  /** {@return the elements} */
  public Selection selection() {
    if (count.length == 0) {
      return Selection.all();
    }
    long[] ones = new long[count.length];
    Arrays.fill(ones, 1);
    return Selection.hyperslab(start, step, count, ones);
  }

  /** {@return a selection of the box's first element} */
  Selection firstElement() {
    long[] ones = new long[count.length];
    Arrays.fill(ones, 1);
    return count.length == 0 ? Selection.all() : Selection.box(start, ones);
  }

  /**
   * {@return whether a block has an element of this part}
   *
   * @param offset the block's first element
   * @param shape the block's shape
   */
  boolean meets(long[] offset, long[] shape) {
    return within(offset, shape).elements() > 0;
  }

  /**
   * {@return the elements within a block}
   *
   * @param offset the block's first element
   * @param shape the block's shape
   */
  public StridedBox within(long[] offset, long[] shape) {
    long[] from = start.clone();
    long[] some = count.clone();
    for (int i = 0; i < count.length; i++) {
      long first = Math.max(0, Math.ceilDiv(offset[i] - start[i], step[i]));
      long end = Math.ceilDiv(offset[i] + shape[i] - start[i], step[i]);
      from[i] += first * step[i];
      some[i] = Math.max(0, Math.min(count[i], end) - first);
    }
    return new StridedBox(from, step, some);
  }
}
