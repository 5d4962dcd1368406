package org.hyperslab.mpiio.declared;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Maps file offsets of declared bytes to packed positions, which count only declared bytes in the
 * order of the file.
 *
 * <p>Thread rule: immutable.
 */
final class FilePlaces {

  /** The start of each area in the file, ascending. */
  private final long[] starts;

  private final long[] packed;

  private FilePlaces(long[] starts, long[] packed) {
    this.starts = starts;
    this.packed = packed;
  }

  static FilePlaces of(List<Declaration> all) {
    int count = all.stream().mapToInt(Declaration::count).sum();
    long[][] extents = new long[count][];
    int at = 0;
    for (Declaration one : all) {
      for (int i = 0; i < one.count(); i++) {
        extents[at++] = new long[] {one.offset(i), one.offset(i) + one.length(i)};
      }
    }
    Arrays.sort(extents, Comparator.comparingLong(extent -> extent[0]));
    long[] starts = new long[count];
    long[] packed = new long[count + 1];
    int areas = 0;
    long end = -1;
    for (long[] extent : extents) {
      if (extent[0] == extent[1]) {
        continue;
      }
      if (extent[0] > end) {
        starts[areas++] = extent[0];
        packed[areas] = packed[areas - 1];
        end = extent[0];
      }
      if (extent[1] > end) {
        packed[areas] += extent[1] - end;
        end = extent[1];
      }
    }
    return new FilePlaces(Arrays.copyOf(starts, areas), Arrays.copyOf(packed, areas + 1));
  }

  /** Returns the number of declared bytes. */
  long total() {
    return packed[starts.length];
  }

  /** Returns the number of declared bytes before a declared byte. */
  long packedOf(long offset) {
    int found = Arrays.binarySearch(starts, offset);
    int area = found >= 0 ? found : -found - 2;
    return packed[area] + (offset - starts[area]);
  }
}
