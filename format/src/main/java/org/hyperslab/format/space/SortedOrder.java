package org.hyperslab.format.space;

import java.util.Arrays;

/** Sorts numbers by keys; stable, and without boxing if the keys leave enough bits. */
final class SortedOrder {

  private SortedOrder() {}

  /** Returns the numbers 0 to n-1 in ascending order. */
  static int[] identity(int n) {
    int[] order = new int[n];
    Arrays.setAll(order, i -> i);
    return order;
  }

  /**
   * Returns the numbers 0 to n-1 sorted by {@code keys[base + number]}; keys must not be negative.
   */
  static int[] of(long[] keys, int base, int n) {
    boolean ascending = true;
    long largest = n == 0 ? 0 : keys[base];
    for (int i = 1; i < n; i++) {
      ascending &= keys[base + i - 1] <= keys[base + i];
      largest = Math.max(largest, keys[base + i]);
    }
    if (ascending) {
      return identity(n);
    }
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(n);
    return largest >>> (62 - bits) == 0 ? packed(keys, base, n, bits) : boxed(keys, base, n);
  }

  /** Sorts with key and number packed in one long. */
  private static int[] packed(long[] keys, int base, int n, int bits) {
    long[] packed = new long[n];
    for (int i = 0; i < n; i++) {
      packed[i] = keys[base + i] << bits | i;
    }
    Arrays.sort(packed);
    int[] order = new int[n];
    Arrays.setAll(order, i -> (int) (packed[i] & ((1L << bits) - 1)));
    return order;
  }

  private static int[] boxed(long[] keys, int base, int n) {
    Integer[] boxed = new Integer[n];
    Arrays.setAll(boxed, i -> i);
    Arrays.sort(boxed, (a, b) -> Long.compare(keys[base + a], keys[base + b]));
    int[] order = new int[n];
    Arrays.setAll(order, i -> boxed[i]);
    return order;
  }
}
