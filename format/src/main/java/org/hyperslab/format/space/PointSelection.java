package org.hyperslab.format.space;

import java.util.Arrays;
import org.hyperslab.error.InvalidUseException;

/**
 * A list of points: its order is the order of transfer, and duplicates are kept.
 *
 * <p>Thread rule: immutable; the set of the coordinates is created on first use.
 */
public final class PointSelection extends Selection {

  private final int rank;
  private final long[] coordinates;
  private final long[] ends;
  private volatile SpanNode node;

  private PointSelection(int rank, long[] coordinates) {
    this.rank = rank;
    this.coordinates = coordinates;
    this.ends = new long[rank];
    for (int i = 0; i < coordinates.length; i++) {
      ends[i % rank] = Math.max(ends[i % rank], coordinates[i] + 1);
    }
  }

  static Selection of(int rank, long[] coordinates) {
    if (rank < 1 || rank > Dataspace.MAX_RANK) {
      throw new InvalidUseException(
          "rank of points: actual=" + rank + ", expected=1.." + Dataspace.MAX_RANK);
    }
    if (coordinates.length % rank != 0) {
      throw new InvalidUseException(
          "coordinates of points: actual="
              + coordinates.length
              + " numbers, expected=a multiple of the rank "
              + rank);
    }
    for (int i = 0; i < coordinates.length; i++) {
      if (coordinates[i] < 0 || coordinates[i] == Long.MAX_VALUE) {
        throw new InvalidUseException(
            "coordinate: actual="
                + coordinates[i]
                + ", expected=0..2^63-2, at=point "
                + i / rank
                + ", dimension "
                + i % rank);
      }
    }
    return coordinates.length == 0
        ? NoneSelection.INSTANCE
        : new PointSelection(rank, coordinates.clone());
  }

  @Override
  public int rank() {
    return rank;
  }

  /** {@return the number of points, including duplicates} */
  public int size() {
    return coordinates.length / rank;
  }

  /**
   * {@return the index of a point in a dimension}
   *
   * @param point the point, counted from 0
   * @param dimension the dimension, counted from 0, the slowest
   */
  public long coordinate(int point, int dimension) {
    return coordinates[point * rank + dimension];
  }

  /** Returns one more than the largest index of a dimension. */
  long end(int dimension) {
    return ends[dimension];
  }

  @Override
  public boolean isRegular() {
    return false;
  }

  @Override
  SpanNode tree(long[] extent) {
    SpanNode made = node;
    if (made == null) {
      made = PointTree.of(rank, coordinates);
      node = made;
    }
    return made;
  }

  @Override
  public void requireWithin(long[] extent) {
    requireRank(extent.length);
    for (int i = 0; i < rank; i++) {
      if (ends[i] > extent[i]) {
        throw new InvalidUseException(
            "selected index: actual="
                + (ends[i] - 1)
                + ", expected=below the extent "
                + extent[i]
                + ", at=dimension "
                + i);
      }
    }
  }

  @Override
  public Selection clip(long[] extent) {
    Extents.requireRank(extent.length, rank);
    long[] kept = new long[coordinates.length];
    int used = 0;
    for (int i = 0; i < coordinates.length; i += rank) {
      boolean inside = true;
      for (int d = 0; d < rank; d++) {
        inside &= coordinates[i + d] < extent[d];
      }
      if (inside) {
        System.arraycopy(coordinates, i, kept, used, rank);
        used += rank;
      }
    }
    return used == coordinates.length ? this : of(rank, Arrays.copyOf(kept, used));
  }

  @Override
  public Selection offset(long[] by) {
    Extents.requireRank(by.length, rank);
    long[] moved = coordinates.clone();
    for (int i = 0; i < moved.length; i++) {
      moved[i] = Extents.moved(moved[i], by[i % rank], i % rank);
    }
    return of(rank, moved);
  }

  @Override
  public long elementCount(long[] extent) {
    return size();
  }

  @Override
  public boolean contains(long... coordinates) {
    Extents.requireRank(coordinates.length, rank);
    return tree(null).contains(coordinates);
  }

  @Override
  RunCursor cursor(long[] extent, long firstOrdinal, long count) {
    return new PointRunCursor(this, extent, firstOrdinal, count);
  }

  /** Searches the list from the beginning, in time O(points). */
  @Override
  public long ordinalOf(long[] extent, long... wanted) {
    Extents.requireRank(wanted.length, rank);
    for (int i = 0; i < coordinates.length; i += rank) {
      if (Arrays.equals(coordinates, i, i + rank, wanted, 0, rank)) {
        return i / rank;
      }
    }
    return -1;
  }

  @Override
  public long[] coordinateAt(long[] extent, long ordinal) {
    if (ordinal < 0 || ordinal >= size()) {
      throw new InvalidUseException(
          "ordinal of a point: actual=" + ordinal + ", expected=0 to below " + size());
    }
    int from = (int) ordinal * rank;
    return Arrays.copyOfRange(coordinates, from, from + rank);
  }

  /** Compares the points and their order. */
  @Override
  public boolean equals(Object other) {
    return other instanceof PointSelection that
        && rank == that.rank
        && Arrays.equals(coordinates, that.coordinates);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(coordinates) + rank;
  }

  @Override
  public String toString() {
    return "points(rank=" + rank + ", count=" + size() + ")";
  }
}
