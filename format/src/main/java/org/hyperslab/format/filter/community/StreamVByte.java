package org.hyperslab.format.filter.community;

import org.hyperslab.format.filter.MalformedDataException;
import org.hyperslab.format.filter.Span;

/**
 * Stream VByte: unsigned integers of 32 bits in as few units as each needs. The keys come first,
 * two bits an integer, the first in the lowest bits; the units of all integers follow.
 *
 * <p>In the form of bytes a key of 0 to 3 stands for 1 to 4 bytes; in that of half bytes for 0, 1,
 * 2 or 4 half bytes, the first in the lower half of a byte.
 *
 * <p>Source: D. Lemire, N. Kurz, C. Rupp, "Stream VByte: faster byte-oriented integer compression",
 * 2018; the half bytes are those of version 1 of the VBZ filter.
 */
final class StreamVByte {

  private StreamVByte() {}

  private static int keyBytes(int count) {
    return (count + 3) >>> 2;
  }

  /**
   * {@return the greatest number of bytes that {@code count} integers take in either form}
   *
   * @param count the number of integers
   */
  static long maximumBytes(int count) {
    return keyBytes(count) + 4L * count;
  }

  /**
   * Encodes integers as bytes.
   *
   * @param values the integers
   * @param count how many of them
   * @param target receives the bytes; room for {@link #maximumBytes}
   * @param from the index of the first byte
   * @return the number of bytes produced
   */
  static int encode(int[] values, int count, byte[] target, int from) {
    int keys = from;
    int at = from + keyBytes(count);
    for (int i = 0; i < count; i++) {
      if ((i & 3) == 0) {
        target[keys + (i >>> 2)] = 0;
      }
      int value = values[i];
      int bytes = Math.max(1, (39 - Integer.numberOfLeadingZeros(value)) >>> 3);
      target[keys + (i >>> 2)] |= (byte) (bytes - 1 << 2 * (i & 3));
      for (int k = 0; k < bytes; k++) {
        target[at++] = (byte) (value >>> 8 * k);
      }
    }
    return at - from;
  }

  /**
   * Encodes integers as half bytes.
   *
   * @param values the integers; of each that is not below 2^16 the lower 16 bits are kept
   * @param count how many of them
   * @param target receives the bytes; room for {@link #maximumBytes}
   * @param from the index of the first byte
   * @return the number of bytes produced
   */
  static int encodeHalves(int[] values, int count, byte[] target, int from) {
    int keys = from;
    long at = 2L * (from + keyBytes(count));
    for (int i = 0; i < count; i++) {
      if ((i & 3) == 0) {
        target[keys + (i >>> 2)] = 0;
      }
      int value = values[i];
      int key = value == 0 ? 0 : value >>> 4 == 0 ? 1 : value >>> 8 == 0 ? 2 : 3;
      target[keys + (i >>> 2)] |= (byte) (key << 2 * (i & 3));
      for (int k = 0; k < (1 << key) >>> 1; k++) {
        int half = value >>> 4 * k & 0xF;
        int index = (int) (at >>> 1);
        target[index] = (byte) ((at & 1) == 0 ? half : target[index] | half << 4);
        at++;
      }
    }
    return (int) ((at + 1) >>> 1) - from;
  }

  /**
   * Decodes integers from bytes.
   *
   * @param source exactly the encoded bytes
   * @param values receives the integers
   * @param count how many of them
   * @throws MalformedDataException if the bytes hold fewer or more integers
   */
  static void decode(Span source, int[] values, int count) throws MalformedDataException {
    byte[] in = source.array();
    int keys = source.offset();
    int at = dataFrom(source, count);
    for (int i = 0; i < count; i++) {
      int bytes = (in[keys + (i >>> 2)] >>> 2 * (i & 3) & 3) + 1;
      if (bytes > source.end() - at) {
        throw endsEarly(i, count);
      }
      int value = 0;
      for (int k = 0; k < bytes; k++) {
        value |= (in[at++] & 0xFF) << 8 * k;
      }
      values[i] = value;
    }
    requireEnd(source, at);
  }

  /**
   * Decodes integers from half bytes.
   *
   * @param source exactly the encoded bytes
   * @param values receives the integers
   * @param count how many of them
   * @throws MalformedDataException if the bytes hold fewer or more integers
   */
  static void decodeHalves(Span source, int[] values, int count) throws MalformedDataException {
    byte[] in = source.array();
    int keys = source.offset();
    long at = 2L * dataFrom(source, count);
    long end = 2L * source.end();
    for (int i = 0; i < count; i++) {
      int halves = 1 << (in[keys + (i >>> 2)] >>> 2 * (i & 3) & 3) >>> 1;
      if (halves > end - at) {
        throw endsEarly(i, count);
      }
      int value = 0;
      for (int k = 0; k < halves; k++, at++) {
        value |= (in[(int) (at >>> 1)] >>> 4 * (int) (at & 1) & 0xF) << 4 * k;
      }
      values[i] = value;
    }
    requireEnd(source, (int) ((at + 1) >>> 1));
  }

  private static int dataFrom(Span source, int count) throws MalformedDataException {
    if (keyBytes(count) > source.length()) {
      throw endsEarly(0, count);
    }
    return source.offset() + keyBytes(count);
  }

  private static MalformedDataException endsEarly(int actual, int expected) {
    return new MalformedDataException(
        "integers end early: actual=" + actual + " integers, expected=" + expected);
  }

  private static void requireEnd(Span source, int at) throws MalformedDataException {
    if (at != source.end()) {
      throw new MalformedDataException(
          "bytes after the last integer: actual=" + (source.end() - at) + ", expected=0");
    }
  }
}
