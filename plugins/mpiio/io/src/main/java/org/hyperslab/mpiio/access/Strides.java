package org.hyperslab.mpiio.access;

import java.lang.foreign.MemorySegment;
import org.hyperslab.format.memory.StridedCopy;
import org.hyperslab.format.memory.StridedCopy.Steps;

/** Copies between consecutive bytes and extents of a buffer: the inner loops of two-phase I/O. */
public final class Strides {

  private Strides() {}

  /**
   * Consecutive bytes of one segment, from {@code at} on, go to the extents of the buffer.
   *
   * @param source where the bytes come from
   * @param at the position in the packed bytes
   * @param buffer the memory of the elements
   * @param to the byte after the last
   */
  public static void scatter(MemorySegment source, long at, MemorySegment buffer, ExtentRuns to) {
    long from = at;
    for (int run = 0; run < to.runs(); run++) {
      long length = to.runLength(run);
      Steps packed = new Steps(from, length);
      Steps placed = new Steps(to.runOffset(run), to.runStride(run));
      StridedCopy.copy(source, packed, buffer, placed, length, to.runCount(run));
      from += length * to.runCount(run);
    }
  }

  /**
   * The extents of the buffer go to consecutive bytes of one segment, from {@code at} on.
   *
   * @param buffer the memory of the elements
   * @param from the first byte
   * @param target where the bytes go
   * @param at the position in the packed bytes
   */
  public static void gather(MemorySegment buffer, ExtentRuns from, MemorySegment target, long at) {
    long to = at;
    for (int run = 0; run < from.runs(); run++) {
      long length = from.runLength(run);
      Steps placed = new Steps(from.runOffset(run), from.runStride(run));
      StridedCopy.copy(buffer, placed, target, new Steps(to, length), length, from.runCount(run));
      to += length * from.runCount(run);
    }
  }

  /**
   * Packed bytes of scattered memory, from {@code at} on, go to the extents of the buffer.
   *
   * @param memory the memory
   * @param at the position in the packed bytes
   * @param buffer the memory of the elements
   * @param to the byte after the last
   */
  public static void scatter(MemoryExtents memory, long at, MemorySegment buffer, ExtentRuns to) {
    long from = at;
    for (int run = 0; run < to.runs(); run++) {
      long length = to.runLength(run);
      long target = to.runOffset(run);
      for (long k = to.runCount(run); k > 0; k--) {
        memory.copyOut(from, buffer, target, length);
        from += length;
        target += to.runStride(run);
      }
    }
  }

  /**
   * The extents of the buffer go to packed bytes of scattered memory, from {@code at} on.
   *
   * @param buffer the memory of the elements
   * @param from the first byte
   * @param memory the memory
   * @param at the position in the packed bytes
   */
  public static void gather(MemorySegment buffer, ExtentRuns from, MemoryExtents memory, long at) {
    long to = at;
    for (int run = 0; run < from.runs(); run++) {
      long length = from.runLength(run);
      long source = from.runOffset(run);
      for (long k = from.runCount(run); k > 0; k--) {
        memory.copyIn(to, buffer, source, length);
        to += length;
        source += from.runStride(run);
      }
    }
  }
}
