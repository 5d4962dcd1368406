package org.hyperslab.format.filter.library;

import java.util.Arrays;
import org.hyperslab.format.filter.FilterOutput;
import org.hyperslab.format.filter.MalformedDataException;
import org.hyperslab.format.filter.Span;
import org.hyperslab.format.filter.coder.BitReader;
import org.hyperslab.format.filter.coder.BitWriter;
import org.hyperslab.format.filter.coder.NumberBytes;

/**
 * The scale-offset algorithm for one set of client data; see {@link ScaleOffsetFilter}.
 *
 * <p>Numbers are processed as longs: integers sign- or zero-extended, floating-point numbers as
 * their bits.
 */
final class ScaleOffsetCodec {

  /** The size of the encoded form's header in bytes. */
  static final int HEADER_BYTES = 21;

  private static final int MINIMUM_AT = 5;
  private static final int VALUES = 20;

  private final int factor;
  private final long elements;
  private final boolean isFloat;
  private final int size;
  private final boolean signed;
  private final boolean bigEndian;
  private final boolean hasFill;
  private final long fill;
  private final int fullBits;

  private ScaleOffsetCodec(int[] values) {
    this.isFloat = values[3] == 1;
    this.size = values[4];
    this.fullBits = size * 8;
    this.factor = isFloat ? values[1] : Math.max(0, values[1]);
    this.elements = Integer.toUnsignedLong(values[2]);
    this.signed = values[5] == 1;
    this.bigEndian = values[6] == 1;
    this.hasFill = values[7] == 1;
    this.fill = extend(Integer.toUnsignedLong(values[8]) | (long) values[9] << 32);
  }

  /** Returns the codec for client data from a file, which may contain any values. */
  static ScaleOffsetCodec of(int[] values) throws MalformedDataException {
    boolean good = values.length == VALUES && (values[3] == 0 || values[3] == 1);
    if (good) {
      int size = values[4];
      good =
          values[3] == 1
              ? values[0] == ScaleOffsetFilter.FLOAT_D_SCALE && (size == 4 || size == 8)
              : values[0] == ScaleOffsetFilter.INTEGER
                  && (size == 1 || size == 2 || size == 4 || size == 8)
                  && values[1] <= size * 8;
    }
    if (!good) {
      throw new MalformedDataException(
          "parameters: actual="
              + Arrays.toString(values)
              + ", expected=the parameters of "
              + "scale-offset");
    }
    return new ScaleOffsetCodec(values);
  }

  /** Returns whether the data is stored unchanged, without a header. */
  boolean passes() {
    return !isFloat && factor == fullBits;
  }

  private long extend(long bits) {
    int unused = 64 - fullBits;
    return signed ? bits << unused >> unused : bits << unused >>> unused;
  }

  private long load(byte[] array, int at) {
    return extend(NumberBytes.load(array, at, size, bigEndian));
  }

  private boolean less(long a, long b) {
    return signed ? a < b : Long.compareUnsigned(a, b) < 0;
  }

  int encode(Span source, FilterOutput out) throws MalformedDataException {
    if (elements * size != source.length()) {
      throw new MalformedDataException(
          "chunk: actual="
              + source.length()
              + " bytes, expected="
              + elements
              + " elements of "
              + size);
    }
    Range range = isFloat ? floatRange(source) : integerRange(source);
    long packedBytes = range.bits == fullBits ? source.length() : elements * range.bits / 8 + 1;
    int length = Math.toIntExact(HEADER_BYTES + packedBytes);
    byte[] target = out.array(length);
    int start = out.arrayOffset();
    Arrays.fill(target, start, start + HEADER_BYTES, (byte) 0);
    NumberBytes.store(target, start, 4, false, range.bits);
    target[start + 4] = 8;
    NumberBytes.store(target, start + MINIMUM_AT, 8, false, range.minimum);
    int data = start + HEADER_BYTES;
    if (range.bits == fullBits) {
      reorder(source.array(), source.offset(), target, data, source.length());
      return length;
    }
    BitWriter bits = new BitWriter(target, data, data + (int) packedBytes);
    if (range.bits > 0 && isFloat) {
      packFloats(source, range, bits);
    } else if (range.bits > 0) {
      packIntegers(source, range, bits);
    }
    int made = bits.finish();
    Arrays.fill(target, data + made, start + length, (byte) 0);
    return length;
  }

