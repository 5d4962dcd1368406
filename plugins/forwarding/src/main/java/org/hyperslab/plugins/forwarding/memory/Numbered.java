package org.hyperslab.plugins.forwarding.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * Values by number, where the numbers in use lie close together, as those of requests on their way
 * do: a ring instead of a tree, without memory for each entry.
 *
 * <p>Invariant: all numbers with a value are in {@code low}..{@code high}-1, {@code low} is one if
 * there is any, and the ring has a place for each number of that range. What it takes follows the
 * range, which its user bounds.
 *
 * <p>Thread rule: guarded by its user.
 */
public final class Numbered<T> {

  private Object[] ring = new Object[64];
  private long low;
  private long high;
  private int size;

  /** Nothing has a value. */
  public Numbered() {}

  private int place(long number) {
    return (int) number & (ring.length - 1);
  }

  /** How many numbers have a value. */
  public int size() {
    return size;
  }

  /** Whether none has. */
  public boolean isEmpty() {
    return size == 0;
  }

  /** The lowest number that has a value; there must be one. */
  public long first() {
    return low;
  }

  /** The value of a number; null if it has none. */
  @SuppressWarnings("unchecked") // put put it there
  public T get(long number) {
    return number < low || number >= high ? null : (T) ring[place(number)];
  }

  /** Gives a number a value, in place of the one it has. */
  public void put(long number, T value) {
    long from = size == 0 ? number : Math.min(low, number);
    long to = size == 0 ? number + 1 : Math.max(high, number + 1);
    if (to - from > ring.length) {
      grow(to - from);
    }
    low = from;
    high = to;
    if (ring[place(number)] == null) {
      size++;
    }
    ring[place(number)] = value;
  }

  private void grow(long range) {
    Object[] old = ring;
    ring = new Object[Math.toIntExact(Long.highestOneBit(range - 1) << 1)];
    for (long number = low; number < high; number++) {
      ring[place(number)] = old[(int) number & (old.length - 1)];
    }
  }

  /** Takes a number's value away; returns it, or null if it had none. */
  public T remove(long number) {
    T value = get(number);
    if (value != null) {
      ring[place(number)] = null;
      size--;
      while (low < high && ring[place(low)] == null) {
        low++;
      }
    }
    return value;
  }

  /** Takes all away. */
  public void clear() {
    Arrays.fill(ring, null);
    size = 0;
    low = high;
  }

  /** Visits the values of numbers from one on, in ascending order. */
  public void forEachFrom(long number, Consumer<? super T> action) {
    for (long at = Math.max(number, low); at < high; at++) {
      T value = get(at);
      if (value != null) {
        action.accept(value);
      }
    }
  }

  /** All values in the order of their numbers, as they are now. */
  public List<T> values() {
    List<T> values = new ArrayList<>(size);
    forEachFrom(low, values::add);
    return values;
  }
}
