package org.hyperslab.mpiio.datatype;

import java.util.Arrays;

/** An immutable list of longs that does not box. Indices are from 0. */
public final class LongList {

  private static final int SHOWN = 16;

  private final long[] values;

  private LongList(long[] values) {
    this.values = values;
  }

  /**
   * {@return the given numbers; the array is copied}
   *
   * @param values the numbers
   */
  public static LongList of(long... values) {
    return new LongList(values.clone());
  }

  /**
   * {@return the given numbers, widened}
   *
   * @param values the numbers
   */
  public static LongList of(int[] values) {
    return new LongList(Arrays.stream(values).asLongStream().toArray());
  }

  /**
   * {@return a list of {@code count} copies of a number}
   *
   * @param value the number
   * @param count the number of copies
   */
  public static LongList repeated(long value, int count) {
    long[] all = new long[count];
    Arrays.fill(all, value);
    return new LongList(all);
  }

  /** {@return the number of elements} */
  public int size() {
    return values.length;
  }

  /**
   * {@return the number at an index}
   *
   * @param index the index, from 0
   */
  public long get(int index) {
    return values[index];
  }

  /** {@return a copy of all of them} */
  public long[] toArray() {
    return values.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LongList that && Arrays.equals(values, that.values);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(values);
  }

  @Override
  public String toString() {
    return values.length <= SHOWN
        ? Arrays.toString(values)
        : Arrays.toString(Arrays.copyOf(values, SHOWN)).replace("]", ", … " + values.length + "]");
  }
}
