package org.hyperslab.mpiio.transfer;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Encodes bytes as longs: their number, then the bytes, padded with zeros. */
public final class PackedBytes {

  private PackedBytes() {}

  /**
   * {@return bytes in numbers: their count, then eight in each}
   *
   * @param bytes the number of bytes
   */
  public static long[] pack(byte[] bytes) {
    long[] packed = new long[1 + Math.ceilDiv(bytes.length, Long.BYTES)];
    packed[0] = bytes.length;
    MemorySegment.ofArray(packed)
        .asSlice(Long.BYTES, bytes.length)
        .copyFrom(MemorySegment.ofArray(bytes));
    return packed;
  }

  /**
   * {@return the bytes that were packed}
   *
   * @param packed the numbers
   */
  public static byte[] unpack(long[] packed) {
    byte[] bytes = new byte[(packed.length - 1) * Long.BYTES];
    MemorySegment.ofArray(bytes)
        .copyFrom(MemorySegment.ofArray(packed).asSlice(Long.BYTES, bytes.length));
    return Arrays.copyOf(bytes, Math.toIntExact(packed[0]));
  }

  /**
   * {@return the bytes of numbers}
   *
   * @param longs the numbers
   */
  public static byte[] ofLongs(long[] longs) {
    byte[] bytes = new byte[Math.multiplyExact(longs.length, Long.BYTES)];
    MemorySegment.ofArray(bytes).copyFrom(MemorySegment.ofArray(longs));
    return bytes;
  }

  /**
   * {@return the numbers of bytes}
   *
   * @param bytes the number of bytes
   */
  public static long[] toLongs(byte[] bytes) {
    long[] longs = new long[bytes.length / Long.BYTES];
    MemorySegment.ofArray(longs).copyFrom(MemorySegment.ofArray(bytes));
    return longs;
  }
}
