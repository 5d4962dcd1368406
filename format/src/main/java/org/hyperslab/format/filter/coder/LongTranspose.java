package org.hyperslab.format.filter.coder;

/**
 * Transposes elements of 2, 4 and 8 bytes into planes and back as {@link ByteTranspose} does, in
 * arrays of words of 8 bytes, the first byte the lowest. The simple compiler of the JVM, with which
 * short programs run, makes fast code of this, but not of views of byte arrays.
 *
 * <p>Thread rule: functions without state.
 */
public final class LongTranspose {

  static final long LOW_HALF = 0x00000000FFFFFFFFL;
  static final long EVEN_PAIRS = 0x0000FFFF0000FFFFL;
  static final long EVEN_BYTES = 0x00FF00FF00FF00FFL;

  private LongTranspose() {}

  /** Returns whether elements have one of the sizes. */
  public static boolean takes(int size) {
    return size == 2 || size == 4 || size == 8;
  }

  /**
   * Transposes elements to planes.
   *
   * @param elements the elements
   * @param planes receives {@code size} planes, one after the other
   * @param words the words of a plane: an eighth of the number of elements
   * @param size the size of an element in bytes
   */
  public static void split(long[] elements, long[] planes, int words, int size) {
    switch (size) {
      case 2 -> split2(elements, planes, words);
      case 4 -> split4(elements, planes, words);
      default -> {
        for (int i = 0; i < words; i++) {
          transpose8(elements, 8 * i, 1, planes, i, words);
        }
      }
    }
  }

  /**
   * Transposes planes to elements; the arguments are those of {@link #split}.
   *
   * @param planes the planes
   * @param elements receives the elements
   * @param words the words of a plane
   * @param size the size of an element in bytes
   */
  public static void join(long[] planes, long[] elements, int words, int size) {
    switch (size) {
      case 2 -> join2(planes, elements, words);
      case 4 -> join4(planes, elements, words);
      default -> {
        for (int i = 0; i < words; i++) {
          transpose8(planes, i, words, elements, 8 * i, 1);
        }
      }
    }
  }

  /** Returns bytes 0 2 4 6 1 3 5 7 of x, in that order. */
  static long evenOdd(long x) {
    long y =
        (x & 0xFF0000FFFF0000FFL)
            | ((x >>> 8) & 0x0000FF000000FF00L)
            | ((x & 0x0000FF000000FF00L) << 8);
    return (y & 0xFFFF00000000FFFFL)
        | ((y >>> 16) & 0x00000000FFFF0000L)
        | ((y & 0x00000000FFFF0000L) << 16);
  }

  /** Returns the inverse of {@link #evenOdd}. */
  static long oddEven(long x) {
    long y =
        (x & 0xFFFF00000000FFFFL)
            | ((x >>> 16) & 0x00000000FFFF0000L)
            | ((x & 0x00000000FFFF0000L) << 16);
    return (y & 0xFF0000FFFF0000FFL)
        | ((y >>> 8) & 0x0000FF000000FF00L)
        | ((y & 0x0000FF000000FF00L) << 8);
  }

  private static void split2(long[] elements, long[] planes, int words) {
    for (int i = 0; i < words; i++) {
      long a = evenOdd(elements[2 * i]);
      long b = evenOdd(elements[2 * i + 1]);
      planes[i] = (a & LOW_HALF) | (b << 32);
      planes[words + i] = (a >>> 32) | (b & ~LOW_HALF);
    }
  }

  private static void join2(long[] planes, long[] elements, int words) {
    for (int i = 0; i < words; i++) {
      long low = planes[i];
      long high = planes[words + i];
      elements[2 * i] = oddEven((low & LOW_HALF) | (high << 32));
      elements[2 * i + 1] = oddEven((low >>> 32) | (high & ~LOW_HALF));
    }
  }

  private static void split4(long[] elements, long[] planes, int words) {
    for (int i = 0; i < words; i++) {
      long a = elements[4 * i];
      long b = elements[4 * i + 1];
      long c = elements[4 * i + 2];
      long d = elements[4 * i + 3];
      long e0 = (a & LOW_HALF) | (c << 32);
      long e1 = (a >>> 32) | (c & ~LOW_HALF);
      long e2 = (b & LOW_HALF) | (d << 32);
      long e3 = (b >>> 32) | (d & ~LOW_HALF);
      long f0 = (e0 & EVEN_PAIRS) | ((e2 & EVEN_PAIRS) << 16);
      long f2 = ((e0 >>> 16) & EVEN_PAIRS) | (e2 & ~EVEN_PAIRS);
      long f1 = (e1 & EVEN_PAIRS) | ((e3 & EVEN_PAIRS) << 16);
      long f3 = ((e1 >>> 16) & EVEN_PAIRS) | (e3 & ~EVEN_PAIRS);
      planes[i] = (f0 & EVEN_BYTES) | ((f1 & EVEN_BYTES) << 8);
      planes[words + i] = ((f0 >>> 8) & EVEN_BYTES) | (f1 & ~EVEN_BYTES);
      planes[2 * words + i] = (f2 & EVEN_BYTES) | ((f3 & EVEN_BYTES) << 8);
      planes[3 * words + i] = ((f2 >>> 8) & EVEN_BYTES) | (f3 & ~EVEN_BYTES);
    }
  }

