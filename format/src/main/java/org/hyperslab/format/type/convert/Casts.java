package org.hyperslab.format.type.convert;

/**
 * The inner loops of number conversion: each casts the first {@code n} elements from one array to
 * another, in a form that the compiler can vectorize.
 *
 * <p>Java's casts match HDF5's default: truncation toward zero, saturation, NaN to 0, rounding to
 * nearest even. Where the C library differs, a comment on the loop says so.
 */
final class Casts {

  private static final double TWO_63 = 0x1p63;

  /** The greatest finite half-precision number. */
  private static final float HALF_MAX = 65504;

  /** The greatest finite bfloat16 as the bits of a float. */
  private static final int BRAIN_MAX = 0x7F7F_0000;

  private Casts() {}

  static void signedBytes(byte[] from, int[] to, int n) {
    for (int i = 0; i < n; i++) {
      to[i] = from[i];
    }
  }

  static void unsignedBytes(byte[] from, int[] to, int n) {
    for (int i = 0; i < n; i++) {
      to[i] = from[i] & 0xFF;
    }
  }

  static void signedShorts(short[] from, int[] to, int n) {
    for (int i = 0; i < n; i++) {
      to[i] = from[i];
    }
  }

  static void unsignedShorts(short[] from, int[] to, int n) {
    for (int i = 0; i < n; i++) {
      to[i] = from[i] & 0xFFFF;
    }
  }

  static void unsignedInts(int[] from, long[] to, int n) {
    for (int i = 0; i < n; i++) {
      to[i] = from[i] & 0xFFFF_FFFFL;
    }
  }

  static void halves(short[] from, float[] to, int n) {
    for (int i = 0; i < n; i++) {
      to[i] = Float.float16ToFloat(from[i]);
    }
  }

  static void brains(short[] from, float[] to, int n) {
    for (int i = 0; i < n; i++) {
      to[i] = Float.intBitsToFloat(from[i] << 16);
    }
  }

  static void toBytes(int[] from, byte[] to, int n) {
    for (int i = 0; i < n; i++) {
      to[i] = (byte) from[i];
    }
  }

  static void toShorts(int[] from, short[] to, int n) {
    for (int i = 0; i < n; i++) {
      to[i] = (short) from[i];
    }
  }

  static void toInts(long[] from, int[] to, int n) {
    for (int i = 0; i < n; i++) {
      to[i] = (int) from[i];
    }
  }

  /**
   * Casts to half precision. Numbers beyond the greatest finite one become infinite, as in the C
   * library.
   */
  static void toHalves(float[] from, short[] to, int n) {
    for (int i = 0; i < n; i++) {
      float v = from[i];
      short half = Float.floatToFloat16(v);
      to[i] = Math.abs(v) > HALF_MAX ? Float.floatToFloat16(v * HALF_MAX) : half;
    }
  }

  /** Casts to bfloat16, rounding to nearest even; NaN stays NaN, and overflow becomes infinite. */
  static void toBrains(float[] from, short[] to, int n) {
    for (int i = 0; i < n; i++) {
      int bits = Float.floatToRawIntBits(from[i]);
      int magnitude = bits & 0x7FFF_FFFF;
      int rounded = (bits + 0x7FFF + (bits >>> 16 & 1)) >>> 16;
      int finite = magnitude > BRAIN_MAX ? (bits >>> 16 & 0x8000) | 0x7F80 : rounded;
      to[i] = (short) (magnitude > 0x7F80_0000 ? bits >>> 16 | 0x40 : finite);
    }
  }

  static void clip(int[] from, int[] to, int n, int least, int greatest) {
    for (int i = 0; i < n; i++) {
      to[i] = Math.min(Math.max(from[i], least), greatest);
    }
  }

  static void intsToLongs(int[] from, long[] to, int n) {
    for (int i = 0; i < n; i++) {
      to[i] = from[i];
    }
  }

  /** Casts to unsigned; negative values become zero. */
  static void intsToUnsigned(int[] from, long[] to, int n) {
    for (int i = 0; i < n; i++) {
      to[i] = Math.max(from[i], 0);
    }
  }

