package org.hyperslab.format.filter.coder;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Transposes elements into planes of bits and back: plane 8j+k holds bit k of byte j of every
 * element, eight elements to a byte, the first in the lowest bit. The number of elements is a
 * multiple of 8.
 *
 * <p>Source: K. Masui and others, "A compression scheme for radio data in high performance
 * computing", 2015, and the layout of bitshuffle_core.c.
 *
 * <p>Thread rule: one thread; it keeps working memory.
 */
public final class BitTranspose {

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private byte[] planes = new byte[0];

  /** Creates a transposer that has not allocated memory. */
  public BitTranspose() {}

  private byte[] ensure(int bytes) {
    if (planes.length < bytes) {
      planes = new byte[bytes];
    }
    return planes;
  }

  /**
   * Transposes elements to planes of bits.
   *
   * @param source the array that holds the bytes
   * @param from the index of the first byte
   * @param target receives the bytes
   * @param to the index of the first byte in the target
   * @param count the number of elements, a multiple of 8
   * @param size the size of an element in bytes
   */
  public void split(byte[] source, int from, byte[] target, int to, int count, int size) {
    byte[] work = ensure(count * size);
    ByteTranspose.split(source, from, work, 0, count, count, size);
    transposeEights(work, count * size);
    int rows = count / 8;
    for (int j = 0; j < size; j++) {
      ByteTranspose.split(work, j * count, target, to + j * count, rows, rows, 8);
    }
  }

  /**
   * Transposes planes of bits to elements.
   *
   * @param source the array that holds the bytes
   * @param from the index of the first byte
   * @param target receives the bytes
   * @param to the index of the first byte in the target
   * @param count the number of elements
   * @param size the size of an element in bytes
   */
  public void join(byte[] source, int from, byte[] target, int to, int count, int size) {
    byte[] work = ensure(count * size);
    int rows = count / 8;
    for (int j = 0; j < size; j++) {
      ByteTranspose.join(source, from + j * count, work, j * count, rows, rows, 8);
    }
    transposeEights(work, count * size);
    ByteTranspose.join(work, 0, target, to, count, count, size);
  }

  /** Transposes each square of 8 by 8 bits, in place (Hacker's Delight, section 7-3). */
  private static void transposeEights(byte[] array, int length) {
    for (int at = 0; at < length; at += 8) {
      long x = (long) LONG.get(array, at);
      long t = (x ^ (x >>> 7)) & 0x00AA00AA00AA00AAL;
      x ^= t ^ (t << 7);
      t = (x ^ (x >>> 14)) & 0x0000CCCC0000CCCCL;
      x ^= t ^ (t << 14);
      t = (x ^ (x >>> 28)) & 0x00000000F0F0F0F0L;
      x ^= t ^ (t << 28);
      LONG.set(array, at, x);
    }
  }
}
