package org.hyperslab.convert.model;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.hyperslab.convert.bytes.FileBytes;
import org.hyperslab.convert.bytes.InputBytes;
import org.hyperslab.format.space.Dataspace;

/**
 * Reads and writes boxes of an array that is stored in row-major order in a file.
 *
 * @param dims the array's shape
 * @param offset the position of its first byte
 * @param elementBytes bytes of an element
 */
public record BoxBytes(long[] dims, long offset, long elementBytes) {

  /**
   * Reads a box.
   *
   * @param from the file
   * @param start the box's first index in each dimension
   * @param count its indices in each dimension
   * @param target receives its elements in row-major order
   */
  public void read(InputBytes from, long[] start, long[] count, MemorySegment target) {
    Boxes.runs(
        dims,
        start,
        count,
        (inArray, inBox, length) ->
            from.read(
                offset + inArray * elementBytes,
                target.asSlice(inBox * elementBytes, length * elementBytes)));
  }

  /**
   * Writes a box.
   *
   * @param to the file
   * @param start the box's first index in each dimension
   * @param count its indices in each dimension
   * @param source its elements in row-major order
   */
  public void write(FileBytes to, long[] start, long[] count, MemorySegment source) {
    Boxes.runs(
        dims,
        start,
        count,
        (inArray, inBox, length) ->
            to.write(
                offset + inArray * elementBytes,
                source.asSlice(inBox * elementBytes, length * elementBytes)));
  }

  /**
   * Copies elements from row-major to column-major order.
   *
   * @param from elements of a box in row-major order
   * @param shape the box's shape
   * @param to receives the elements in column-major order
   * @param elementBytes bytes of an element
   */
  public static void transpose(
      MemorySegment from, long[] shape, MemorySegment to, long elementBytes) {
    long[] strides = new long[shape.length];
    long stride = 1;
    for (int d = 0; d < shape.length; d++) {
      strides[d] = stride;
      stride *= shape[d];
    }
    scatter(from, shape, to, strides, elementBytes);
  }

  /**
   * Copies elements of a box to an array with arbitrary strides.
   *
   * @param from elements of a box in row-major order
   * @param shape the box's shape
   * @param to receives the elements
   * @param strides the distance in elements between consecutive indices of each dimension
   * @param elementBytes bytes of an element
   */
  public static void scatter(
      MemorySegment from, long[] shape, MemorySegment to, long[] strides, long elementBytes) {
    long count = Dataspace.product(shape);
    long[] at = new long[shape.length];
    long target = 0;
    for (long i = 0; i < count; i++) {
      copyElement(from, i * elementBytes, to, target * elementBytes, elementBytes);
      for (int d = shape.length - 1; d >= 0; d--) {
        target += strides[d];
        if (++at[d] < shape[d]) {
          break;
        }
        target -= strides[d] * shape[d];
        at[d] = 0;
      }
    }
  }

  private static void copyElement(
      MemorySegment from, long fromAt, MemorySegment to, long toAt, long bytes) {
    if (bytes == 8) {
      to.set(
          ValueLayout.JAVA_LONG_UNALIGNED, toAt, from.get(ValueLayout.JAVA_LONG_UNALIGNED, fromAt));
    } else if (bytes == 4) {
      to.set(
          ValueLayout.JAVA_INT_UNALIGNED, toAt, from.get(ValueLayout.JAVA_INT_UNALIGNED, fromAt));
    } else {
      MemorySegment.copy(from, fromAt, to, toAt, bytes);
    }
  }
}
