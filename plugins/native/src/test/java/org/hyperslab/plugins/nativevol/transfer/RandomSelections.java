package org.hyperslab.plugins.nativevol.transfer;

import java.util.Random;
import org.hyperslab.format.space.Selection;

/** Generates unions of a few regular hyperslabs, and selections of equal size in memory. */
final class RandomSelections {

  private RandomSelections() {}

  /** A selection of a three-dimensional extent. */
  static Selection next(Random random, long[] extent) {
    Selection selection = Selection.none();
    int parts = 1 + random.nextInt(4);
    for (int i = 0; i < parts; i++) {
      long[] start = new long[3];
      long[] stride = new long[3];
      long[] count = new long[3];
      long[] block = new long[3];
      for (int d = 0; d < 3; d++) {
        start[d] = random.nextInt((int) extent[d]);
        long left = extent[d] - start[d];
        block[d] = 1 + random.nextInt((int) Math.min(left, 5));
        stride[d] = block[d] + random.nextInt(4);
        count[d] = 1 + random.nextInt((int) ((left - block[d]) / stride[d] + 1));
      }
      selection = selection.or(Selection.hyperslab(start, stride, count, block));
    }
    return selection;
  }

  /**
   * Room for {@code count} elements in a memory of 2 * count + 3, dense or every second element.
   */
  static Selection memory(Random random, long count) {
    return random.nextBoolean()
        ? Selection.box(new long[] {random.nextInt(3)}, new long[] {count})
        : Selection.hyperslab(new long[] {1}, new long[] {2}, new long[] {count}, new long[] {1});
  }
}
