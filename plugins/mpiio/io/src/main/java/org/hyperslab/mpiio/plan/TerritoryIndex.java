package org.hyperslab.mpiio.plan;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.hyperslab.mpiio.access.ExtentList;
import org.hyperslab.mpiio.access.ExtentRuns;

/**
 * The pieces of all territories in the order of the file, so that the owners of a range are found
 * without asking each.
 *
 * <p>Thread rule: immutable.
 */
final class TerritoryIndex {

  /** The number of pieces above which an index would take more than it saves. */
  private static final long MAX_PIECES = 1 << 20;

  private final long[] first;
  private final long[] endExclusive;
  private final int[] owner;

  private TerritoryIndex(long[] first, long[] endExclusive, int[] owner) {
    this.first = first;
    this.endExclusive = endExclusive;
    this.owner = owner;
  }

  /** Returns the index of disjoint territories; null if they have too many pieces. */
  static TerritoryIndex of(List<ExtentRuns> territories) {
    long pieces = 0;
    for (ExtentRuns territory : territories) {
      pieces += territory.count();
    }
    if (pieces > MAX_PIECES) {
      return null;
    }
    long[] first = new long[(int) pieces];
    long[] end = new long[first.length];
    int[] owner = new int[first.length];
    int count = 0;
    boolean sorted = true;
    for (int i = 0; i < territories.size(); i++) {
      ExtentList.Cursor cursor = territories.get(i).cursor();
      while (cursor.next()) {
        first[count] = cursor.offset();
        end[count] = cursor.offset() + cursor.length();
        owner[count] = i;
        sorted &= count == 0 || first[count - 1] < first[count];
        count++;
      }
    }
    if (sorted) {
      return new TerritoryIndex(first, end, owner);
    }
    int[] order =
        IntStream.range(0, count)
            .boxed()
            .sorted(Comparator.comparingLong(piece -> first[piece]))
            .mapToInt(Integer::intValue)
            .toArray();
    return new TerritoryIndex(
        Arrays.stream(order).mapToLong(piece -> first[piece]).toArray(),
        Arrays.stream(order).mapToLong(piece -> end[piece]).toArray(),
        Arrays.stream(order).map(piece -> owner[piece]).toArray());
  }

  /**
   * Returns the owners, ascending, of pieces that have a byte in {@code from .. toExclusive}; null
   * if there are more pieces than {@code most}.
   */
  int[] ownersOf(long from, long toExclusive, int most) {
    int found = Arrays.binarySearch(first, from);
    int begin = found >= 0 ? found : Math.max(0, -found - 2);
    int end = begin;
    while (end < first.length && first[end] < toExclusive) {
      if (++end - begin > most) {
        return null;
      }
    }
    int[] owners = new int[end - begin];
    int count = 0;
    for (int i = begin; i < end; i++) {
      if (endExclusive[i] > from) {
        owners[count++] = owner[i];
      }
    }
    Arrays.sort(owners, 0, count);
    int distinct = 0;
    for (int i = 0; i < count; i++) {
      if (distinct == 0 || owners[distinct - 1] != owners[i]) {
        owners[distinct++] = owners[i];
      }
    }
    return Arrays.copyOf(owners, distinct);
  }
}
