package org.hyperslab.convert;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Reverses the bytes of numbers in place.
 *
 * <p>Thread rule: stateless.
 */
final class ByteSwap {

  private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  private ByteSwap() {}

  static void swap(MemorySegment elements, long count, int size) {
    switch (size) {
      case 2 -> {
        for (long at = 0; at < 2 * count; at += 2) {
          elements.set(SHORT, at, Short.reverseBytes(elements.get(SHORT, at)));
        }
      }
      case 4 -> {
        for (long at = 0; at < 4 * count; at += 4) {
          elements.set(INT, at, Integer.reverseBytes(elements.get(INT, at)));
        }
      }
      case 8 -> {
        for (long at = 0; at < 8 * count; at += 8) {
          elements.set(LONG, at, Long.reverseBytes(elements.get(LONG, at)));
        }
      }
      default -> {
        // one byte has no order
      }
    }
  }
}
