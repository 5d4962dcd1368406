package org.hyperslab.format.filter.community;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.hyperslab.format.filter.FilterOutput;
import org.hyperslab.format.filter.MalformedDataException;
import org.hyperslab.format.filter.Span;
import org.hyperslab.format.filter.coder.DecodingFilter;

/**
 * Filter 32013, ZFP: blocks of 4 numbers in each of 1 to 4 dimensions, all of one size, of one
 * precision, within an error, or without loss. It is decoded only.
 *
 * <p>Client data: versions, then a {@link ZfpHeader}. Its extents are those of the chunk that are
 * above 1.
 *
 * <p>Source: H5Zzfp.c of H5Z-ZFP; decodef.c and revdecodef.c of zfp.
 */
public final class ZfpFilter extends DecodingFilter {

  /** The registered filter number. */
  public static final int ID = 32013;

  private static final int EDGE = 4;
  private static final int MAXIMUM_RANK = 4;
  private static final VarHandle INT_LE =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG_LE =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Creates the filter, which has no state. */
  public ZfpFilter() {}

  @Override
  public int id() {
    return ID;
  }

  @Override
  public String name() {
    return "zfp";
  }

  @Override
  protected int decode(Span source, int[] clientData, FilterOutput out)
      throws MalformedDataException {
    ZfpHeader header = ZfpHeader.of(clientData);
    int bytes = header.bytes();
    byte[] target = out.array(bytes);
    new Decoder(header, source, new Span(target, out.arrayOffset(), bytes)).run();
    return bytes;
  }

  /** Decodes one chunk. */
  private static final class Decoder {
    private final ZfpHeader header;
    private final ZfpBits bits;
    private final Span target;
    private final ZfpIntegers integers;
    private final long[] values;

    /** The extents of all four dimensions, fastest first; 1 if absent. */
    private final int[] extents = {1, 1, 1, 1};

    Decoder(ZfpHeader header, Span source, Span target) {
      this.header = header;
      this.target = target;
      bits = new ZfpBits(source);
      integers = new ZfpIntegers(header.extents().length, header.element().bits);
      values = new long[integers.size()];
      System.arraycopy(header.extents(), 0, extents, 0, header.extents().length);
    }

    void run() throws MalformedDataException {
      int[] first = new int[MAXIMUM_RANK];
      do {
        if (header.element().exponentBits == 0) {
          integerBlock();
        } else {
          floatBlock();
        }
        bits.requireInside();
        place(first);
      } while (next(first));
    }

    private boolean next(int[] first) {
      for (int d = 0; d < MAXIMUM_RANK; d++) {
        first[d] += EDGE;
        if (first[d] < extents[d] && first[d] > 0) {
          return true;
        }
        first[d] = 0;
      }
      return false;
    }

    private void integerBlock() {
      if (header.reversible()) {
        integers.decodeReversible(bits, header.minimumBits(), header.maximumBits(), values);
      } else {
        integers.decode(
            bits, header.minimumBits(), header.maximumBits(), header.maximumPrecision(), values);
      }
    }

    /** Decodes a block of floating-point numbers; leaves their bits in {@code values}. */
    private void floatBlock() {
      int used = 1;
      if (bits.bit() == 0) {
        Arrays.fill(values, 0);
        bits.skip(header.minimumBits() - used);
        return;
      }
      boolean reversible = header.reversible();
      if (reversible) {
        used++;
        if (bits.bit() != 0) {
          decodeAfter(used, header.maximumPrecision());
          signMagnitude();
          return;
        }
      }
      int exponentBits = header.element().exponentBits;
      int bias = header.element().exponentBias();
      used += exponentBits;
      int exponent = (int) bits.read(exponentBits) - bias;
      int planes = exponent - header.minimumExponent() + 2 * header.extents().length + 2;
      decodeAfter(used, Math.min(header.maximumPrecision(), Math.max(0, planes)));
      if (reversible && exponent == -bias) {
        Arrays.fill(values, 0);
      } else {
        scale(exponent);
      }
    }

    private void decodeAfter(int used, int precision) {
      int least = Math.max(0, header.minimumBits() - used);
      int most = header.maximumBits() - used;
      if (header.reversible()) {
        integers.decodeReversible(bits, least, most, values);
      } else {
        integers.decode(bits, least, most, precision, values);
      }
    }

    private void signMagnitude() {
      long mask = header.element().bits == 32 ? Integer.MAX_VALUE : Long.MAX_VALUE;
      for (int i = 0; i < values.length; i++) {
        values[i] = values[i] < 0 ? values[i] ^ mask : values[i];
      }
    }

    private void scale(int exponent) {
      int shift = exponent - (header.element().bits - 2);
      if (header.element() == ZfpHeader.Element.FLOAT) {
        float unit = Math.scalb(1f, shift);
        for (int i = 0; i < values.length; i++) {
          values[i] = Float.floatToRawIntBits(unit * (int) values[i]);
        }
      } else {
        double unit = Math.scalb(1d, shift);
        for (int i = 0; i < values.length; i++) {
          values[i] = Double.doubleToRawLongBits(unit * values[i]);
        }
      }
    }

    /** Stores the part of a block that lies in the chunk. */
    private void place(int[] first) {
      int size = header.element().bits / 8;
      int nx = Math.min(EDGE, extents[0] - first[0]);
      for (int w = 0; w < Math.min(EDGE, extents[3] - first[3]); w++) {
        for (int z = 0; z < Math.min(EDGE, extents[2] - first[2]); z++) {
          for (int y = 0; y < Math.min(EDGE, extents[1] - first[1]); y++) {
            long row = (long) first[3] + w;
            row = row * extents[2] + first[2] + z;
            row = row * extents[1] + first[1] + y;
            int at = target.offset() + (int) ((row * extents[0] + first[0]) * size);
            int from = EDGE * (y + EDGE * (z + EDGE * w));
            for (int x = 0; x < nx; x++) {
              put(at + x * size, values[from + x]);
            }
          }
        }
      }
    }

    private void put(int at, long value) {
      boolean swap = header.order() == ByteOrder.BIG_ENDIAN;
      if (header.element().bits == 32) {
        INT_LE.set(target.array(), at, swap ? Integer.reverseBytes((int) value) : (int) value);
      } else {
        LONG_LE.set(target.array(), at, swap ? Long.reverseBytes(value) : value);
      }
    }
  }
}
