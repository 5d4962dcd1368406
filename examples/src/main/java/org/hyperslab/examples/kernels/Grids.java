package org.hyperslab.examples.kernels;

import java.util.Arrays;

/** Computes grids of ranks. */
final class Grids {

  private Grids() {}

  /** Returns lengths whose product is {@code ranks}, as nearly equal as possible, ascending. */
  static int[] nearlyCubic(int ranks, int dimensions) {
    int[] sides = new int[dimensions];
    int rest = ranks;
    for (int d = 0; d < dimensions; d++) {
      int side = (int) Math.floor(Math.pow(rest, 1.0 / (dimensions - d)) + 1e-9);
      while (rest % side != 0) {
        side--;
      }
      sides[d] = side;
      rest /= side;
    }
    Arrays.sort(sides);
    return sides;
  }
}
