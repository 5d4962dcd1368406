package org.hyperslab.examples.kernels;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Computes the content of a file at each position: a hash of the position, eight bytes at a time.
 */
final class Content {

  private static final int WORD = Long.BYTES;

  private Content() {}

  /** Returns the eight bytes from {@code 8 * index} on, the first in the lowest bits. */
  static long word(long index) {
    long z = (index + 1) * 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    return z ^ (z >>> 27);
  }

  static byte at(long position) {
    return (byte) (word(position / WORD) >>> (8 * (position % WORD)));
  }

  /** Stores the file's bytes from {@code fileByte} on in memory. */
  static void fill(MemorySegment memory, long memoryByte, long fileByte, long length) {
    long done = 0;
    while (done < length && (fileByte + done) % WORD != 0) {
      memory.set(ValueLayout.JAVA_BYTE, memoryByte + done, at(fileByte + done));
      done++;
    }
    ValueLayout.OfLong words = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    for (; done + WORD <= length; done += WORD) {
      memory.set(words, memoryByte + done, word((fileByte + done) / WORD));
    }
    for (; done < length; done++) {
      memory.set(ValueLayout.JAVA_BYTE, memoryByte + done, at(fileByte + done));
    }
  }
}
