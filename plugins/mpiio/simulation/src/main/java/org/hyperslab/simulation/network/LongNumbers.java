package org.hyperslab.simulation.network;

import java.util.Arrays;

/**
 * A map from longs to numbers of at least 0. Open addressing; removal closes the gap.
 *
 * <p>Allocates only when it grows. Thread rule: one thread.
 */
public final class LongNumbers {

  private long[] keys = new long[64];
  private int[] values = new int[64];
  private int size;

  /** Creates an empty map. */
  public LongNumbers() {
    Arrays.fill(values, -1);
  }

  /** {@return how many longs have a number} */
  public int size() {
    return size;
  }

  private static int place(long key, int mask) {
    long mixed = key * 0x9e37_79b9_7f4a_7c15L;
    return (int) (mixed ^ (mixed >>> 32)) & mask;
  }

  private int find(long key) {
    int mask = keys.length - 1;
    int at = place(key, mask);
    while (values[at] >= 0 && keys[at] != key) {
      at = (at + 1) & mask;
    }
    return at;
  }

  /**
   * Returns the number of a key.
   *
   * @param key the key
   * @return its number; -1 if it has none
   */
  public int get(long key) {
    return values[find(key)];
  }

  /**
   * Gives a key a number.
   *
   * @param key the key
   * @param value the number, at least 0
   */
  public void put(long key, int value) {
    int at = find(key);
    if (values[at] < 0) {
      if (2 * (size + 1) > keys.length) {
        grow();
        at = find(key);
      }
      size++;
    }
    keys[at] = key;
    values[at] = value;
  }

  private void grow() {
    long[] oldKeys = keys;
    int[] oldValues = values;
    keys = new long[2 * oldKeys.length];
    values = new int[2 * oldKeys.length];
    Arrays.fill(values, -1);
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldValues[i] >= 0) {
        int at = find(oldKeys[i]);
        keys[at] = oldKeys[i];
        values[at] = oldValues[i];
      }
    }
  }

  /**
   * Takes a key's number away.
   *
   * @param key the key; nothing happens if it has no number
   */
  public void remove(long key) {
    int mask = keys.length - 1;
    int gap = find(key);
    if (values[gap] < 0) {
      return;
    }
    values[gap] = -1;
    size--;
    for (int at = (gap + 1) & mask; values[at] >= 0; at = (at + 1) & mask) {
      int home = place(keys[at], mask);
      if (((at - home) & mask) >= ((at - gap) & mask)) {
        keys[gap] = keys[at];
        values[gap] = values[at];
        values[at] = -1;
        gap = at;
      }
    }
  }
}
