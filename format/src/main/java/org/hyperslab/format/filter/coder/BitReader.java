package org.hyperslab.format.filter.coder;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.hyperslab.format.filter.MalformedDataException;
import org.hyperslab.format.filter.Span;

/**
 * Reads bits from bytes, the most significant bit of each byte first. Reading past the end is a
 * {@link MalformedDataException}.
 *
 * <p>Thread rule: one thread.
 */
public final class BitReader {

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final byte[] array;
  private final int end;
  private int position;

  /** The next bits, left-aligned; bits beyond {@link #available} belong to bytes not read yet. */
  private long window;

  private int available;

  /**
   * Creates a reader at the first bit of {@code source}.
   *
   * @param source the input bytes
   */
  public BitReader(Span source) {
    this.array = source.array();
    this.position = source.offset();
    this.end = source.end();
  }

  private void refill() {
    if (end - position >= 8) {
      window |= (long) LONG.get(array, position) >>> available;
      int bytes = (63 - available) >>> 3;
      position += bytes;
      available += bytes * 8;
      return;
    }
    while (available <= 56 && position < end) {
      window |= (array[position++] & 0xFFL) << (56 - available);
      available += 8;
    }
  }

  /**
   * {@return the next {@code bits} bits, 0 to 64, as an unsigned number}
   *
   * @param bits the number of bits
   * @throws MalformedDataException if the input ends before
   */
  public long read(int bits) throws MalformedDataException {
    if (bits > 32) {
      long high = read(bits - 32);
      return high << 32 | read(32);
    }
    if (bits == 0) {
      return 0;
    }
    if (available < bits) {
      refill();
      if (available < bits) {
        throw endsEarly();
      }
    }
    long value = window >>> (64 - bits);
    window <<= bits;
    available -= bits;
    return value;
  }

  /**
   * {@return the number of 0 bits before the next 1 bit, which is consumed too}
   *
   * @throws MalformedDataException if the input ends before
   */
  public int readUnary() throws MalformedDataException {
    int zeros = 0;
    while (true) {
      if (available == 0) {
        refill();
        if (available == 0) {
          throw endsEarly();
        }
      }
      int leading = Long.numberOfLeadingZeros(window);
      if (leading < available) {
        window = leading == 63 ? 0 : window << (leading + 1);
        available -= leading + 1;
        return zeros + leading;
      }
      zeros += available;
      window = available == 64 ? 0 : window << available;
      available = 0;
    }
  }

  private static MalformedDataException endsEarly() {
    return new MalformedDataException("bits end early");
  }
}
