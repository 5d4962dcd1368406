package org.hyperslab.format.filter.community;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.hyperslab.format.filter.MalformedDataException;
import org.hyperslab.format.filter.Span;

/**
 * Reads bits of a ZFP stream, the lowest bit of a byte first. Bits after the end are zero; {@link
 * #requireInside} finds that they were read.
 *
 * <p>Thread rule: one thread.
 */
final class ZfpBits {

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final byte[] in;
  private final int end;
  private final long bits;
  private int next;
  private long word;
  private int have;
  private long position;

  ZfpBits(Span source) {
    in = source.array();
    next = source.offset();
    end = source.end();
    bits = 8L * source.length();
  }

  private void refill() {
    if (end - next >= Long.BYTES) {
      word = (long) LONG.get(in, next);
      next += Long.BYTES;
    } else {
      word = 0;
      for (int i = 0; i < Long.BYTES && next < end; i++) {
        word |= (in[next++] & 0xFFL) << 8 * i;
      }
    }
    have = Long.SIZE;
  }

  /** {@return the next bit} */
  int bit() {
    if (have == 0) {
      refill();
    }
    int bit = (int) word & 1;
    word >>>= 1;
    have--;
    position++;
    return bit;
  }

  /**
   * {@return the next bits as a number, the first in its lowest bit}
   *
   * @param count how many, 0 to 64
   */
  long read(int count) {
    long value = 0;
    int done = 0;
    while (done < count) {
      if (have == 0) {
        refill();
      }
      int take = Math.min(have, count - done);
      long part = take == Long.SIZE ? word : word & (1L << take) - 1;
      value |= part << done;
      word = take == Long.SIZE ? 0 : word >>> take;
      have -= take;
      done += take;
    }
    position += count;
    return value;
  }

  /**
   * Passes over bits.
   *
   * @param count how many
   */
  void skip(int count) {
    for (int left = count; left > 0; left -= Long.SIZE) {
      read(Math.min(left, Long.SIZE));
    }
  }

  /**
   * Requires that no bit after the end was read.
   *
   * @throws MalformedDataException if one was
   */
  void requireInside() throws MalformedDataException {
    if (position > bits) {
      throw new MalformedDataException(
          "zfp stream: actual=" + bits + " bits, expected=at least " + position);
    }
  }
}
