package org.hyperslab.plugins.mpiio.agree;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Converts between longs and bytes in this machine's byte order. All ranks of a world have the same
 * byte order.
 */
public final class LongBytes {

  private LongBytes() {}

  /** Returns the numbers in bytes. */
  public static long[] of(byte[] bytes) {
    long[] numbers = new long[bytes.length / Long.BYTES];
    MemorySegment.copy(
        MemorySegment.ofArray(bytes),
        ValueLayout.JAVA_LONG_UNALIGNED,
        0,
        numbers,
        0,
        numbers.length);
    return numbers;
  }

  /** Returns the bytes of numbers. */
  public static byte[] bytes(long[] numbers) {
    return MemorySegment.ofArray(numbers).toArray(ValueLayout.JAVA_BYTE);
  }
}
