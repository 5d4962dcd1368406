package org.hyperslab.vol.passthrough;

import java.util.Arrays;
import org.hyperslab.format.space.Selection;

/**
 * Divides an extent into pages: boxes whose elements are contiguous in row-major order. A page is
 * whole in the dimensions behind {@code axis}, at most {@code thickness} indices thick in {@code
 * axis}, and one index in the dimensions before it.
 *
 * @param dims the extent, rank at least 1
 * @param axis the dimension that is cut
 * @param thickness indices of a page in that dimension
 * @param stride elements from one index of that dimension to the next
 */
record Paging(long[] dims, int axis, long thickness, long stride) {

  /** Pages of at most {@code pageBytes}, or one element if that is larger. */
  static Paging of(long[] dims, int elementBytes, long pageBytes) {
    int axis = dims.length - 1;
    long stride = 1;
    while (axis > 0
        && Math.multiplyHigh(stride, dims[axis]) == 0
        && stride * dims[axis] <= pageBytes / elementBytes) {
      stride *= dims[axis--];
    }
    long thickness = Math.clamp(pageBytes / elementBytes / Math.max(stride, 1), 1, dims[axis]);
    return new Paging(dims, axis, thickness, stride);
  }

  private long pagesInLine() {
    return (dims[axis] + thickness - 1) / thickness;
  }

  /** Returns the page of the element at a row-major offset. */
  long pageOf(long offset) {
    long line = offset / stride / dims[axis];
    return line * pagesInLine() + offset / stride % dims[axis] / thickness;
  }

  /** Returns the row-major offset of a page's first element. */
  long start(long page) {
    long line = page / pagesInLine();
    return (line * dims[axis] + page % pagesInLine() * thickness) * stride;
  }

  /** Elements of a page. */
  long length(long page) {
    long first = page % pagesInLine() * thickness;
    return Math.min(thickness, dims[axis] - first) * stride;
  }

  /** Returns a page as a selection. */
  Selection selection(long page) {
    long[] start = new long[dims.length];
    long[] count = dims.clone();
    long line = page / pagesInLine();
    for (int i = axis - 1; i >= 0; i--) {
      start[i] = line % dims[i];
      line /= dims[i];
    }
    Arrays.fill(count, 0, axis, 1);
    start[axis] = page % pagesInLine() * thickness;
    count[axis] = Math.min(thickness, dims[axis] - start[axis]);
    return Selection.box(start, count);
  }
}
