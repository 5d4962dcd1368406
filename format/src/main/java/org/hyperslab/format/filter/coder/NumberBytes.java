package org.hyperslab.format.filter.coder;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Loads and stores numbers of one to eight bytes in either byte order. */
public final class NumberBytes {

  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private NumberBytes() {}

  /** Returns the unsigned number of {@code size} bytes at {@code array[at]}. */
  public static long load(byte[] array, int at, int size, boolean bigEndian) {
    long value =
        switch (size) {
          case 1 -> array[at] & 0xFFL;
          case 2 -> (short) SHORT.get(array, at) & 0xFFFFL;
          case 4 -> (int) INT.get(array, at) & 0xFFFF_FFFFL;
          case 8 -> (long) LONG.get(array, at);
          default -> loadBytes(array, at, size);
        };
    return bigEndian ? Long.reverseBytes(value) >>> (64 - 8 * size) : value;
  }

  private static long loadBytes(byte[] array, int at, int size) {
    long value = 0;
    for (int i = size - 1; i >= 0; i--) {
      value = value << 8 | (array[at + i] & 0xFFL);
    }
    return value;
  }

  /** Stores the low {@code size} bytes of {@code value} at {@code array[at]}. */
  public static void store(byte[] array, int at, int size, boolean bigEndian, long value) {
    long little = bigEndian ? Long.reverseBytes(value) >>> (64 - 8 * size) : value;
    switch (size) {
      case 1 -> array[at] = (byte) little;
      case 2 -> SHORT.set(array, at, (short) little);
      case 4 -> INT.set(array, at, (int) little);
      case 8 -> LONG.set(array, at, little);
      default -> {
        for (int i = 0; i < size; i++) {
          array[at + i] = (byte) (little >>> (8 * i));
        }
      }
    }
  }
}
