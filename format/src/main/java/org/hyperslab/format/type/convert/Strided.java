package org.hyperslab.format.type.convert;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Copies elements between a regular pattern and consecutive places: the kernel of selections of
 * single elements or short runs.
 *
 * <p>Thread rule: stateless.
 */
public final class Strided {

  private Strided() {}

  /**
   * Collects {@code count} elements that are {@code stride} bytes apart to the start of {@code to}.
   *
   * @param from where the elements are
   * @param fromOffset byte offset of the first
   * @param stride bytes from one to the next
   * @param to where they go, one behind the other
   * @param size bytes of an element
   * @param count elements
   */
  public static void gather(
      MemorySegment from, long fromOffset, long stride, MemorySegment to, int size, long count) {
    if (stride == size) {
      MemorySegment.copy(from, fromOffset, to, 0, count * size);
      return;
    }
    copy(new Walk(from, fromOffset, stride), new Walk(to, 0, size), size, count);
  }

  /** The way back: elements from the start of {@code from} to places {@code stride} bytes apart. */
  public static void scatter(
      MemorySegment from, MemorySegment to, long toOffset, long stride, int size, long count) {
    if (stride == size) {
      MemorySegment.copy(from, 0, to, toOffset, count * size);
      return;
    }
    copy(new Walk(from, 0, size), new Walk(to, toOffset, stride), size, count);
  }

  /** A regular pattern of elements. */
  private record Walk(MemorySegment segment, long offset, long stride) {}

  private static void copy(Walk from, Walk to, int size, long count) {
    switch (size) {
      case 1 -> bytes(from, to, count);
      case 2 -> shorts(from, to, count);
      case 4 -> ints(from, to, count);
      case 8 -> longs(from, to, count);
      default -> {
        for (long i = 0; i < count; i++) {
          MemorySegment.copy(
              from.segment,
              from.offset + i * from.stride,
              to.segment,
              to.offset + i * to.stride,
              size);
        }
      }
    }
  }

  private static void bytes(Walk from, Walk to, long count) {
    MemorySegment s = from.segment;
    MemorySegment t = to.segment;
    for (long i = 0; i < count; i++) {
      byte v = s.get(ValueLayout.JAVA_BYTE, from.offset + i * from.stride);
      t.set(ValueLayout.JAVA_BYTE, to.offset + i * to.stride, v);
    }
  }

  private static void shorts(Walk from, Walk to, long count) {
    MemorySegment s = from.segment;
    MemorySegment t = to.segment;
    for (long i = 0; i < count; i++) {
      short v = s.get(ValueLayout.JAVA_SHORT_UNALIGNED, from.offset + i * from.stride);
      t.set(ValueLayout.JAVA_SHORT_UNALIGNED, to.offset + i * to.stride, v);
    }
  }

  private static void ints(Walk from, Walk to, long count) {
    MemorySegment s = from.segment;
    MemorySegment t = to.segment;
    for (long i = 0; i < count; i++) {
      int v = s.get(ValueLayout.JAVA_INT_UNALIGNED, from.offset + i * from.stride);
      t.set(ValueLayout.JAVA_INT_UNALIGNED, to.offset + i * to.stride, v);
    }
  }

  private static void longs(Walk from, Walk to, long count) {
    MemorySegment s = from.segment;
    MemorySegment t = to.segment;
    for (long i = 0; i < count; i++) {
      long v = s.get(ValueLayout.JAVA_LONG_UNALIGNED, from.offset + i * from.stride);
      t.set(ValueLayout.JAVA_LONG_UNALIGNED, to.offset + i * to.stride, v);
    }
  }
}
