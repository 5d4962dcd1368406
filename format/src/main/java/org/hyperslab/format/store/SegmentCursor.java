package org.hyperslab.format.store;

import java.lang.foreign.MemorySegment;

/** A position in a list of segments, for copying pieces that do not end where segments end. */
final class SegmentCursor {

  private final MemorySegment[] segments;
  private final int end;
  private int index;
  private long position;

  /**
   * Creates a cursor at the start of {@code segments[first]}; it ends before {@code segments[end]}.
   */
  SegmentCursor(MemorySegment[] segments, int first, int end) {
    this.segments = segments;
    this.index = first;
    this.end = end;
  }

  /** Returns the number of bytes from the position to the end. */
  long remaining() {
    long total = -position;
    for (int i = index; i < end; i++) {
      total = Math.addExact(total, segments[i].byteSize());
    }
    return total;
  }

  /** Copies the first {@code length} bytes of {@code source} to the position, and advances. */
  void copyFrom(MemorySegment source, long length) {
    for (long done = 0; done < length; ) {
      long part = step(length - done);
      MemorySegment.copy(source, done, segments[index], position, part);
      position += part;
      done += part;
    }
  }

  /** Copies {@code length} bytes from the position to the start of {@code target}, and advances. */
  void copyTo(MemorySegment target, long length) {
    for (long done = 0; done < length; ) {
      long part = step(length - done);
      MemorySegment.copy(segments[index], position, target, done, part);
      position += part;
      done += part;
    }
  }

  private long step(long wanted) {
    while (position == segments[index].byteSize()) {
      index++;
      position = 0;
    }
    return Math.min(wanted, segments[index].byteSize() - position);
  }
}
