package org.hyperslab.mpiio.staged;

import org.hyperslab.mpiio.access.ExtentList;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.access.MemoryExtents;
import org.hyperslab.mpiio.datatype.TypeMap;
import org.hyperslab.mpiio.file.FileView;
import org.hyperslab.mpiio.file.MemoryBuffer;

/**
 * Where the bytes of an access are, in the file and in memory.
 *
 * <p>Thread rule: no state.
 */
public final class AccessExtents {

  /**
   * An access of at most this many groups is expanded into extents; others are kept as a formula.
   */
  private static final long MAX_GROUPS = 1 << 16;

  private AccessExtents() {}

  /**
   * {@return the extents of an access in the file}
   *
   * @param view what of the file is seen
   * @param offsetEtypes the offset of the first etype, in etypes
   * @param bytes the bytes of the access
   */
  public static ExtentList inFile(FileView view, long offsetEtypes, long bytes) {
    if (bytes == 0) {
      return ExtentRuns.empty();
    }
    long from = view.position(offsetEtypes, bytes);
    TypeMap map = view.visible();
    boolean few = (bytes / view.tileBytes() + 2) <= MAX_GROUPS / Math.max(1, view.tileGroups());
    if (!few && !map.isDense()) {
      return new ViewExtents(map, from, from + bytes);
    }
    ExtentRuns.Builder runs = ExtentRuns.builder();
    map.forEachGroup(from, from + bytes, runs::addRun);
    return runs.build();
  }

  /**
   * {@return the memory of the first bytes of a buffer's data, in packed order}
   *
   * @param buffer the elements
   * @param bytes the number of bytes
   */
  public static MemoryExtents inMemory(MemoryBuffer buffer, long bytes) {
    if (bytes == 0) {
      return MemoryExtents.none();
    }
    TypeMap map = buffer.map();
    long origin = buffer.originBytes();
    if (map.isDense()) {
      return MemoryExtents.contiguous(buffer.memory().asSlice(origin + map.low(), bytes));
    }
    MemoryExtents.Builder pieces = MemoryExtents.builder(buffer.memory());
    map.forEachGroup(
        0,
        bytes,
        (offset, length, stride, runs) -> {
          if (stride >= 0) {
            pieces.addRun(origin + offset, length, stride, runs);
          } else {
            for (long i = 0; i < runs; i++) {
              pieces.add(origin + offset + i * stride, length);
            }
          }
        });
    return pieces.build();
  }
}