  static void intsToFloats(int[] from, float[] to, int n) {
    for (int i = 0; i < n; i++) {
      to[i] = from[i];
    }
  }

  static void intsToDoubles(int[] from, double[] to, int n) {
    for (int i = 0; i < n; i++) {
      to[i] = from[i];
    }
  }

  static void longsToInts(long[] from, int[] to, int n, long least, long greatest) {
    for (int i = 0; i < n; i++) {
      to[i] = (int) Math.min(Math.max(from[i], least), greatest);
    }
  }

  static void clip(long[] from, long[] to, int n, long least, long greatest) {
    for (int i = 0; i < n; i++) {
      to[i] = Math.min(Math.max(from[i], least), greatest);
    }
  }

  static void longsToFloats(long[] from, float[] to, int n) {
    for (int i = 0; i < n; i++) {
      to[i] = from[i];
    }
  }

  static void longsToDoubles(long[] from, double[] to, int n) {
    for (int i = 0; i < n; i++) {
      to[i] = from[i];
    }
  }

  static void unsignedToInts(long[] from, int[] to, int n, long greatest) {
    for (int i = 0; i < n; i++) {
      to[i] = (int) (from[i] < 0 || from[i] > greatest ? greatest : from[i]);
    }
  }

  static void unsignedToLongs(long[] from, long[] to, int n, long greatest) {
    for (int i = 0; i < n; i++) {
      to[i] = from[i] < 0 || from[i] > greatest ? greatest : from[i];
    }
  }

  /**
   * Casts unsigned numbers by way of half their value with a sticky bit, so that the rounding is
   * that of the whole value.
   */
  static void unsignedToFloats(long[] from, float[] to, int n) {
    for (int i = 0; i < n; i++) {
      long v = from[i];
      to[i] = v >= 0 ? v : 2.0f * (v >>> 1 | (v & 1));
    }
  }

  static void unsignedToDoubles(long[] from, double[] to, int n) {
    for (int i = 0; i < n; i++) {
      long v = from[i];
      to[i] = v >= 0 ? v : 2.0 * (v >>> 1 | (v & 1));
    }
  }

  static void floatsToInts(float[] from, int[] to, int n) {
    for (int i = 0; i < n; i++) {
      to[i] = (int) from[i];
    }
  }

  static void floatsToLongs(float[] from, long[] to, int n) {
    for (int i = 0; i < n; i++) {
      to[i] = (long) from[i];
    }
  }

  static void floatsToDoubles(float[] from, double[] to, int n) {
    for (int i = 0; i < n; i++) {
      to[i] = from[i];
    }
  }

  static void doublesToInts(double[] from, int[] to, int n) {
    for (int i = 0; i < n; i++) {
      to[i] = (int) from[i];
    }
  }

  /** Casts doubles that are within the range of a float after rounding, and infinite ones. */
  static void toFloats(double[] from, float[] to, int n) {
    for (int i = 0; i < n; i++) {
      to[i] = (float) from[i];
    }
  }

  static void doublesToLongs(double[] from, long[] to, int n) {
    for (int i = 0; i < n; i++) {
      to[i] = (long) from[i];
    }
  }

  static void doublesToUnsigned(double[] from, long[] to, int n) {
    for (int i = 0; i < n; i++) {
      double v = from[i];
      long direct = Math.max((long) v, 0);
      to[i] =
          v < TWO_63 || Double.isNaN(v)
              ? direct
              : v >= 0x1p64 ? -1L : (long) (v - TWO_63) ^ Long.MIN_VALUE;
    }
  }

  /**
   * Casts to float. Numbers beyond the greatest finite one become infinite, as in the C library.
   */
  static void doublesToFloats(double[] from, float[] to, int n) {
    for (int i = 0; i < n; i++) {
      double v = from[i];
      float f = (float) v;
      to[i] =
          Math.abs(v) > Float.MAX_VALUE
              ? (v > 0 ? Float.POSITIVE_INFINITY : Float.NEGATIVE_INFINITY)
              : f;
    }
  }
}
