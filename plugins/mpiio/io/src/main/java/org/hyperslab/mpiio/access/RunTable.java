package org.hyperslab.mpiio.access;

import java.util.Arrays;

/**
 * A table of runs of equally long pieces at equal distances, in packed order. Run i is {@code
 * counts[i]} pieces of {@code lengths[i]} bytes, the k-th at {@code offsets[i] + k * strides[i]},
 * and {@code packed[i]} bytes precede it; {@code packed[runs]} is the total.
 *
 * <p>Thread rule: immutable once built.
 */
final class RunTable {

  static final RunTable EMPTY =
      new RunTable(0, new long[0], new long[0], new long[0], new long[0], new long[1]);

  final int runs;
  final long[] offsets;
  final long[] lengths;
  final long[] strides;
  final long[] counts;
  final long[] packed;

  private RunTable(
      int runs, long[] offsets, long[] lengths, long[] strides, long[] counts, long[] packed) {
    this.runs = runs;
    this.offsets = offsets;
    this.lengths = lengths;
    this.strides = strides;
    this.counts = counts;
    this.packed = packed;
  }

  long totalBytes() {
    return packed[runs];
  }

  RunTable moved(long distance) {
    long[] there = new long[runs];
    for (int i = 0; i < runs; i++) {
      there[i] = offsets[i] + distance;
    }
    return new RunTable(runs, there, lengths, strides, counts, packed);
  }

  /** Returns the number of pieces. */
  long pieces() {
    long sum = 0;
    for (int i = 0; i < runs; i++) {
      sum += counts[i];
    }
    return sum;
  }

  /** Returns the run that holds packed byte {@code position}; {@code runs} for the end. */
  int runAtPacked(long position) {
    int found = Arrays.binarySearch(packed, 0, runs + 1, position);
    return found >= 0 ? found : -found - 2;
  }

  /**
   * Returns the last run that starts at or before {@code offset}, in a table of ascending offsets.
   */
  int runAtOffset(long offset) {
    int found = Arrays.binarySearch(offsets, 0, runs, offset);
    return found >= 0 ? found : -found - 2;
  }

  long end(int run) {
    return offsets[run] + (counts[run] - 1) * strides[run] + lengths[run];
  }

  boolean sameAs(RunTable other) {
    return Arrays.equals(offsets, 0, runs, other.offsets, 0, other.runs)
        && Arrays.equals(lengths, 0, runs, other.lengths, 0, other.runs)
        && Arrays.equals(strides, 0, runs, other.strides, 0, other.runs)
        && Arrays.equals(counts, 0, runs, other.counts, 0, other.runs);
  }

  @Override
  public int hashCode() {
    int hash = 1;
    for (int i = 0; i < runs; i++) {
      hash = 31 * hash + Long.hashCode(offsets[i] ^ lengths[i] << 20 ^ counts[i] << 40);
    }
    return hash;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RunTable table && sameAs(table);
  }

  /** Returns "offset+length" for each piece of count 1, "offset+length*count/stride" for runs. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("[");
    int shown = Math.min(runs, 16);
    for (int i = 0; i < shown; i++) {
      text.append(i == 0 ? "" : ", ").append(offsets[i]).append('+').append(lengths[i]);
      if (counts[i] > 1) {
        text.append('*').append(counts[i]).append('/').append(strides[i]);
      }
    }
    return text.append(shown < runs ? ", … " + (runs - shown) + " more]" : "]").toString();
  }

  /** Collects pieces in packed order, joins adjacent ones, and merges equal distances into runs. */
  static final class Builder {

    private int runs;
    private long[] offsets = new long[8];
    private long[] lengths = new long[8];
    private long[] strides = new long[8];
    private long[] counts = new long[8];

    /** Returns the offset after the last piece, or {@code Long.MIN_VALUE} if there is none. */
    long end() {
      int last = runs - 1;
      return runs == 0
          ? Long.MIN_VALUE
          : offsets[last] + (counts[last] - 1) * strides[last] + lengths[last];
    }

    void add(long offset, long length) {
      if (length == 0) {
        return;
      }
      if (runs > 0 && offset == end()) {
        extendLast(length);
      } else if (runs == 0 || !repeatsLast(offset, length)) {
        append(offset, length, length, 1);
      }
    }

    /** Adds {@code count} pieces at once; the same as adding each. */
    void addRun(long offset, long length, long stride, long count) {
      if (length == 0 || count == 0) {
        return;
      }
      if (count == 1 || stride == length) {
        add(offset, length * count);
        return;
      }
      add(offset, length);
      int last = runs - 1;
      boolean single = counts[last] == 1 && lengths[last] == length && offsets[last] == offset;
      boolean inStep = counts[last] > 1 && strides[last] == stride && lengths[last] == length;
      if (single) {
        strides[last] = stride;
        counts[last] = count;
      } else if (inStep) {
        counts[last] += count - 1;
      } else {
        append(offset + stride, length, count == 2 ? length : stride, count - 1);
      }
    }

    private void extendLast(long length) {
      int last = runs - 1;
      if (counts[last] == 1) {
        lengths[last] += length;
        strides[last] = lengths[last];
      } else {
        long start = offsets[last] + (counts[last] - 1) * strides[last];
        long joined = lengths[last] + length;
        counts[last]--;
        if (counts[last] == 1) {
          strides[last] = lengths[last];
        }
        append(start, joined, joined, 1);
      }
    }

    private boolean repeatsLast(long offset, long length) {
      int last = runs - 1;
      if (lengths[last] != length) {
        return false;
      }
      if (counts[last] == 1) {
        long stride = offset - offsets[last];
        if (stride < length) {
          return false;
        }
        strides[last] = stride;
        counts[last] = 2;
        return true;
      }
      if (offset != offsets[last] + counts[last] * strides[last]) {
        return false;
      }
      counts[last]++;
      return true;
    }

    private void append(long offset, long length, long stride, long count) {
      if (runs == offsets.length) {
        offsets = Arrays.copyOf(offsets, 2 * runs);
        lengths = Arrays.copyOf(lengths, 2 * runs);
        strides = Arrays.copyOf(strides, 2 * runs);
        counts = Arrays.copyOf(counts, 2 * runs);
      }
      offsets[runs] = offset;
      lengths[runs] = length;
      strides[runs] = stride;
      counts[runs] = count;
      runs++;
    }

    RunTable build() {
      long[] packed = new long[runs + 1];
      for (int i = 0; i < runs; i++) {
        packed[i + 1] = Math.addExact(packed[i], Math.multiplyExact(lengths[i], counts[i]));
      }
      return new RunTable(runs, offsets, lengths, strides, counts, packed);
    }
  }
}
