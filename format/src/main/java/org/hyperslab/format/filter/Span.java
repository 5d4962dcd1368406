package org.hyperslab.format.filter;

/**
 * A part of a byte array.
 *
 * <p>A class and not a record: the array is shared, not a value.
 */
public final class Span {

  private final byte[] array;
  private final int offset;
  private final int length;

  /** The {@code length} bytes of {@code array} from {@code offset}. */
  public Span(byte[] array, int offset, int length) {
    java.util.Objects.checkFromIndexSize(offset, length, array.length);
    this.array = array;
    this.offset = offset;
    this.length = length;
  }

  /** The array itself. */
  public byte[] array() {
    return array;
  }

  /** The index of the first byte. */
  public int offset() {
    return offset;
  }

  /** The number of bytes. */
  public int length() {
    return length;
  }

  /** The index after the last byte. */
  public int end() {
    return offset + length;
  }

  /** The part from {@code from} (counted from this span's start), {@code count} bytes long. */
  public Span slice(int from, int count) {
    java.util.Objects.checkFromIndexSize(from, count, length);
    return new Span(array, offset + from, count);
  }
}
