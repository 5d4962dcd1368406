package org.hyperslab.format.filter.coder;

import static org.hyperslab.format.filter.coder.LongTranspose.EVEN_BYTES;
import static org.hyperslab.format.filter.coder.LongTranspose.EVEN_PAIRS;
import static org.hyperslab.format.filter.coder.LongTranspose.LOW_HALF;
import static org.hyperslab.format.filter.coder.LongTranspose.evenOdd;
import static org.hyperslab.format.filter.coder.LongTranspose.oddEven;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Transposes {@code count} elements of {@code size} bytes into {@code size} planes of {@code count}
 * bytes, and back: plane j holds byte j of every element. Elements of 2, 4 and 8 bytes are
 * processed eight at a time in registers, as transpositions of 8×8 (or 8×4, 8×2) bytes by exchange
 * of halves (H. Warren, Hacker's Delight, chapter 7).
 *
 * <p>Thread rule: functions without state.
 */
public final class ByteTranspose {

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private ByteTranspose() {}

  /**
   * Transposes elements to planes.
   *
   * @param source the elements, from {@code from}
   * @param from the index of the first byte
   * @param target the planes, from {@code to}; plane j begins at {@code to + j * stride}
   * @param to the index of the first byte in the target
   * @param count the number of elements
   * @param stride the bytes between the beginnings of two planes, at least {@code count}
   * @param size the size of an element in bytes
   */
  public static void split(
      byte[] source, int from, byte[] target, int to, int count, int stride, int size) {
    int done =
        switch (size) {
          case 2 -> split2(source, from, target, to, count, stride);
          case 4 -> split4(source, from, target, to, count, stride);
          case 8 -> split8(source, from, target, to, count, stride);
          default -> 0;
        };
    for (int j = 0; j < size; j++) {
      int plane = to + j * stride;
      for (int i = done, at = from + done * size + j; i < count; i++, at += size) {
        target[plane + i] = source[at];
      }
    }
  }

  /**
   * Transposes planes to elements; the arguments are those of {@link #split}, with source and
   * target exchanged.
   *
   * @param source the array that holds the bytes
   * @param from the index of the first byte
   * @param target receives the bytes
   * @param to the index of the first byte in the target
   * @param count the number of elements
   * @param stride the bytes between the beginnings of two planes, at least {@code count}
   * @param size the size of an element in bytes
   */
  public static void join(
      byte[] source, int from, byte[] target, int to, int count, int stride, int size) {
    int done =
        switch (size) {
          case 2 -> join2(source, from, target, to, count, stride);
          case 4 -> join4(source, from, target, to, count, stride);
          case 8 -> join8(source, from, target, to, count, stride);
          default -> 0;
        };
    for (int j = 0; j < size; j++) {
      int plane = from + j * stride;
      for (int i = done, at = to + done * size + j; i < count; i++, at += size) {
        target[at] = source[plane + i];
      }
    }
  }

  private static long get(byte[] array, int index) {
    return (long) LONG.get(array, index);
  }

  private static void put(byte[] array, int index, long value) {
    LONG.set(array, index, value);
  }

  private static int split2(byte[] source, int from, byte[] target, int to, int count, int stride) {
    int end = count & ~7;
    for (int i = 0; i < end; i += 8) {
      long a = evenOdd(get(source, from + 2 * i));
      long b = evenOdd(get(source, from + 2 * i + 8));
      put(target, to + i, (a & LOW_HALF) | (b << 32));
      put(target, to + stride + i, (a >>> 32) | (b & ~LOW_HALF));
    }
    return end;
  }

  private static int join2(byte[] source, int from, byte[] target, int to, int count, int stride) {
    int end = count & ~7;
    for (int i = 0; i < end; i += 8) {
      long low = get(source, from + i);
      long high = get(source, from + stride + i);
      put(target, to + 2 * i, oddEven((low & LOW_HALF) | (high << 32)));
      put(target, to + 2 * i + 8, oddEven((low >>> 32) | (high & ~LOW_HALF)));
    }
    return end;
  }

  private static int split4(byte[] source, int from, byte[] target, int to, int count, int stride) {
    int end = count & ~7;
    for (int i = 0; i < end; i += 8) {
      int at = from + 4 * i;
      long a = get(source, at);
      long b = get(source, at + 8);
      long c = get(source, at + 16);
      long d = get(source, at + 24);
      // Elements 0 1, 2 3, 4 5, 6 7 become 0 4, 1 5, 2 6, 3 7, whose bytes are then transposed as
      // two 4 by 4 squares side by side.
      long e0 = (a & LOW_HALF) | (c << 32);
      long e1 = (a >>> 32) | (c & ~LOW_HALF);
      long e2 = (b & LOW_HALF) | (d << 32);
      long e3 = (b >>> 32) | (d & ~LOW_HALF);
      long f0 = (e0 & EVEN_PAIRS) | ((e2 & EVEN_PAIRS) << 16);
      long f2 = ((e0 >>> 16) & EVEN_PAIRS) | (e2 & ~EVEN_PAIRS);
      long f1 = (e1 & EVEN_PAIRS) | ((e3 & EVEN_PAIRS) << 16);
      long f3 = ((e1 >>> 16) & EVEN_PAIRS) | (e3 & ~EVEN_PAIRS);
      int plane = to + i;
      put(target, plane, (f0 & EVEN_BYTES) | ((f1 & EVEN_BYTES) << 8));
      put(target, plane + stride, ((f0 >>> 8) & EVEN_BYTES) | (f1 & ~EVEN_BYTES));
      put(target, plane + 2 * stride, (f2 & EVEN_BYTES) | ((f3 & EVEN_BYTES) << 8));
      put(target, plane + 3 * stride, ((f2 >>> 8) & EVEN_BYTES) | (f3 & ~EVEN_BYTES));
    }
    return end;
  }

  private static int join4(byte[] source, int from, byte[] target, int to, int count, int stride) {
    int end = count & ~7;
    for (int i = 0; i < end; i += 8) {
      int plane = from + i;
      long p0 = get(source, plane);
      long p1 = get(source, plane + stride);
      long p2 = get(source, plane + 2 * stride);
      long p3 = get(source, plane + 3 * stride);
      long f0 = (p0 & EVEN_BYTES) | ((p1 & EVEN_BYTES) << 8);
      long f1 = ((p0 >>> 8) & EVEN_BYTES) | (p1 & ~EVEN_BYTES);
      long f2 = (p2 & EVEN_BYTES) | ((p3 & EVEN_BYTES) << 8);
      long f3 = ((p2 >>> 8) & EVEN_BYTES) | (p3 & ~EVEN_BYTES);
      long e0 = (f0 & EVEN_PAIRS) | ((f2 & EVEN_PAIRS) << 16);
      long e2 = ((f0 >>> 16) & EVEN_PAIRS) | (f2 & ~EVEN_PAIRS);
      long e1 = (f1 & EVEN_PAIRS) | ((f3 & EVEN_PAIRS) << 16);
      long e3 = ((f1 >>> 16) & EVEN_PAIRS) | (f3 & ~EVEN_PAIRS);
      int at = to + 4 * i;
      put(target, at, (e0 & LOW_HALF) | (e1 << 32));
      put(target, at + 8, (e2 & LOW_HALF) | (e3 << 32));
      put(target, at + 16, (e0 >>> 32) | (e1 & ~LOW_HALF));
      put(target, at + 24, (e2 >>> 32) | (e3 & ~LOW_HALF));
    }
    return end;
  }

  private static int split8(byte[] source, int from, byte[] target, int to, int count, int stride) {
    int end = count & ~7;
    for (int i = 0; i < end; i += 8) {
      transpose8(source, from + 8 * i, 8, target, to + i, stride);
    }
    return end;
  }

  private static int join8(byte[] source, int from, byte[] target, int to, int count, int stride) {
    int end = count & ~7;
    for (int i = 0; i < end; i += 8) {
      transpose8(source, from + i, stride, target, to + 8 * i, 8);
    }
    return end;
  }

  /**
   * Transposes 8 rows of 8 bytes: rows {@code step} apart become columns of rows {@code jump}
   * apart.
   */
  private static void transpose8(
      byte[] source, int from, int step, byte[] target, int to, int jump) {
    long a0 = get(source, from);
    long a1 = get(source, from + step);
    long a2 = get(source, from + 2 * step);
    long a3 = get(source, from + 3 * step);
    long a4 = get(source, from + 4 * step);
    long a5 = get(source, from + 5 * step);
    long a6 = get(source, from + 6 * step);
    long a7 = get(source, from + 7 * step);
    long b0 = (a0 & LOW_HALF) | (a4 << 32);
    long b4 = (a0 >>> 32) | (a4 & ~LOW_HALF);
    long b1 = (a1 & LOW_HALF) | (a5 << 32);
    long b5 = (a1 >>> 32) | (a5 & ~LOW_HALF);
    long b2 = (a2 & LOW_HALF) | (a6 << 32);
    long b6 = (a2 >>> 32) | (a6 & ~LOW_HALF);
    long b3 = (a3 & LOW_HALF) | (a7 << 32);
    long b7 = (a3 >>> 32) | (a7 & ~LOW_HALF);
    putSquare(target, to, jump, b0, b1, b2, b3);
    putSquare(target, to + 4 * jump, jump, b4, b5, b6, b7);
  }

  /** Transposes the two 4 by 4 squares side by side in the rows b, and stores the rows. */
  private static void putSquare(
      byte[] target, int to, int jump, long b0, long b1, long b2, long b3) {
    long c0 = (b0 & EVEN_PAIRS) | ((b2 & EVEN_PAIRS) << 16);
    long c2 = ((b0 >>> 16) & EVEN_PAIRS) | (b2 & ~EVEN_PAIRS);
    long c1 = (b1 & EVEN_PAIRS) | ((b3 & EVEN_PAIRS) << 16);
    long c3 = ((b1 >>> 16) & EVEN_PAIRS) | (b3 & ~EVEN_PAIRS);
    put(target, to, (c0 & EVEN_BYTES) | ((c1 & EVEN_BYTES) << 8));
    put(target, to + jump, ((c0 >>> 8) & EVEN_BYTES) | (c1 & ~EVEN_BYTES));
    put(target, to + 2 * jump, (c2 & EVEN_BYTES) | ((c3 & EVEN_BYTES) << 8));
    put(target, to + 3 * jump, ((c2 >>> 8) & EVEN_BYTES) | (c3 & ~EVEN_BYTES));
  }
}
