package org.hyperslab.plugins.nativevol.virtual;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.hyperslab.format.header.VirtualMappings.Mapping;
import org.hyperslab.format.space.RegularHyperslab;
import org.hyperslab.format.space.Selection;

/**
 * The mappings of a virtual dataset, with an index by the boxes that enclose their elements. A
 * transfer visits only the mappings that it may meet, in the order of the file, in which a later
 * one covers an earlier one.
 *
 * <p>The boxes are sorted by their lowest index in the dimension in which these differ most. Those
 * that meet a range end the search where no earlier one reaches it.
 *
 * <p>Thread rule: immutable.
 */
final class VirtualMap {

  private final List<Mapping> mappings;
  private final long[][] lowByMapping;
  private final long[][] highByMapping;
  private final boolean moving;

  /** The dimension of the order; -1 if there is none, as in a scalar. */
  private final int dimension;

  private final int[] sorted;

  /** The greatest index that one of the boxes up to a place in the order reaches. */
  private final long[] reach;

  VirtualMap(List<Mapping> mappings, int rank) {
    this.mappings = mappings;
    this.lowByMapping = new long[mappings.size()][];
    this.highByMapping = new long[mappings.size()][];
    for (int i = 0; i < lowByMapping.length; i++) {
      enclose(i, mappings.get(i).virtual(), rank);
    }
    this.moving = mappings.stream().anyMatch(mapping -> mapping.virtual().isUnlimited());
    this.dimension = mostDistinct(rank);
    this.sorted =
        IntStream.range(0, lowByMapping.length)
            .filter(i -> lowByMapping[i] != null)
            .boxed()
            .sorted(Comparator.comparingLong(i -> dimension < 0 ? 0 : lowByMapping[i][dimension]))
            .mapToInt(Integer::intValue)
            .toArray();
    this.reach = new long[sorted.length];
    long furthest = 0;
    for (int i = 0; i < sorted.length; i++) {
      furthest = Math.max(furthest, dimension < 0 ? 0 : highByMapping[sorted[i]][dimension]);
      reach[i] = furthest;
    }
  }

  /** Computes the box of a mapping; null if it has no elements. */
  private void enclose(int i, Selection virtual, int rank) {
    long[] low = new long[rank];
    long[] high = new long[rank];
    Arrays.fill(high, Long.MAX_VALUE);
    if (virtual instanceof RegularHyperslab regular && regular.isUnlimited()) {
      Arrays.setAll(low, regular::start);
    } else if (virtual.rank() != Selection.ANY_RANK) {
      if (virtual.elementCount(high) == 0) {
        return;
      }
      Selection.Bounds bounds = virtual.bounds(high.clone());
      Arrays.setAll(low, bounds::low);
      Arrays.setAll(high, bounds::high);
    } else if (virtual == Selection.none()) {
      return;
    }
    lowByMapping[i] = low;
    highByMapping[i] = high;
  }

  private int mostDistinct(int rank) {
    int best = rank - 1;
    long most = 0;
    for (int d = 0; d < rank; d++) {
      int at = d;
      long distinct =
          Arrays.stream(lowByMapping)
              .filter(low -> low != null)
              .mapToLong(low -> low[at])
              .distinct()
              .count();
      if (distinct > most) {
        most = distinct;
        best = d;
      }
    }
    return best;
  }

  List<Mapping> mappings() {
    return mappings;
  }

  /** Returns whether a mapping is unlimited, so that the extent may follow the sources. */
  boolean isMoving() {
    return moving;
  }

  /** Returns the mappings that may have elements within bounds, in the order of the file. */
  int[] meeting(Selection.Bounds wanted) {
    if (dimension < 0) {
      return sorted.clone();
    }
    int[] found = new int[8];
    int count = 0;
    int from = firstAbove(wanted.high(dimension));
    for (int i = from - 1; i >= 0 && reach[i] >= wanted.low(dimension); i--) {
      if (meets(sorted[i], wanted)) {
        found = count == found.length ? Arrays.copyOf(found, 2 * count) : found;
        found[count++] = sorted[i];
      }
    }
    int[] meeting = Arrays.copyOf(found, count);
    Arrays.sort(meeting);
    return meeting;
  }

  /** Returns the first place in the order whose box begins above an index. */
  private int firstAbove(long index) {
    int from = 0;
    int to = sorted.length;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (lowByMapping[sorted[middle]][dimension] <= index) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  private boolean meets(int mapping, Selection.Bounds wanted) {
    for (int d = 0; d < lowByMapping[mapping].length; d++) {
      if (lowByMapping[mapping][d] > wanted.high(d) || highByMapping[mapping][d] < wanted.low(d)) {
        return false;
      }
    }
    return true;
  }
}
