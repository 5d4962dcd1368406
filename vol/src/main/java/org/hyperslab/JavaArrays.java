package org.hyperslab;

import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.function.Consumer;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;

/** Shapes of nested Java arrays, and the way to and from flat ones. */
final class JavaArrays {

  private JavaArrays() {}

  /** How many array brackets a class has. */
  static int depth(Class<?> type) {
    int depth = 0;
    for (Class<?> c = type; c.isArray(); c = c.componentType()) {
      depth++;
    }
    return depth;
  }

  /** The class below a number of array brackets. */
  static Class<?> below(Class<?> type, int depth) {
    Class<?> c = type;
    for (int i = 0; i < depth; i++) {
      c = c.componentType();
    }
    return c;
  }

  /** The class that a number of array brackets around a class makes. */
  static Class<?> around(Class<?> type, int depth) {
    Class<?> c = type;
    for (int i = 0; i < depth; i++) {
      c = c.arrayType();
    }
    return c;
  }

  /**
   * The shape of the outer {@code depth} levels of a nested array.
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

  /** Shows the innermost of {@code depth} levels of arrays, in row-major order. */
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
   * Refuses nested arrays of another shape than that of the elements; flat ones pass. Dimensions of
   * length 1 make no difference, for they do not move elements.
   *
   * @throws InvalidUseException naming both shapes
   */
  static void requireShape(String what, long[] actual, long[] expected) {
    boolean nested = actual.length > 1;
    if (nested && !Arrays.equals(withoutOnes(actual), withoutOnes(expected))) {
      throw new InvalidUseException(
          what
              + ": actual=an array of shape "
              + Arrays.toString(actual)
              + ", expected=shape "
              + Arrays.toString(expected)
              + ", or flat");
    }
  }

  private static long[] withoutOnes(long[] shape) {
    return Arrays.stream(shape).filter(length -> length != 1).toArray();
  }

  /** Refuses arrays of another number of elements. */
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

  /** A new array of a shape. */
  static Object create(Class<?> leaf, long[] shape) {
    int[] lengths = new int[shape.length];
    for (int i = 0; i < shape.length; i++) {
      lengths[i] = length(shape[i]);
    }
    return Array.newInstance(leaf, lengths);
  }

  /** A number of elements as an array length. */
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