  private static void join4(long[] planes, long[] elements, int words) {
    for (int i = 0; i < words; i++) {
      long p0 = planes[i];
      long p1 = planes[words + i];
      long p2 = planes[2 * words + i];
      long p3 = planes[3 * words + i];
      long f0 = (p0 & EVEN_BYTES) | ((p1 & EVEN_BYTES) << 8);
      long f1 = ((p0 >>> 8) & EVEN_BYTES) | (p1 & ~EVEN_BYTES);
      long f2 = (p2 & EVEN_BYTES) | ((p3 & EVEN_BYTES) << 8);
      long f3 = ((p2 >>> 8) & EVEN_BYTES) | (p3 & ~EVEN_BYTES);
      long e0 = (f0 & EVEN_PAIRS) | ((f2 & EVEN_PAIRS) << 16);
      long e2 = ((f0 >>> 16) & EVEN_PAIRS) | (f2 & ~EVEN_PAIRS);
      long e1 = (f1 & EVEN_PAIRS) | ((f3 & EVEN_PAIRS) << 16);
      long e3 = ((f1 >>> 16) & EVEN_PAIRS) | (f3 & ~EVEN_PAIRS);
      elements[4 * i] = (e0 & LOW_HALF) | (e1 << 32);
      elements[4 * i + 1] = (e2 & LOW_HALF) | (e3 << 32);
      elements[4 * i + 2] = (e0 >>> 32) | (e1 & ~LOW_HALF);
      elements[4 * i + 3] = (e2 >>> 32) | (e3 & ~LOW_HALF);
    }
  }

  /** Transposes 8 words, {@code step} apart, into 8 words that are {@code jump} apart. */
  private static void transpose8(long[] from, int at, int step, long[] to, int out, int jump) {
    long a0 = from[at];
    long a1 = from[at + step];
    long a2 = from[at + 2 * step];
    long a3 = from[at + 3 * step];
    long a4 = from[at + 4 * step];
    long a5 = from[at + 5 * step];
    long a6 = from[at + 6 * step];
    long a7 = from[at + 7 * step];
    long b0 = (a0 & LOW_HALF) | (a4 << 32);
    long b4 = (a0 >>> 32) | (a4 & ~LOW_HALF);
    long b1 = (a1 & LOW_HALF) | (a5 << 32);
    long b5 = (a1 >>> 32) | (a5 & ~LOW_HALF);
    long b2 = (a2 & LOW_HALF) | (a6 << 32);
    long b6 = (a2 >>> 32) | (a6 & ~LOW_HALF);
    long b3 = (a3 & LOW_HALF) | (a7 << 32);
    long b7 = (a3 >>> 32) | (a7 & ~LOW_HALF);
    putSquare(to, out, jump, b0, b1, b2, b3);
    putSquare(to, out + 4 * jump, jump, b4, b5, b6, b7);
  }

  /** Transposes the two 4 by 4 squares side by side in the rows b, and stores the rows. */
  private static void putSquare(long[] to, int out, int jump, long b0, long b1, long b2, long b3) {
    long c0 = (b0 & EVEN_PAIRS) | ((b2 & EVEN_PAIRS) << 16);
    long c2 = ((b0 >>> 16) & EVEN_PAIRS) | (b2 & ~EVEN_PAIRS);
    long c1 = (b1 & EVEN_PAIRS) | ((b3 & EVEN_PAIRS) << 16);
    long c3 = ((b1 >>> 16) & EVEN_PAIRS) | (b3 & ~EVEN_PAIRS);
    to[out] = (c0 & EVEN_BYTES) | ((c1 & EVEN_BYTES) << 8);
    to[out + jump] = ((c0 >>> 8) & EVEN_BYTES) | (c1 & ~EVEN_BYTES);
    to[out + 2 * jump] = (c2 & EVEN_BYTES) | ((c3 & EVEN_BYTES) << 8);
    to[out + 3 * jump] = ((c2 >>> 8) & EVEN_BYTES) | (c3 & ~EVEN_BYTES);
  }
}
