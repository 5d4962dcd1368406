package org.hyperslab.plugins.libhdf5.translate;

import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.PointSelection;
import org.hyperslab.format.space.Selection;

/**
 * Points with an index that is equal to the extent. libhdf5 accepts them ({@code
 * H5S__point_is_valid} of 1.14 and 2.2): they are the first elements of the next row.
 */
final class EdgePoints {

  private EdgePoints() {}

  /**
   * Returns a selection whose points have indices within the extent, where they have an element.
   */
  static Selection within(Dataspace space, Selection selection) {
    if (space.kind() != Dataspace.Kind.SIMPLE || !(selection instanceof PointSelection points)) {
      return selection;
    }
    int rank = points.rank();
    long[] moved = null;
    for (int point = 0; point < points.size(); point++) {
      if (endsRow(space, points, point)) {
        moved = moved == null ? coordinates(points) : moved;
        enterNextRow(space, moved, point * rank);
      }
    }
    return moved == null ? selection : Selection.points(rank, moved);
  }

  private static void enterNextRow(Dataspace space, long[] coordinates, int first) {
    for (int d = space.rank() - 1; d > 0; d--) {
      if (coordinates[first + d] == space.dim(d)) {
        coordinates[first + d] = 0;
        coordinates[first + d - 1]++;
      }
    }
  }

  /** Returns whether an index of a point is equal to the extent, and none is greater. */
  private static boolean endsRow(Dataspace space, PointSelection points, int point) {
    boolean ends = false;
    for (int d = 0; d < points.rank(); d++) {
      long index = points.coordinate(point, d);
      if (index > space.dim(d)) {
        return false;
      }
      ends |= index == space.dim(d);
    }
    return ends;
  }

  private static long[] coordinates(PointSelection points) {
    long[] all = new long[points.size() * points.rank()];
    for (int i = 0; i < all.length; i++) {
      all[i] = points.coordinate(i / points.rank(), i % points.rank());
    }
    return all;
  }
}
