package org.hyperslab.format.filter.coder;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Objects;
import org.hyperslab.format.filter.MalformedDataException;

/**
 * Writes bits into bytes, the most significant bit of each byte first.
 *
 * <p>Thread rule: one thread.
 */
public final class BitWriter {

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  private final byte[] array;
  private final int start;
  private final int end;
  private int position;
  private long window;
  private int pending;

  /**
   * Creates a writer at {@code array[start]} that refuses to write {@code array[end]}.
   *
   * @param array the array
   * @param start the index of the first byte
   * @param end the index after the last byte
   */
  public BitWriter(byte[] array, int start, int end) {
    Objects.checkFromToIndex(start, end, array.length);
    this.array = array;
    this.start = start;
    this.end = end;
    this.position = start;
  }

  /**
   * Writes the low {@code bits} bits (0 to 64) of {@code value}.
   *
   * @param value the value
   * @param bits the number of bits
   * @throws MalformedDataException if there is no room for them
   */
  public void write(long value, int bits) throws MalformedDataException {
    if (bits > 32) {
      write(value >>> 32, bits - 32);
      write(value, 32);
      return;
    }
    window = window << bits | (value & ((1L << bits) - 1));
    pending += bits;
    if (pending >= 32) {
      if (end - position < 4) {
        throw full();
      }
      pending -= 32;
      INT.set(array, position, (int) (window >>> pending));
      position += 4;
    }
  }

  /**
   * Writes {@code zeros} 0 bits and a 1 bit.
   *
   * @param zeros the number of zero bits before the one
   * @throws MalformedDataException if there is no room for them
   */
  public void writeUnary(int zeros) throws MalformedDataException {
    int left = zeros;
    for (; left >= 31; left -= 31) {
      write(0, 31);
    }
    write(1, left + 1);
  }

  /** {@return the number of bits written} */
  public long bits() {
    return 8L * (position - start) + pending;
  }

  /**
   * Writes the pending bits, padded with 0 bits, and returns the total number of bytes.
   *
   * @return the number of bytes written
   * @throws MalformedDataException if there is no room for them
   */
  public int finish() throws MalformedDataException {
    while (pending > 0) {
      if (position == end) {
        throw full();
      }
      int shift = pending - 8;
      array[position++] = (byte) (shift >= 0 ? window >>> shift : window << -shift);
      pending = Math.max(0, shift);
    }
    return position - start;
  }

  private static MalformedDataException full() {
    return new MalformedDataException("no room for more bits");
  }
}