  /** Copies numbers between the dataset's byte order and little-endian. */
  private void reorder(byte[] from, int at, byte[] to, int toAt, int length) {
    if (!bigEndian || size == 1) {
      System.arraycopy(from, at, to, toAt, length);
      return;
    }
    for (int i = 0; i < length; i += size) {
      NumberBytes.store(to, toAt + i, size, true, NumberBytes.load(from, at + i, size, false));
    }
  }

  /** The content of the header: the number of bits of a number, and the minimum as a long. */
  private record Range(int bits, long minimum) {}

  private Range integerRange(Span source) {
    boolean any = false;
    long min = 0;
    long max = 0;
    byte[] array = source.array();
    for (int at = source.offset(); at < source.end(); at += size) {
      long value = load(array, at);
      if (hasFill && value == fill) {
        continue;
      }
      if (!any || less(value, min)) {
        min = value;
      }
      if (!any || less(max, value)) {
        max = value;
      }
      any = true;
    }
    if (factor > 0) {
      return new Range(factor, min);
    }
    long mask = -1L >>> (64 - fullBits);
    long difference = (max - min) & mask;
    if (Long.compareUnsigned(difference, mask - 2) > 0) {
      return new Range(fullBits, 0);
    }
    return new Range(ceilingLog2(difference + (hasFill ? 2 : 1)), min);
  }

  private void packIntegers(Span source, Range range, BitWriter bits)
      throws MalformedDataException {
    byte[] array = source.array();
    for (int at = source.offset(); at < source.end(); at += size) {
      long value = load(array, at);
      bits.write(hasFill && value == fill ? -1L : value - range.minimum, range.bits);
    }
  }

  /** Returns the least n such that 2^n is at least {@code value}, an unsigned number from 1. */
  private static int ceilingLog2(long value) {
    return value == 1 ? 0 : 64 - Long.numberOfLeadingZeros(value - 1);
  }

  private double floatAt(byte[] array, int at) {
    return asDouble(NumberBytes.load(array, at, size, bigEndian));
  }

  private double asDouble(long bits) {
    return size == 4 ? Float.intBitsToFloat((int) bits) : Double.longBitsToDouble(bits);
  }

  /** Returns 10^D in the precision of the numbers. */
  private double power() {
    double power = Math.pow(10, factor);
    return size == 4 ? (float) power : power;
  }

  private boolean isFill(double value, double fillValue, double tolerance) {
    double difference =
        size == 4 ? Math.abs((float) value - (float) fillValue) : Math.abs(value - fillValue);
    return difference < tolerance;
  }

  /** Returns value × power - minimum × power, with each step rounded to the numbers' precision. */
  private double scaled(double value, double minimum, double power) {
    return size == 4
        ? (float) value * (float) power - (float) minimum * (float) power
        : value * power - minimum * power;
  }

  private Range floatRange(Span source) {
    double fillValue = asDouble(fill);
    double tolerance = Math.pow(10, -factor);
    boolean any = false;
    double min = 0;
    double max = 0;
    byte[] array = source.array();
    for (int at = source.offset(); at < source.end(); at += size) {
      double value = floatAt(array, at);
      if (!Double.isFinite(value)) {
        return new Range(fullBits, 0);
      }
      if (hasFill && isFill(value, fillValue, tolerance)) {
        continue;
      }
      min = any ? Math.min(min, value) : value;
      max = any ? Math.max(max, value) : value;
      any = true;
    }
    double span = round(scaled(max, min, power()));
    long minimum =
        size == 4
            ? Float.floatToRawIntBits((float) min) & 0xFFFF_FFFFL
            : Double.doubleToRawLongBits(min);
    if (!(span < (size == 4 ? 0x1p31 : 0x1p62))) {
      return new Range(fullBits, 0);
    }
    int bits = ceilingLog2((long) span + (hasFill ? 2 : 1));
    return new Range(Math.min(bits, fullBits), minimum);
  }

