package org.hyperslab.mpiio.declared;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Where the partitions of declared bytes begin: at equal distances, but if possible between the
 * bytes of different ranks. A rank with bytes at the end of one partition and at the beginning of
 * the next would have to await the last round of the one before it fills the first of the other, so
 * that partitions would be written one after the other.
 *
 * <p>Source: TAPIOCA (Tessier, Vishwanath, Jeannot, 2017), whose partitions are sets of nodes.
 *
 * <p>Thread rule: immutable.
 */
final class PartitionBounds {

  /** The packed position at which each partition begins, and the number of all bytes. */
  private final long[] starts;

  private PartitionBounds(long[] starts) {
    this.starts = starts;
  }

  static PartitionBounds of(List<Declaration> all, FilePlaces places, int partitions) {
    long total = places.total();
    long[] between = between(all, places);
    long part = Math.max(1, Math.ceilDiv(total, partitions));
    long[] starts = new long[partitions + 1];
    for (int p = 1; p < partitions; p++) {
      long ideal = Math.min(total, p * part);
      long near = nearest(between, ideal);
      boolean close = Math.abs(near - ideal) <= part / 4;
      starts[p] = Math.max(starts[p - 1], close ? near : ideal);
    }
    starts[partitions] = total;
    return new PartitionBounds(starts);
  }

  /** Returns the packed positions, ascending, that have no rank's bytes on both sides. */
  private static long[] between(List<Declaration> all, FilePlaces places) {
    long[][] ranges =
        all.stream()
            .map(one -> range(one, places))
            .filter(range -> range[0] < range[1])
            .sorted(Comparator.comparingLong(range -> range[0]))
            .toArray(long[][]::new);
    long[] found = new long[ranges.length];
    int count = 0;
    long end = 0;
    for (long[] range : ranges) {
      if (range[0] >= end) {
        found[count++] = range[0];
      }
      end = Math.max(end, range[1]);
    }
    return Arrays.copyOf(found, count);
  }

  private static long[] range(Declaration one, FilePlaces places) {
    long first = Long.MAX_VALUE;
    long end = Long.MIN_VALUE;
    for (int i = 0; i < one.count(); i++) {
      if (one.length(i) > 0) {
        long from = places.packedOf(one.offset(i));
        first = Math.min(first, from);
        end = Math.max(end, from + one.length(i));
      }
    }
    return new long[] {first, end};
  }

  private static long nearest(long[] sorted, long wanted) {
    int found = Arrays.binarySearch(sorted, wanted);
    if (found >= 0) {
      return wanted;
    }
    int above = -found - 1;
    long low = above == 0 ? 0 : sorted[above - 1];
    long high = above == sorted.length ? low : sorted[above];
    return high - wanted < wanted - low ? high : low;
  }

  /** Returns the partition of a packed byte. */
  int partitionOf(long packed) {
    int found = Arrays.binarySearch(starts, packed);
    int partition = found >= 0 ? found : -found - 2;
    while (starts[partition + 1] == packed) {
      partition++; // the ones before it are empty
    }
    return partition;
  }

  /** Returns the packed position of the first byte of a partition. */
  long start(int partition) {
    return starts[partition];
  }

  /** Returns the number of bytes of a partition. */
  long bytes(int partition) {
    return starts[partition + 1] - starts[partition];
  }
}
