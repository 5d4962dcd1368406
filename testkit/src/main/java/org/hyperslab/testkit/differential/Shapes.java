package org.hyperslab.testkit.differential;

import java.util.Arrays;
import java.util.List;

/** Arithmetic on extents. Coordinates and indexes count from 0; indexes are in row-major order. */
final class Shapes {

  private Shapes() {}

  /** Returns the number of elements of an extent; 0 for a null dataspace. */
  static long count(long[] dims) {
    return dims == null ? 0 : Arrays.stream(dims).reduce(1, Math::multiplyExact);
  }

  /** Returns the index of an element; -1 outside the extent. */
  static long number(long[] dims, List<Long> coordinates) {
    if (coordinates.size() != dims.length) {
      return -1;
    }
    long number = 0;
    for (int d = 0; d < dims.length; d++) {
      if (coordinates.get(d) >= dims[d]) {
        return -1;
      }
      number = number * dims[d] + coordinates.get(d);
    }
    return number;
  }

  /** Returns the coordinates of an element. */
  static List<Long> coordinates(long[] dims, long number) {
    Long[] found = new Long[dims.length];
    long rest = number;
    for (int d = dims.length - 1; d >= 0; d--) {
      found[d] = rest % dims[d];
      rest /= dims[d];
    }
    return List.of(found);
  }

  static long[] array(List<Long> numbers) {
    return numbers.stream().mapToLong(Long::longValue).toArray();
  }

  static List<Long> list(long[] numbers) {
    return numbers == null ? null : Arrays.stream(numbers).boxed().toList();
  }
}
