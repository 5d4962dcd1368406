package org.hyperslab.format.space;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.hyperslab.testkit.Seeds;

/**
 * The obvious implementation of a selection, as judge: one bit per element of a small extent, and
 * for points the list of linear offsets.
 *
 * @param selection what is judged
 * @param set the elements, by row-major offset
 * @param order the row-major offsets in the order of transfer
 */
record SelectionModel(Selection selection, BitSet set, List<Long> order) {

  static SelectionModel of(Selection selection, BitSet set) {
    List<Long> order = new ArrayList<>();
    set.stream().forEach(i -> order.add((long) i));
    return new SelectionModel(selection, set, order);
  }

  /** The seed of this run. */
  static long seed() {
    long seed = Seeds.draw();
    System.out.println("replay with -Dhyperslab.seed=" + seed);
    return seed;
  }

  static long[] randomExtent(Random random, int rank, int most) {
    long[] extent = new long[rank];
    Arrays.setAll(extent, i -> 1 + random.nextInt(most));
    return extent;
  }

  static int volume(long[] extent) {
    return (int) Extents.volume(extent);
  }

  static long[] coordinates(long[] extent, long linear) {
    long[] coordinates = new long[extent.length];
    long left = linear;
    for (int d = extent.length - 1; d >= 0; d--) {
      coordinates[d] = left % extent[d];
      left /= extent[d];
    }
    return coordinates;
  }

  /** A random selection of any kind but points. */
  static SelectionModel random(Random random, long[] extent) {
    return switch (random.nextInt(12)) {
      case 0 -> {
        BitSet everything = new BitSet();
        everything.set(0, volume(extent));
        yield of(Selection.all(), everything);
      }
      case 1 -> of(Selection.none(), new BitSet());
      case 2, 3, 4, 5 -> randomHyperslab(random, extent);
      default -> randomTree(random, extent, 1 + random.nextInt(6));
    };
  }

  static SelectionModel randomHyperslab(Random random, long[] extent) {
    int rank = extent.length;
    long[] start = new long[rank];
    long[] stride = new long[rank];
    long[] count = new long[rank];
    long[] block = new long[rank];
    for (int d = 0; d < rank; d++) {
      start[d] = random.nextInt((int) extent[d]);
      long room = extent[d] - start[d];
      block[d] = random.nextInt(3) == 0 ? room : 1 + random.nextInt((int) Math.min(room, 3));
      stride[d] = block[d] + random.nextInt(3);
      long most = (room - block[d]) / stride[d] + 1;
      count[d] = 1L + random.nextInt((int) most);
    }
    BitSet set = new BitSet();
    for (int i = 0; i < volume(extent); i++) {
      long[] at = coordinates(extent, i);
      boolean inside = true;
      for (int d = 0; d < rank; d++) {
        long past = at[d] - start[d];
        inside &= past >= 0 && past / stride[d] < count[d] && past % stride[d] < block[d];
      }
      set.set(i, inside);
    }
    return of(Selection.hyperslab(start, stride, count, block), set);
  }

  static SelectionModel randomTree(Random random, long[] extent, int operations) {
    SelectionModel model = randomHyperslab(random, extent);
    for (int i = 0; i < operations; i++) {
      SelectionModel other = randomHyperslab(random, extent);
      BitSet set = (BitSet) model.set.clone();
      Selection selection;
      switch (random.nextInt(5)) {
        case 0 -> {
          set.xor(other.set);
          selection = model.selection.xor(other.selection);
        }
        case 1 -> {
          set.andNot(other.set);
          selection = model.selection.andNot(other.selection);
        }
        default -> {
          set.or(other.set);
          selection = model.selection.or(other.selection);
        }
      }
      model = of(selection, set);
    }
    return model;
  }

  static SelectionModel randomPoints(Random random, long[] extent, int points) {
    long[] coordinates = new long[points * extent.length];
    List<Long> order = new ArrayList<>();
    BitSet set = new BitSet();
    for (int i = 0; i < points; i++) {
      int linear = random.nextInt(volume(extent));
      if (i > 0 && random.nextInt(3) == 0) {
        linear = (int) Math.min(volume(extent) - 1, order.get(i - 1) + 1);
      }
      order.add((long) linear);
      set.set(linear);
      System.arraycopy(
          coordinates(extent, linear), 0, coordinates, i * extent.length, extent.length);
    }
    return new SelectionModel(Selection.points(extent.length, coordinates), set, order);
  }

  /** The row-major offsets that a cursor visits, in its order. */
  static List<Long> visited(RunCursor runs) {
    List<Long> offsets = new ArrayList<>();
    while (runs.next()) {
      for (long i = 0; i < runs.length(); i++) {
        offsets.add(runs.offset() + i);
      }
    }
    return offsets;
  }

  /** Returns the same elements as {@link #visited}, using the cursor's groups. */
  static List<Long> visitedInGroups(RunCursor runs) {
    List<Long> offsets = new ArrayList<>();
    while (runs.nextGroup()) {
      for (long k = 0; k < runs.repeats(); k++) {
        for (long i = 0; i < runs.length(); i++) {
          offsets.add(runs.offset() + k * runs.stride() + i);
        }
      }
    }
    return offsets;
  }
}
