package org.hyperslab.format.filter.community;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.hyperslab.format.filter.ArrayFilter;
import org.hyperslab.format.filter.MalformedDataException;
import org.hyperslab.format.filter.Span;

/**
 * What a ZFP header says: the element, the extents, and how many bits each block takes. HDF5's
 * filter stores the header in the client data, after a word of versions.
 *
 * <p>Source: zfp_read_header, zfp_field_set_metadata and zfp_stream_set_mode of zfp; H5Zzfp.c.
 *
 * @param element the kind of number
 * @param extents the extents, fastest dimension first; 1 to 4
 * @param minimumBits the least number of bits of a block
 * @param maximumBits the greatest number of bits of a block
 * @param maximumPrecision the greatest number of bit planes of a block
 * @param minimumExponent the exponent of the last bit plane of numbers that are not integers
 * @param order the byte order of the elements
 */
record ZfpHeader(
    Element element,
    int[] extents,
    int minimumBits,
    int maximumBits,
    int maximumPrecision,
    int minimumExponent,
    ByteOrder order) {

  /** The least exponent of a double; one less stands for the reversible mode. */
  private static final int MINIMUM_EXPONENT = -1074;

  private static final int MAXIMUM_BITS = 16658;
  private static final int MAXIMUM_PRECISION = 64;
  private static final int CODEC = 5;
  private static final int SHORT_MODES = 4095;
  private static final int FIXED_PRECISION = 2048;
  private static final int REVERSIBLE = FIXED_PRECISION + 128;

  /** The kinds of numbers, in the order of their numbers in a header. */
  enum Element {
    INT32(32, 0),
    INT64(64, 0),
    FLOAT(32, 8),
    DOUBLE(64, 11);

    final int bits;
    final int exponentBits;

    Element(int bits, int exponentBits) {
      this.bits = bits;
      this.exponentBits = exponentBits;
    }

    int exponentBias() {
      return (1 << exponentBits - 1) - 1;
    }
  }

  /**
   * {@return the header in the client data of a dataset}
   *
   * @param clientData the filter's client data values
   * @throws MalformedDataException if they hold none
   */
  static ZfpHeader of(int[] clientData) throws MalformedDataException {
    if (clientData.length < 4 || clientData.length > 6) {
      throw new MalformedDataException(
          "zfp client data: actual=" + clientData.length + " values, expected=4 to 6");
    }
    ZfpHeader little = parse(clientData, ByteOrder.LITTLE_ENDIAN);
    // A machine of the other byte order wrote the words, and the elements, in its own.
    ZfpHeader found = little == null ? parse(clientData, ByteOrder.BIG_ENDIAN) : little;
    if (found == null) {
      throw new MalformedDataException(
          "zfp client data: actual="
              + Arrays.toString(clientData)
              + ", expected=a header of codec "
              + CODEC);
    }
    return found;
  }

  private static ZfpHeader parse(int[] clientData, ByteOrder order) throws MalformedDataException {
    ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES * (clientData.length - 1)).order(order);
    for (int i = 1; i < clientData.length; i++) {
      bytes.putInt(clientData[i]);
    }
    ZfpBits bits = new ZfpBits(new Span(bytes.array(), 0, bytes.position()));
    boolean magic = bits.read(24) == ('z' | 'f' << 8 | 'p' << 16) && bits.read(8) == CODEC;
    if (!magic) {
      return null;
    }
    Element element = Element.values()[(int) bits.read(2)];
    int[] extents = new int[(int) bits.read(2) + 1];
    int width = 48 / extents.length;
    for (int i = 0; i < extents.length; i++) {
      extents[i] = (int) Math.min(bits.read(width) + 1, Integer.MAX_VALUE);
    }
    return mode(bits, element, extents, order);
  }

  private static ZfpHeader mode(ZfpBits bits, Element element, int[] extents, ByteOrder order)
      throws MalformedDataException {
    int mode = (int) bits.read(12);
    int least = 1;
    int most = MAXIMUM_BITS;
    int precision = MAXIMUM_PRECISION;
    int exponent = MINIMUM_EXPONENT;
    if (mode == SHORT_MODES) {
      least = (int) bits.read(15) + 1;
      most = (int) bits.read(15) + 1;
      precision = (int) bits.read(7) + 1;
      exponent = (int) bits.read(15) - 16495;
    } else if (mode < FIXED_PRECISION) {
      least = mode + 1;
      most = mode + 1;
    } else if (mode < REVERSIBLE) {
      precision = mode + 1 - FIXED_PRECISION;
    } else if (mode == REVERSIBLE) {
      exponent = MINIMUM_EXPONENT - 1;
    } else {
      exponent = mode + MINIMUM_EXPONENT - (REVERSIBLE + 1);
    }
    if (least > most || precision > MAXIMUM_PRECISION) {
      throw new MalformedDataException(
          "zfp mode: actual="
              + least
              + " to "
              + most
              + " bits, "
              + precision
              + " planes, expected=at most 64 planes");
    }
    bits.requireInside();
    return new ZfpHeader(element, extents, least, most, precision, exponent, order);
  }

  /** {@return whether blocks are stored without loss} */
  boolean reversible() {
    return minimumExponent < MINIMUM_EXPONENT;
  }

  /**
   * {@return the number of bytes of all elements}
   *
   * @throws MalformedDataException if they are more than an array can hold
   */
  int bytes() throws MalformedDataException {
    long bytes = element.bits / 8;
    for (int extent : extents) {
      bytes *= extent;
      if (bytes > ArrayFilter.MAXIMUM_ARRAY_BYTES) {
        throw new MalformedDataException(
            "zfp extents: actual=" + Arrays.toString(extents) + ", expected=less than 2 GiB");
      }
    }
    return (int) bytes;
  }
}
