package org.hyperslab.tools.stat;

import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * Counts sizes: one by one below a threshold, otherwise by powers of ten. Confined to one thread.
 */
final class SizeHistogram {

  private final TreeMap<Long, Long> exact = new TreeMap<>();
  private final long[] byPower = new long[21];
  private long largest;
  private long total;

  /** Counts one item of a size. */
  void add(long size) {
    exact.merge(size, 1L, Long::sum);
    byPower[power(size)]++;
    largest = Math.max(largest, size);
    total++;
  }

  /** Counts the digits of a number; 0 has none. */
  private static int power(long size) {
    return size <= 0 ? 0 : Long.toString(size).length();
  }

  long largest() {
    return largest;
  }

  /** Calls an action with each size, in ascending order, and its count. */
  void forEach(BiConsumer<Long, Long> action) {
    exact.forEach(action);
  }

  boolean isEmpty() {
    return total == 0;
  }

  /**
   * Prints the counts of the sizes from {@code least} to {@code most}, and their sum.
   *
   * @param line the line of one size, with {@code %s} for the size
   */
  void small(StatPage page, long least, long most, String line, String sum) {
    long count = 0;
    for (var entry : exact.subMap(least, true, most, true).entrySet()) {
      page.line(line.replace("%s", entry.getKey().toString()) + ": " + entry.getValue());
      count += entry.getValue();
    }
    page.line(sum + ": " + count);
  }

  /**
   * Prints the counts by powers of ten, and their sum.
   *
   * @param zero the line of size 0; null to leave it out
   * @param line the line of a power, with {@code %s} for its range
   */
  void powers(StatPage page, String zero, String line, String sum) {
    long count = 0;
    if (zero != null && byPower[0] > 0) {
      page.line(zero + ": " + byPower[0]);
      count += byPower[0];
    }
    String low = "1";
    for (int p = 1; p < byPower.length; p++) {
      if (byPower[p] > 0) {
        page.line(line.replace("%s", low + " - " + "9".repeat(p)) + ": " + byPower[p]);
        count += byPower[p];
      }
      low += "0";
    }
    page.line(sum + ": " + count);
  }
}
