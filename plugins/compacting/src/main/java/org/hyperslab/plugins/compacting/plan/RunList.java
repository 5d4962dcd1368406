package org.hyperslab.plugins.compacting.plan;

import java.util.Arrays;

/**
 * A list of the runs of elements of one request, stored without an object for each run.
 *
 * <p>Thread rule: confined to one thread.
 */
final class RunList implements RunSink {

  private long[] numbers = new long[12];
  private int size;

  @Override
  public void run(long offset, long length, long ordinal) {
    if (3 * size == numbers.length) {
      numbers = Arrays.copyOf(numbers, 2 * numbers.length);
    }
    numbers[3 * size] = offset;
    numbers[3 * size + 1] = length;
    numbers[3 * size + 2] = ordinal;
    size++;
  }

  void clear() {
    size = 0;
  }

  int size() {
    return size;
  }

  long offset(int i) {
    return numbers[3 * i];
  }

  long length(int i) {
    return numbers[3 * i + 1];
  }

  long ordinal(int i) {
    return numbers[3 * i + 2];
  }

  /**
   * {@return the index of the run that contains an offset} The runs must be in ascending order, and
   * one must contain the offset.
   */
  int find(long offset) {
    int low = 0;
    int high = size - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (offset(middle) <= offset) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }
}
