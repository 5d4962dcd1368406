package org.hyperslab.format.filter;

import java.util.Objects;

/**
 * A part of a byte array.
 *
 * <p>It is a class and not a record, because the array is shared.
 */
public final class Span {

  private final byte[] array;
  private final int offset;
  private final int length;

  /**
   * Creates a span of the {@code length} bytes of {@code array} from {@code offset}.
   *
   * @param array the array
   * @param offset the offset of the first byte
   * @param length the number of bytes
   */
  public Span(byte[] array, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, array.length);
    this.array = array;
    this.offset = offset;
    this.length = length;
  }

  /** {@return the array itself} */
  public byte[] array() {
    return array;
  }

  /** {@return the index of the first byte} */
  public int offset() {
    return offset;
  }

  /** {@return the number of bytes} */
  public int length() {
    return length;
  }

  /** {@return the index after the last byte} */
  public int end() {
    return offset + length;
  }

  /**
   * {@return the part from {@code from} (relative to this span's start) with {@code count} bytes}
   *
   * @param from the index of the first byte
   * @param count the number of bytes
   */
  public Span slice(int from, int count) {
    Objects.checkFromIndexSize(from, count, length);
    return new Span(array, offset + from, count);
  }
}
