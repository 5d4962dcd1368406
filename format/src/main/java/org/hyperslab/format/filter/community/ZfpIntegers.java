package org.hyperslab.format.filter.community;

import java.util.Arrays;

/**
 * Decodes the integers of a ZFP block: bit planes of negabinary coefficients, ordered by their
 * degree, and the transform that takes them back to values. A block has 4 values in each dimension.
 *
 * <p>Source: P. Lindstrom, "Fixed-rate compressed floating-point arrays", 2014, and "The zfp
 * compression algorithm" of zfp's documentation.
 *
 * <p>Thread rule: one thread; it keeps working memory.
 */
final class ZfpIntegers {

  /** The order of coefficients, for each number of dimensions: two hexadecimal digits each. */
  private static final String[] ORDERS = {
    "00010203",
    "0001040502080609030c0a070d0b0e0f",
    "0001041014110502082015061218092124030c3016192528220a07131c0d313429261a171d350b232c0e3238"
        + "2a1b272d1e36393c330f2b2e3a3d371f3e3b2f3f",
    "00010410400550114441140208208054514515061242184809602124818490030c30c0555246164919582564"
        + "619491850aa0228882280713431c4c0d703134c1c4d056596595a189298626a41a989268624a5347174d1d5c"
        + "357471d4d1c50b23832c8c0eb03238c2c8e05aa566999669a8a28a2a575d75d51b4b632787936c2d8d9c1e4e"
        + "b1b436727839c6d2d8c9e1e40ff033ccc33ca9a69a6a5b67976d9d5eb57679d6d9e5a38b2b8e2eac3ab8b2e8"
        + "e2caf1cd3dc737f41fdcd37c734faaa79b6b9e6ead7ab9b6e9e6da5ff577ddd77df2ce3ecb3bf82fece3bcb3"
        + "8fabaebaeaf6de7edb7bf96fede7bdb79ffcf3cf3faffabbeeebbefdf7df7ffefbefbfff"
  };

  private static final long NEGABINARY = 0xAAAAAAAAAAAAAAAAL;

  private final int[] order;
  private final int dimensions;
  private final int width;
  private final long[] planes;

  /**
   * Creates a decoder.
   *
   * @param dimensions the number of dimensions, 1 to 4
   * @param width the number of bits of an integer, 32 or 64
   */
  ZfpIntegers(int dimensions, int width) {
    this.dimensions = dimensions;
    this.width = width;
    String digits = ORDERS[dimensions - 1];
    order = new int[digits.length() / 2];
    for (int i = 0; i < order.length; i++) {
      order[i] = Integer.parseInt(digits, 2 * i, 2 * i + 2, 16);
    }
    planes = new long[order.length];
  }

  /** {@return the number of values of a block} */
  int size() {
    return order.length;
  }

  /**
   * Decodes a block whose number of bit planes is known.
   *
   * @param bits the stream
   * @param least the least number of bits of the block
   * @param most the greatest number of bits of the block
   * @param precision the greatest number of bit planes
   * @param values receives the values; integers of 32 bits extended
   */
  void decode(ZfpBits bits, int least, int most, int precision, long[] values) {
    int used = coefficients(bits, most, precision);
    bits.skip(Math.max(0, least - used));
    inOrder(values);
    for (int d = dimensions - 1; d >= 0; d--) {
      lift(values, 1 << 2 * d, false);
    }
  }

  /**
   * Decodes a block that was stored without loss; the number of its bit planes comes first.
   *
   * @param bits the stream
   * @param least the least number of bits of the block
   * @param most the greatest number of bits of the block
   * @param values receives the values; integers of 32 bits extended
   */
  void decodeReversible(ZfpBits bits, int least, int most, long[] values) {
    int header = width == 32 ? 5 : 6;
    int precision = (int) bits.read(header) + 1;
    int used = header + coefficients(bits, most - header, precision);
    bits.skip(Math.max(0, least - used));
    inOrder(values);
    for (int d = dimensions - 1; d >= 0; d--) {
      lift(values, 1 << 2 * d, true);
    }
  }

  /** Reads bit planes, the highest first; returns the number of bits read. */
  private int coefficients(ZfpBits bits, int most, int precision) {
    int size = planes.length;
    int last = Math.max(0, width - precision);
    int left = Math.max(0, most);
    int known = 0;
    Arrays.fill(planes, 0);
    for (int plane = width - 1; plane >= last && left > 0; plane--) {
      int verbatim = Math.min(known, left);
      left -= verbatim;
      verbatim(bits, verbatim, plane);
      while (left > 0 && known < size) {
        left--;
        if (bits.bit() == 0) {
          break;
        }
        while (left > 0 && known < size - 1) {
          left--;
          if (bits.bit() != 0) {
            break;
          }
          known++;
        }
        planes[known++] |= 1L << plane;
      }
    }
    return Math.max(0, most) - left;
  }

  private void verbatim(ZfpBits bits, int count, int plane) {
    for (int from = 0; from < count; from += Long.SIZE) {
      int here = Math.min(Long.SIZE, count - from);
      long ones = bits.read(here);
      while (ones != 0) {
        planes[from + Long.numberOfTrailingZeros(ones)] |= 1L << plane;
        ones &= ones - 1;
      }
    }
  }

  /** Converts negabinary coefficients to integers, and puts them where they belong. */
  private void inOrder(long[] values) {
    long mask = width == 32 ? NEGABINARY >>> 32 : NEGABINARY;
    for (int i = 0; i < planes.length; i++) {
      long value = (planes[i] ^ mask) - mask;
      values[order[i]] = width == 32 ? (int) value : value;
    }
  }

  /** Transforms all lines of 4 values that are {@code stride} apart. */
  private void lift(long[] values, int stride, boolean reversible) {
    for (int i = 0; i < values.length; i++) {
      if ((i / stride & 3) == 0) {
        if (reversible) {
          liftReversible(values, i, stride);
        } else if (width == 32) {
          liftInts(values, i, stride);
        } else {
          liftLongs(values, i, stride);
        }
      }
    }
  }

  private void liftReversible(long[] p, int at, int stride) {
    long x = p[at];
    long y = p[at + stride];
    long z = p[at + 2 * stride];
    long w = p[at + 3 * stride];
    w += z;
    z += y;
    w += z;
    y += x;
    z += y;
    w += z;
    boolean narrow = width == 32;
    p[at + stride] = narrow ? (int) y : y;
    p[at + 2 * stride] = narrow ? (int) z : z;
    p[at + 3 * stride] = narrow ? (int) w : w;
  }

  private static void liftInts(long[] p, int at, int stride) {
    int x = (int) p[at];
    int y = (int) p[at + stride];
    int z = (int) p[at + 2 * stride];
    int w = (int) p[at + 3 * stride];
    y += w >> 1;
    w -= y >> 1;
    y += w;
    w -= y - w;
    z += x;
    x -= z - x;
    y += z;
    z -= y - z;
    w += x;
    x -= w - x;
    p[at] = x;
    p[at + stride] = y;
    p[at + 2 * stride] = z;
    p[at + 3 * stride] = w;
  }

  private static void liftLongs(long[] p, int at, int stride) {
    long x = p[at];
    long y = p[at + stride];
    long z = p[at + 2 * stride];
    long w = p[at + 3 * stride];
    y += w >> 1;
    w -= y >> 1;
    y += w;
    w -= y - w;
    z += x;
    x -= z - x;
    y += z;
    z -= y - z;
    w += x;
    x -= w - x;
    p[at] = x;
    p[at + stride] = y;
    p[at + 2 * stride] = z;
    p[at + 3 * stride] = w;
  }
}
