package org.hyperslab.format.space;

/** The runs of a list of points, in the order of the list; consecutive neighbours form one run. */
final class PointRunCursor extends RunCursor {

  private final PointSelection points;
  private final long[] units;
  private int next;

  /** Creates a cursor over points that lie within an extent. */
  PointRunCursor(PointSelection points, long[] extent, long firstOrdinal, long count) {
    this.points = points;
    this.units = Extents.units(extent);
    seek(firstOrdinal, count);
  }

  @Override
  long total() {
    return points.size();
  }

  @Override
  long position(long firstOrdinal) {
    next = (int) firstOrdinal;
    return 0;
  }

  @Override
  boolean loadRaw() {
    if (next == points.size()) {
      return false;
    }
    long offset = 0;
    for (int d = 0; d < units.length; d++) {
      offset += points.coordinate(next, d) * units[d];
    }
    next++;
    raw.set(offset, 1, 1, 1);
    return true;
  }
}
