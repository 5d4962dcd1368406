package org.hyperslab.machine.assignment;

import java.util.Arrays;

/**
 * A binary heap of columns by distance; among equal distances free columns come first, then lower
 * ones. A column may be in the heap several times, with its earlier distances.
 */
final class ColumnHeap {

  private static final long TAKEN = 1L << Integer.SIZE;

  private double[] keys = new double[64];
  private long[] columns = new long[64];
  private int size;

  boolean isEmpty() {
    return size == 0;
  }

  void clear() {
    size = 0;
  }

  void push(double key, int column, boolean free) {
    if (size == keys.length) {
      keys = Arrays.copyOf(keys, 2 * size);
      columns = Arrays.copyOf(columns, 2 * size);
    }
    long entry = column | (free ? 0 : TAKEN);
    int at = size++;
    while (at > 0) {
      int above = (at - 1) >>> 1;
      if (!before(key, entry, keys[above], columns[above])) {
        break;
      }
      keys[at] = keys[above];
      columns[at] = columns[above];
      at = above;
    }
    keys[at] = key;
    columns[at] = entry;
  }

  private static boolean before(double key, long entry, double otherKey, long other) {
    return key < otherKey || (key == otherKey && entry < other);
  }

  /** Removes and returns the first column. The heap must not be empty. */
  int pop() {
    int first = (int) columns[0];
    size--;
    double key = keys[size];
    long entry = columns[size];
    int at = 0;
    for (int below = 1; below < size; below = 2 * at + 1) {
      if (below + 1 < size
          && before(keys[below + 1], columns[below + 1], keys[below], columns[below])) {
        below++;
      }
      if (!before(keys[below], columns[below], key, entry)) {
        break;
      }
      keys[at] = keys[below];
      columns[at] = columns[below];
      at = below;
    }
    keys[at] = key;
    columns[at] = entry;
    return first;
  }
}
