package org.hyperslab.format.space;

/** Returns the points in a chunk, one run each. */
final class PointChunkRuns implements OrdinalGroup.Source {

  private final PointSelection points;
  private final long[] ordinals;
  private final long[] units;
  private int next;

  PointChunkRuns(PointSelection points, long[] ordinals, long[] chunkDims) {
    this.points = points;
    this.ordinals = ordinals;
    this.units = Extents.units(chunkDims);
  }

  @Override
  public boolean load(OrdinalGroup into) {
    if (next == ordinals.length) {
      return false;
    }
    long offset = offsetOf(next);
    int first = next++;
    while (next < ordinals.length
        && ordinals[next] == ordinals[first] + next - first
        && offsetOf(next) == offset + next - first) {
      next++;
    }
    into.set(offset, next - first, ordinals[first]);
    return true;
  }

  private long offsetOf(int point) {
    long offset = 0;
    for (int d = 0; d < units.length; d++) {
      offset += points.coordinate(point, d) * units[d];
    }
    return offset;
  }
}
