package org.hyperslab.convert.bytes;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Reverses the bytes of numbers in place.
 *
 * <p>Thread rule: stateless.
 */
public final class ByteSwap {

  private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  private ByteSwap() {}

  /** Reverses the bytes of each element, whose size is 1, 2, 4 or 8 bytes. */
  public static void swap(MemorySegment elements, long count, int size) {
    switch (size) {
      case 2 -> swap(elements, count, SHORT);
      case 4 -> swap(elements, count, INT);
      case 8 -> swap(elements, count, LONG);
      default -> {
        // a single byte has no byte order
      }
    }
  }

  /** A copy onto itself from one order to the other, which needs no compiler to become fast. */
  private static void swap(MemorySegment elements, long count, ValueLayout layout) {
    MemorySegment.copy(
        elements,
        layout.withOrder(ByteOrder.BIG_ENDIAN),
        0,
        elements,
        layout.withOrder(ByteOrder.LITTLE_ENDIAN),
        0,
        count);
  }
}
