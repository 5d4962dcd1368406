package org.hyperslab;

import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.function.Consumer;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;

/** Computes shapes of nested Java arrays, and walks over their rows. */
final class JavaArrays {

  private JavaArrays() {}

  /** Returns the number of array dimensions of a class. */
  static int depth(Class<?> type) {
    int depth = 0;
    for (Class<?> c = type; c.isArray(); c = c.componentType()) {
      depth++;
    }
    return depth;
  }

  /** Returns the component class below a number of array dimensions. */
  static Class<?> below(Class<?> type, int depth) {
    Class<?> c = type;
    for (int i = 0; i < depth; i++) {
      c = c.componentType();
    }
    return c;
  }

  /** Returns the array class with a number of dimensions around a class. */
  static Class<?> around(Class<?> type, int depth) {
    Class<?> c = type;
    for (int i = 0; i < depth; i++) {
      c = c.arrayType();
    }
    return c;
  }

  /**
   * Returns the shape of the outer {@code depth} levels of a nested array.
   *
   * @throws InvalidUseException if rows differ in length, or one is null
   */
  static long[] shape(Object array, int depth) {
    long[] shape = new long[depth];
    Object level = array;
    for (int i = 0; i < depth; i++) {
      shape[i] = level == null ? 0 : Array.getLength(level);
      level = shape[i] == 0 ? null : Array.get(level, 0);
    }
    checkRegular(array, shape, 0);
    return shape;
  }

  private static void checkRegular(Object array, long[] shape, int level) {
    if (level >= shape.length) {
      return;
    }
    long length = array == null ? -1 : Array.getLength(array);
    if (length != shape[level]) {
      throw new InvalidUseException(
          "nested array: actual="
              + (array == null ? "a null row" : "a row of length " + length)
              + ", expected="
              + shape[level]
              + " as in the first row, at=level "
              + level
              + " of "
              + Arrays.toString(shape));
    }
    for (int i = 0; level + 1 < shape.length && i < length; i++) {
      checkRegular(Array.get(array, i), shape, level + 1);
    }
  }

  /**
   * Passes the arrays of the innermost of {@code depth} levels to a consumer, in row-major order.
   */
  static void forEachRow(Object array, int depth, Consumer<Object> row) {
    if (depth == 1) {
      row.accept(array);
      return;
    }
    for (Object below : (Object[]) array) {
      forEachRow(below, depth - 1, row);
    }
  }

  /**
   * Rejects nested arrays whose shape differs from that of the elements; flat arrays are accepted.
   * Dimensions of length 1 are ignored, because they do not move elements, as are the dimensions
   * after one of length 0, which a nested array cannot express.
   *
   * @throws InvalidUseException naming both shapes
   */
  static void requireShape(String what, long[] actual, long[] expected) {
    boolean nested = actual.length > 1;
    if (nested && !isSame(withoutOnes(actual), withoutOnes(expected))) {
      throw new InvalidUseException(
          what
              + ": actual=an array of shape "
              + Arrays.toString(actual)
              + ", expected=shape "
              + Arrays.toString(expected)
              + ", or a flat array of all elements");
    }
  }

  /** Returns whether two shapes are the same, as far as a nested array can express them. */
  static boolean isSame(long[] actual, long[] expected) {
    int known = 0;
    while (known < actual.length && actual[known] != 0) {
      known++;
    }
    int compared = Math.min(known + 1, actual.length);
    return actual.length == expected.length
        && Arrays.equals(actual, 0, compared, expected, 0, compared);
  }

  private static long[] withoutOnes(long[] shape) {
    return Arrays.stream(shape).filter(length -> length != 1).toArray();
  }

  /**
   * Returns the shape of the rows that an array appends to a dataset.
   *
   * @param given the array's shape: rows, or one row
   * @param dims the dataset's extent
   * @throws InvalidUseException if it does not have the shape of rows of the dataset
   */
  static long[] appended(long[] given, long[] dims) {
    long[] rows = given;
    if (dims.length > 0 && given.length == dims.length - 1) {
      rows = new long[dims.length];
      rows[0] = 1;
      System.arraycopy(given, 0, rows, 1, given.length);
    }
    long[] count = dims.clone();
    if (count.length > 0 && rows.length == count.length) {
      count[0] = rows[0];
    }
    if (dims.length == 0 || !isSame(rows, count)) {
      throw new InvalidUseException(
          "rows to append: actual=shape "
              + Arrays.toString(given)
              + " for a dataset of shape "
              + Arrays.toString(dims)
              + ", expected="
              + appendable(dims));
    }
    return count;
  }

  /** Describes the shapes of values that can be appended to a dataset. */
  private static String appendable(long[] dims) {
    if (dims.length == 0) {
      return "a dataset of rank 1 or more; create the dataset with an unlimited dimension";
    }
    String row = Arrays.toString(Arrays.copyOfRange(dims, 1, dims.length));
    return dims.length == 1
        ? "a value or a one-dimensional array; append the elements as a flat array"
        : "shape "
            + row.replace("[", "[n, ")
            + " for n rows, or "
            + row
            + " for one row; pass an array with one of these shapes";
  }

  /** Rejects arrays with an unexpected number of elements. */
  static void requireCount(String what, long[] actual, Dataspace expected) {
    long count = Dataspace.simple(actual).elementCount();
    if (count != expected.elementCount()) {
      throw new InvalidUseException(
          what
              + ": actual="
              + count
              + " elements, expected="
              + expected.elementCount()
              + " of "
              + expected);
    }
  }

  /** Returns the elements of a nested array of booleans in row-major order. */
  static boolean[] flatten(Object nested, int depth) {
    long[] shape = shape(nested, depth);
    boolean[] all = new boolean[length(Dataspace.simple(shape).elementCount())];
    int[] at = {0};
    forEachRow(
        nested,
        depth,
        row -> {
          boolean[] part = (boolean[]) row;
          System.arraycopy(part, 0, all, at[0], part.length);
          at[0] += part.length;
        });
    return all;
  }

  /** Returns a new array of a shape. */
  static Object create(Class<?> leaf, long[] shape) {
    int[] lengths = new int[shape.length];
    for (int i = 0; i < shape.length; i++) {
      lengths[i] = length(shape[i]);
    }
    return Array.newInstance(leaf, lengths);
  }

  /** Converts a number of elements to an array length. */
  static int length(long count) {
    if (count > Integer.MAX_VALUE - 8) {
      throw new InvalidUseException(
          "Java array: actual="
              + count
              + " elements, expected=at most "
              + (Integer.MAX_VALUE - 8)
              + "; read a part, or into a MemorySegment");
    }
    return (int) count;
  }
}
