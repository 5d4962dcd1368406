package org.hyperslab.plugins.compacting;

import java.util.Arrays;

/**
 * Runs of elements of one request, as plain numbers.
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

  /** The index of the run that holds an offset; runs ascend, and one of them does. */
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
