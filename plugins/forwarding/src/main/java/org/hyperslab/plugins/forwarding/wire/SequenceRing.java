package org.hyperslab.plugins.forwarding.wire;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * A map from sequence numbers to values, for numbers that are close together, such as those of
 * unanswered requests. It is a ring buffer and allocates no memory per entry.
 *
 * <p>Invariant: all numbers with a value are between {@code low} (inclusive) and {@code high}
 * (exclusive), {@code low} has a value unless the map is empty, and the ring has a slot for each
 * number of that range. Memory use is proportional to the length of the range, which the caller
 * bounds.
 *
 * <p>Thread rule: guarded by the caller.
 *
 * @param <T> the type of the values
 */
public final class SequenceRing<T> {

  private Object[] ring = new Object[64];
  private long low;
  private long high;
  private int size;

  /** Creates an empty map. */
  public SequenceRing() {}

  private int slot(long number) {
    return (int) number & (ring.length - 1);
  }

  /** {@return the number of values} */
  public int size() {
    return size;
  }

  /** {@return whether there are no values} */
  public boolean isEmpty() {
    return size == 0;
  }

  /** {@return the lowest number that has a value; undefined if the map is empty} */
  public long first() {
    return low;
  }

  /**
   * Finds a value.
   *
   * @param number the sequence number
   * @return the value, or null if the number has none
   */
  @SuppressWarnings("unchecked") // put stores values of this type only
  public T get(long number) {
    return number < low || number >= high ? null : (T) ring[slot(number)];
  }

  /**
   * Sets the value of a number and replaces the previous one.
   *
   * @param number the number
   * @param value the value, not null
   */
  public void put(long number, T value) {
    long from = size == 0 ? number : Math.min(low, number);
    long to = size == 0 ? number + 1 : Math.max(high, number + 1);
    if (to - from > ring.length) {
      grow(to - from);
    }
    low = from;
    high = to;
    if (ring[slot(number)] == null) {
      size++;
    }
    ring[slot(number)] = value;
  }

  private void grow(long range) {
    Object[] old = ring;
    ring = new Object[Math.toIntExact(Long.highestOneBit(range - 1) << 1)];
    for (long number = low; number < high; number++) {
      ring[slot(number)] = old[(int) number & (old.length - 1)];
    }
  }

  /**
   * Removes a value.
   *
   * @param number the number
   * @return the removed value, or null if the number had none
   */
  public T remove(long number) {
    T value = get(number);
    if (value != null) {
      ring[slot(number)] = null;
      size--;
      while (low < high && ring[slot(low)] == null) {
        low++;
      }
    }
    return value;
  }

  /** Removes all values. */
  public void clear() {
    Arrays.fill(ring, null);
    size = 0;
    low = high;
  }

  /**
   * Visits values in ascending order of their numbers.
   *
   * @param number the first number to visit
   * @param action receives the values
   */
  public void forEachFrom(long number, Consumer<? super T> action) {
    for (long at = Math.max(number, low); at < high; at++) {
      T value = get(at);
      if (value != null) {
        action.accept(value);
      }
    }
  }

  /** {@return a copy of the values in ascending order of their numbers} */
  public List<T> values() {
    List<T> values = new ArrayList<>(size);
    forEachFrom(low, values::add);
    return values;
  }
}
