package org.hyperslab.mpiio.staged;

import org.hyperslab.mpiio.access.ExtentList;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.datatype.TypeMap;
import org.hyperslab.mpiio.datatype.TypeMapCursor;

/**
 * A part of an ascending type map as a lazy list of extents.
 *
 * @param map the map
 * @param from its first packed position
 * @param to one past its last
 */
public record ViewExtents(TypeMap map, long from, long to) implements ExtentList {

  @Override
  public long totalBytes() {
    return to - from;
  }

  @Override
  public long first() {
    return to == from ? 0 : map.offsetAt(from);
  }

  @Override
  public long endExclusive() {
    return to == from ? 0 : map.offsetAt(to - 1) + 1;
  }

  @Override
  public long count() {
    long count = 0;
    for (TypeMapCursor runs = map.runs(from, to); runs.next(); ) {
      count++;
    }
    return count;
  }

  @Override
  public long packedAt(long fileOffset) {
    return Math.clamp(map.packedBefore(fileOffset) - from, 0, to - from);
  }

  @Override
  public ExtentList slice(long sliceFrom, long sliceTo) {
    if (sliceFrom < 0 || sliceTo < sliceFrom || sliceTo > to - from) {
      throw new IndexOutOfBoundsException(sliceFrom + ".." + sliceTo + " of " + (to - from));
    }
    return sliceFrom == sliceTo
        ? ExtentRuns.empty()
        : new ViewExtents(map, from + sliceFrom, from + sliceTo);
  }

  @Override
  public Cursor cursor() {
    TypeMapCursor runs = map.runs(from, to);
    return new Cursor() {
      @Override
      public boolean next() {
        return runs.next();
      }

      @Override
      public long offset() {
        return runs.offset();
      }

      @Override
      public long length() {
        return runs.length();
      }

      @Override
      public long packed() {
        return runs.position() - from;
      }

      @Override
      public void seekPacked(long packed) {
        runs.seek(from + packed);
      }

      @Override
      public void seekOffset(long fileOffset) {
        runs.seek(from + packedAt(fileOffset));
      }
    };
  }
}
