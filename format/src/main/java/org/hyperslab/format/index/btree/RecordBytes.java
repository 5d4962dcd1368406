package org.hyperslab.format.index.btree;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Reads and writes little-endian fields of encoded records, in arrays whose bounds the B-tree node
 * has checked.
 */
public final class RecordBytes {

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private RecordBytes() {}

  /**
   * {@return a number of four bytes}
   *
   * @param source the array that holds the bytes
   * @param at the index of the first byte
   */
  public static int int32(byte[] source, int at) {
    return (int) INT.get(source, at);
  }

  /**
   * Writes a number of four bytes.
   *
   * @param target receives the bytes
   * @param at the index of the first byte
   * @param value the value
   */
  public static void putInt32(byte[] target, int at, int value) {
    INT.set(target, at, value);
  }

  /**
   * {@return a number of eight bytes}
   *
   * @param source the array that holds the bytes
   * @param at the index of the first byte
   */
  public static long int64(byte[] source, int at) {
    return (long) LONG.get(source, at);
  }

  /**
   * Writes a number of eight bytes.
   *
   * @param target receives the bytes
   * @param at the index of the first byte
   * @param value the value
   */
  public static void putInt64(byte[] target, int at, long value) {
    LONG.set(target, at, value);
  }

  /**
   * {@return an unsigned integer of 1 to 8 bytes}
   *
   * @param source the array that holds the bytes
   * @param at the index of the first byte
   * @param sizeBytes the length in bytes
   */
  public static long unsigned(byte[] source, int at, int sizeBytes) {
    long value = 0;
    for (int i = sizeBytes - 1; i >= 0; i--) {
      value = (value << 8) | (source[at + i] & 0xFFL);
    }
    return value;
  }

  /**
   * Writes the low {@code sizeBytes} (1 to 8) bytes of a value.
   *
   * @param target receives the bytes
   * @param at the index of the first byte
   * @param value the value
   * @param sizeBytes the length in bytes
   */
  public static void putUnsigned(byte[] target, int at, long value, int sizeBytes) {
    for (int i = 0; i < sizeBytes; i++) {
      target[at + i] = (byte) (value >>> (8 * i));
    }
  }

  /**
   * Writes the first {@code length} bytes of {@code source}.
   *
   * @param target receives the bytes
   * @param at the index of the first byte
   * @param source the array that holds the bytes
   * @param length the number of bytes
   */
  public static void putBytes(byte[] target, int at, byte[] source, int length) {
    System.arraycopy(source, 0, target, at, length);
  }
}
