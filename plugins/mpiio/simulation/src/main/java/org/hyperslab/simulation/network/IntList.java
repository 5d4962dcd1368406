package org.hyperslab.simulation.network;

import java.util.Arrays;

/** A list of ints that keeps its memory when it is cleared. */
final class IntList {

  private int[] items = new int[16];
  private int size;

  int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }

  int get(int index) {
    return items[index];
  }

  void add(int item) {
    if (size == items.length) {
      items = Arrays.copyOf(items, 2 * size);
    }
    items[size++] = item;
  }

  void clear() {
    size = 0;
  }
}
