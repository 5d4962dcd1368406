package org.hyperslab.convert.zarr.codec;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.jspecify.annotations.Nullable;

/**
 * A number as NumPy stores it, for filters that compute with elements.
 *
 * @param kind {@code i}, {@code u}, {@code f} or {@code b}, as in NumPy's names of types
 * @param bytes of a number: 1, 2, 4 or 8
 * @param order the order of its bytes
 */
record NumberForm(char kind, int bytes, ByteOrder order) {

  private static final double TWO_TO_63 = 0x1p63;

  /**
   * Parses NumPy's name of a type, such as {@code <f4}.
   *
   * @param descr the name
   * @param file what it is in, for messages
   * @throws UnsupportedFeatureException if it is not the name of an integer, a truth value or a
   *     real number
   */
  static NumberForm of(@Nullable Object descr, String file) {
    if (!(descr instanceof String name) || !name.matches("[<>|=]?([iu][1248]|f[248]|b1)")) {
      throw new UnsupportedFeatureException(
          "filter of Zarr: actual=the type " + descr + ", expected=that of numbers, at=" + file);
    }
    String code = name.length() == 3 ? name.substring(1) : name;
    ByteOrder order = name.startsWith(">") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    return new NumberForm(code.charAt(0), code.charAt(1) - '0', order);
  }

  NumberForm withOrder(ByteOrder newOrder) {
    return new NumberForm(kind, bytes, newOrder);
  }

  boolean isReal() {
    return kind == 'f';
  }

  /** Returns an integer; the bits of one of 64 bits without sign. */
  long whole(ByteBuffer from, int index) {
    int at = index * bytes;
    long value =
        switch (bytes) {
          case 1 -> from.get(at);
          case 2 -> from.getShort(at);
          case 4 -> from.getInt(at);
          default -> from.getLong(at);
        };
    return kind == 'i' || bytes == 8 ? value : value & (1L << 8 * bytes) - 1;
  }

  /** Returns a number as the nearest double. */
  double real(ByteBuffer from, int index) {
    int at = index * bytes;
    if (!isReal()) {
      return ofWhole(whole(from, index));
    }
    return switch (bytes) {
      case 2 -> Float.float16ToFloat(from.getShort(at));
      case 4 -> from.getFloat(at);
      default -> from.getDouble(at);
    };
  }

  private double ofWhole(long value) {
    boolean large = kind == 'u' && bytes == 8 && value < 0;
    return large ? (double) (value >>> 1 | value & 1) * 2 : value;
  }

  /** Puts an integer, of which as many bits are kept as there is room for. */
  void put(ByteBuffer to, int index, long value) {
    int at = index * bytes;
    switch (bytes) {
      case 1 -> to.put(at, (byte) (kind == 'b' && value != 0 ? 1 : value));
      case 2 -> to.putShort(at, (short) value);
      case 4 -> to.putInt(at, (int) value);
      default -> to.putLong(at, value);
    }
  }

  /**
   * Puts a number; an integer is cut towards zero.
   *
   * @throws CorruptFileException if this is an integer that does not hold it
   */
  void put(ByteBuffer to, int index, double value, String file) {
    int at = index * bytes;
    if (!isReal()) {
      put(to, index, cut(value, file));
      return;
    }
    switch (bytes) {
      case 2 -> to.putShort(at, Float.floatToFloat16(roundedToOdd(value)));
      case 4 -> to.putFloat(at, (float) value);
      default -> to.putDouble(at, value);
    }
  }

  /** Converts a number of another form as NumPy's {@code astype} does. */
  void convert(NumberForm other, ByteBuffer from, ByteBuffer to, int index, String file) {
    if (other.isReal() || bytes == 8 && isReal()) {
      put(to, index, other.real(from, index), file);
    } else if (isReal()) {
      put(to, index, other.nearestFloat(other.whole(from, index)), file);
    } else {
      put(to, index, other.whole(from, index));
    }
  }

  /** Rounds once, where a double in between would round twice. */
  private float nearestFloat(long value) {
    boolean large = kind == 'u' && bytes == 8 && value < 0;
    return large ? (float) (value >>> 1 | value & 1) * 2 : (float) value;
  }

  private long cut(double value, String file) {
    double whole = value < 0 ? Math.ceil(value) : Math.floor(value);
    int bits = kind == 'i' ? 8 * bytes - 1 : kind == 'b' ? 1 : 8 * bytes;
    double least = kind == 'i' ? -Math.scalb(1.0, bits) : 0;
    if (!(whole >= least && whole < Math.scalb(1.0, bits))) {
      throw new CorruptFileException(
          file,
          "filter of Zarr",
          CorruptFileException.NO_OFFSET,
          "actual=" + value + ", expected=a number that " + kind + bytes + " holds");
    }
    return whole >= TWO_TO_63 ? (long) (whole - TWO_TO_63) ^ Long.MIN_VALUE : (long) whole;
  }

  /** A float whose rounding to half precision is that of the double. */
  private static float roundedToOdd(double value) {
    float nearest = (float) value;
    if (nearest == value || Double.isNaN(value) || Float.isInfinite(nearest)) {
      return nearest;
    }
    boolean beyond = Math.abs((double) nearest) > Math.abs(value);
    int bits = Float.floatToRawIntBits(nearest) - (beyond ? 1 : 0);
    return Float.intBitsToFloat(bits | 1);
  }
}