  private void packFloats(Span source, Range range, BitWriter bits) throws MalformedDataException {
    double power = power();
    double minimum = asDouble(range.minimum);
    double fillValue = asDouble(fill);
    double tolerance = Math.pow(10, -factor);
    byte[] array = source.array();
    for (int at = source.offset(); at < source.end(); at += size) {
      double value = floatAt(array, at);
      boolean filled = hasFill && isFill(value, fillValue, tolerance);
      bits.write(filled ? -1L : (long) round(scaled(value, minimum, power)), range.bits);
    }
  }

  /** Rounds to the nearest integer, halves away from zero, like C's round. */
  private static double round(double value) {
    double floor = Math.floor(Math.abs(value));
    double rounded = Math.abs(value) - floor >= 0.5 ? floor + 1 : floor;
    return value < 0 ? -rounded : rounded;
  }

  int decode(Span source, FilterOutput out) throws MalformedDataException {
    if (source.length() < HEADER_BYTES) {
      throw new MalformedDataException(
          "header: actual=" + source.length() + " bytes, expected=at least " + HEADER_BYTES);
    }
    byte[] stored = source.array();
    long bits = NumberBytes.load(stored, source.offset(), 4, false);
    if (bits > fullBits) {
      throw new MalformedDataException(
          "bits per number: actual=" + bits + ", expected=at most " + fullBits);
    }
    int minimumBytes = Math.min(8, stored[source.offset() + 4] & 0xFF);
    long minimum =
        minimumBytes == 0
            ? 0
            : NumberBytes.load(stored, source.offset() + MINIMUM_AT, minimumBytes, false);
    long length = elements * size;
    Span packed = source.slice(HEADER_BYTES, source.length() - HEADER_BYTES);
    if (packed.length() < (elements * bits + 7) / 8) {
      throw new MalformedDataException(
          "numbers: actual="
              + packed.length()
              + " bytes, expected="
              + elements
              + " numbers of "
              + bits
              + " bits");
    }
    byte[] target = out.array(length);
    int start = out.arrayOffset();
    int end = start + (int) length;
    if (bits == fullBits) {
      reorder(packed.array(), packed.offset(), target, start, (int) length);
    } else if (isFloat) {
      unpackFloats(packed, new Range((int) bits, minimum), target, start, end);
    } else {
      unpackIntegers(packed, new Range((int) bits, minimum), target, start, end);
    }
    return (int) length;
  }

  private void unpackIntegers(Span packed, Range range, byte[] target, int start, int end)
      throws MalformedDataException {
    BitReader reader = new BitReader(packed);
    long fillCode = hasFill ? (1L << range.bits) - 1 : -1;
    for (int at = start; at < end; at += size) {
      long code = reader.read(range.bits);
      long value = code == fillCode ? fill : code + range.minimum;
      NumberBytes.store(target, at, size, bigEndian, value);
    }
  }

  private void unpackFloats(Span packed, Range range, byte[] target, int start, int end)
      throws MalformedDataException {
    BitReader reader = new BitReader(packed);
    long fillCode = hasFill ? (1L << range.bits) - 1 : -1;
    double power = power();
    double minimum = asDouble(range.minimum);
    for (int at = start; at < end; at += size) {
      long code = reader.read(range.bits);
      long value =
          code == fillCode
              ? fill
              : size == 4
                  ? Float.floatToRawIntBits((float) code / (float) power + (float) minimum)
                  : Double.doubleToRawLongBits(code / power + minimum);
      NumberBytes.store(target, at, size, bigEndian, value);
    }
  }
}
