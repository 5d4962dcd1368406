package org.hyperslab.format.type.convert;

import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.type.BitPadding;
import org.hyperslab.format.type.BitfieldType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Endian;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.Normalization;

/**
 * Reads and writes one number of any layout with at most 128 significant bits as a {@link
 * WideNumber}: the path for layouts without a corresponding primitive type in Java.
 *
 * <p>An exponent with all bits set means infinity or NaN in every floating-point layout, including
 * VAX, as in the C library's software conversion.
 *
 * <p>Thread rule: immutable.
 */
sealed interface NumberFormat {

  /** Reads the element at {@code at}. */
  void read(byte[] source, int at, WideNumber out);

  /** Writes the element at {@code at}, including padding; {@code in} is modified. */
  void write(WideNumber in, byte[] target, int at);

  /**
   * Returns whether a number is in the range defined by {@link NumberRange}; the number is
   * modified.
   */
  boolean holds(WideNumber in);

  /** Returns the format of an integer, bitfield or floating-point type. */
  static NumberFormat of(Datatype type) {
    return switch (type) {
      case IntegerType t -> new IntegerFormat(limited(t, t.precision()));
      case BitfieldType t ->
          new IntegerFormat(
              limited(
                  new IntegerType(
                      t.size(),
                      t.order(),
                      false,
                      t.precision(),
                      t.offset(),
                      t.lowPadding(),
                      t.highPadding()),
                  t.precision()));
      case FloatType t -> {
        if (t.fields().exponentSize() > 30 || t.fields().exponentBias() > 1 << 30) {
          throw unsupported(t, "an exponent of at most 30 bits");
        }
        yield new FloatFormat(limited(t, t.fields().mantissaSize() + 1));
      }
      default -> throw new IllegalArgumentException(type.describe());
    };
  }

  private static <T extends Datatype> T limited(T type, int bits) {
    if (bits > 128) {
      throw unsupported(type, "at most 128 significant bits");
    }
    return type;
  }

  private static UnsupportedFeatureException unsupported(Datatype type, String expected) {
    return new UnsupportedFeatureException(
        "number layout: actual=" + type.describe() + ", expected=" + expected);
  }

  /** Returns the offset, from an element's first byte, of its byte of significance {@code k}. */
  static int place(int size, Endian order, int k) {
    return switch (order) {
      case LITTLE -> k;
      case BIG -> size - 1 - k;
      case VAX -> size - 2 - (k & ~1) + (k & 1);
    };
  }

  /**
   * Returns at most 64 bits of an element from bit {@code position} on, least significant first.
   */
  static long bits(byte[] source, int at, Datatype type, int position, int length) {
    int size = type.size();
    Endian order = order(type);
    int shift = position & 7;
    int k = position >>> 3;
    long value = (source[at + place(size, order, k)] & 0xFFL) >>> shift;
    for (int have = 8 - shift; have < length; have += 8) {
      k++;
      value |= (source[at + place(size, order, k)] & 0xFFL) << have;
    }
    return value & WideNumber.ones(length);
  }

  /** Replaces at most 64 bits of an element. */
  static void setBits(byte[] target, int at, Datatype type, int position, int length, long value) {
    int size = type.size();
    Endian order = order(type);
    int k = position >>> 3;
    int shift = position & 7;
    long left = value;
    int remaining = length;
    while (remaining > 0) {
      int take = Math.min(8 - shift, remaining);
      int mask = ((1 << take) - 1) << shift;
      int index = at + place(size, order, k);
      target[index] = (byte) ((target[index] & ~mask) | ((int) (left << shift) & mask));
      left = take == 64 ? 0 : left >>> take;
      remaining -= take;
      shift = 0;
      k++;
    }
  }

  /** Returns all bits of an element of at most eight bytes. */
  static long raw(byte[] source, int at, int size, Endian order) {
    long value = 0;
    switch (order) {
      case LITTLE -> {
        for (int k = size - 1; k >= 0; k--) {
          value = value << 8 | (source[at + k] & 0xFF);
        }
      }
      case BIG -> {
        for (int k = 0; k < size; k++) {
          value = value << 8 | (source[at + k] & 0xFF);
        }
      }
      case VAX -> {
        for (int k = 0; k < size; k++) {
          value = value << 8 | (source[at + (k ^ 1)] & 0xFF);
        }
      }
    }
    return value;
  }

  /** Writes all bits of an element of at most eight bytes. */
  static void setRaw(byte[] target, int at, int size, Endian order, long value) {
    for (int k = 0; k < size; k++) {
      target[at + place(size, order, k)] = (byte) (value >>> (8 * k));
    }
  }

  private static Endian order(Datatype type) {
    return switch (type) {
      case IntegerType t -> t.order();
      case FloatType t -> t.order();
      default -> Endian.LITTLE;
    };
  }

  /** Reads up to 128 bits into the magnitude. */
  static void magnitude(byte[] source, int at, Datatype type, long span, WideNumber out) {
    int position = (int) (span >>> 32);
    int length = (int) span;
    out.low = bits(source, at, type, position, Math.min(64, length));
    out.high = length > 64 ? bits(source, at, type, position + 64, length - 64) : 0;
  }

  /** Writes up to 128 bits of the magnitude. */
  static void setMagnitude(byte[] target, int at, Datatype type, long span, WideNumber in) {
    int position = (int) (span >>> 32);
    int length = (int) span;
    setBits(target, at, type, position, Math.min(64, length), in.low);
    if (length > 64) {
      setBits(target, at, type, position + 64, length - 64, in.high);
    }
  }

  /** Packs the position and the length of a field in one long. */
  static long span(int position, int length) {
    return (long) position << 32 | length;
  }

  /**
   * The format of two's-complement and unsigned integers, and of bitfields, which count as unsigned
   * integers.
   */
  final class IntegerFormat implements NumberFormat {

    private final IntegerType type;
    private final long field;
    private final byte[] padding;
    private final long rawPadding;

    IntegerFormat(IntegerType type) {
      this.type = type;
      this.field = span(type.offset(), type.precision());
      this.padding = new byte[type.size()];
      fill(padding, type, 0, type.offset(), type.lowPadding());
      int top = type.offset() + type.precision();
      fill(padding, type, top, 8 * type.size() - top, type.highPadding());
      this.rawPadding = type.size() > 8 ? 0 : raw(padding, 0, type.size(), type.order());
    }

    @Override
    public void read(byte[] source, int at, WideNumber out) {
      if (type.size() <= 8) {
        long raw = raw(source, at, type.size(), type.order());
        out.high = 0;
        out.low = raw >>> type.offset() & WideNumber.ones(type.precision());
      } else {
        magnitude(source, at, type, field, out);
      }
      int bits = type.precision();
      boolean negative =
          type.signed()
              && ((bits > 64 ? out.high >>> (bits - 65) : out.low >>> (bits - 1)) & 1) != 0;
      if (negative) {
        out.negate(bits);
      }
      out.set(WideNumber.Kind.FINITE, negative, 0);
    }

    @Override
    public void write(WideNumber in, byte[] target, int at) {
      clip(in);
      if (in.negative) {
        in.negate(type.precision());
      }
      if (type.size() <= 8) {
        long raw = rawPadding | in.low << type.offset();
        setRaw(target, at, type.size(), type.order(), raw);
        return;
      }
      System.arraycopy(padding, 0, target, at, padding.length);
      setMagnitude(target, at, type, field, in);
    }

    @Override
    public boolean holds(WideNumber in) {
      if (in.kind != WideNumber.Kind.FINITE) {
        return false;
      }
      if (in.exponent < 0) {
        in.shiftRight(-in.exponent);
      } else if (!in.isZero() && in.exponent > 0) {
        if ((long) in.bitLength() + in.exponent > 128) {
          return false;
        }
        in.shiftLeft(in.exponent);
      }
      int limit = type.signed() ? type.precision() - 1 : type.precision();
      if (!in.negative || in.isZero()) {
        return in.bitLength() <= limit;
      }
      boolean least = in.bitLength() == limit + 1 && in.isPowerOfTwo();
      return type.signed() && (in.bitLength() <= limit || least);
    }

    /** Truncates toward zero and clips the magnitude to the range of the type. */
    private void clip(WideNumber in) {
      if (in.kind == WideNumber.Kind.NAN || (in.negative && !type.signed())) {
        in.high = 0;
        in.low = 0;
        in.negative = false;
        return;
      }
      boolean over = in.kind == WideNumber.Kind.INFINITE;
      if (!over && in.exponent < 0) {
        in.shiftRight(-in.exponent);
      } else if (!over && !in.isZero() && in.exponent > 0) {
        over = (long) in.bitLength() + in.exponent > 128;
        in.shiftLeft(in.exponent);
      }
      int limit = type.signed() ? type.precision() - 1 : type.precision();
      if (over || in.bitLength() > limit) {
        if (in.negative) {
          in.setBit(limit);
        } else {
          in.setOnes(limit);
        }
      }
      if (in.isZero()) {
        in.negative = false;
      }
    }
  }

  /** The format of binary floating-point numbers. */
  final class FloatFormat implements NumberFormat {

    private final FloatType type;
    private final FloatType.Fields fields;
    private final long mantissa;
    private final int exponentOnes;
    private final int significantBits;
    private final boolean implied;
    private final byte[] padding;
    private final long rawPadding;

    FloatFormat(FloatType type) {
      this.type = type;
      this.fields = type.fields();
      this.mantissa = span(fields.mantissaPosition(), fields.mantissaSize());
      this.exponentOnes = (1 << fields.exponentSize()) - 1;
      this.implied = fields.normalization() == Normalization.IMPLIED;
      this.significantBits = fields.mantissaSize() + (implied ? 1 : 0);
      this.padding = padding(type);
      this.rawPadding = type.size() > 8 ? 0 : raw(padding, 0, type.size(), type.order());
    }

    private static byte[] padding(FloatType type) {
      byte[] bytes = new byte[type.size()];
      int top = type.offset() + type.precision();
      fill(bytes, type, 0, type.offset(), type.padding().low());
      fill(bytes, type, type.offset(), type.precision(), type.padding().internal());
      fill(bytes, type, top, 8 * type.size() - top, type.padding().high());
      FloatType.Fields fields = type.fields();
      clear(bytes, type, fields.signPosition(), 1);
      clear(bytes, type, fields.exponentPosition(), fields.exponentSize());
      clear(bytes, type, fields.mantissaPosition(), fields.mantissaSize());
      return bytes;
    }

    @Override
    public void read(byte[] source, int at, WideNumber out) {
      boolean negative;
      int stored;
      if (type.size() <= 8) {
        long raw = raw(source, at, type.size(), type.order());
        out.high = 0;
        out.low = raw >>> fields.mantissaPosition() & WideNumber.ones(fields.mantissaSize());
        negative = (raw >>> fields.signPosition() & 1) != 0;
        stored = (int) (raw >>> fields.exponentPosition()) & exponentOnes;
      } else {
        magnitude(source, at, type, mantissa, out);
        negative = bits(source, at, type, fields.signPosition(), 1) != 0;
        stored = (int) bits(source, at, type, fields.exponentPosition(), fields.exponentSize());
      }
      if (stored == exponentOnes) {
        boolean infinite = out.isZero() || (!implied && leadingBitOnly(out));
        out.set(infinite ? WideNumber.Kind.INFINITE : WideNumber.Kind.NAN, negative, 0);
        out.shiftLeft(128 - fractionBits());
        return;
      }
      if (implied && stored != 0) {
        addBit(out, fields.mantissaSize());
      }
      int scale = Math.max(stored, 1) - (int) fields.exponentBias();
      out.set(WideNumber.Kind.FINITE, negative, scale - (significantBits - 1));
    }

    private boolean leadingBitOnly(WideNumber value) {
      int top = fields.mantissaSize() - 1;
      return top >= 64
          ? value.low == 0 && value.high == 1L << (top - 64)
          : value.high == 0 && value.low == 1L << top;
    }

    private static void addBit(WideNumber value, int bit) {
      if (bit >= 64) {
        value.high |= 1L << (bit - 64);
      } else {
        value.low |= 1L << bit;
      }
    }

    @Override
    public void write(WideNumber in, byte[] target, int at) {
      int stored =
          switch (in.kind) {
            case FINITE -> in.isZero() ? 0 : round(in);
            case INFINITE -> infinity(in);
            case NAN -> notANumber(in);
          };
      if (type.size() <= 8) {
        long raw =
            rawPadding
                | in.low << fields.mantissaPosition()
                | (long) stored << fields.exponentPosition()
                | (in.negative ? 1L << fields.signPosition() : 0);
        setRaw(target, at, type.size(), type.order(), raw);
        return;
      }
      System.arraycopy(padding, 0, target, at, padding.length);
      setBits(target, at, type, fields.signPosition(), 1, in.negative ? 1 : 0);
      setBits(target, at, type, fields.exponentPosition(), fields.exponentSize(), stored);
      setMagnitude(target, at, type, mantissa, in);
    }

    @Override
    public boolean holds(WideNumber in) {
      return in.kind != WideNumber.Kind.FINITE || in.isZero() || round(in) < exponentOnes;
    }

    /** Returns the number of bits of the mantissa after the leading one. */
    private int fractionBits() {
      return significantBits - 1;
    }

    /** Returns a quiet NaN with as many of the payload's high bits as there is room for. */
    private int notANumber(WideNumber in) {
      in.shiftRight(128 - fractionBits());
      if (fractionBits() > 0) {
        addBit(in, fractionBits() - 1);
      }
      if (!implied) {
        addBit(in, fields.mantissaSize() - 1);
      }
      return exponentOnes;
    }

    private int infinity(WideNumber in) {
      in.high = 0;
      in.low = 0;
      if (!implied) {
        addBit(in, fields.mantissaSize() - 1);
      }
      return exponentOnes;
    }

    /**
     * Rounds the magnitude to the significant bits and returns the stored exponent. Numbers beyond
     * the greatest finite number become infinite, even if they are nearer to that number, as in the
     * C library.
     */
    private int round(WideNumber in) {
      long scale = (long) in.exponent + in.bitLength() - 1 + fields.exponentBias();
      long unit = Math.max(scale, 1) - fields.exponentBias() - (significantBits - 1);
      long shift = unit - in.exponent;
      if (shift > 0) {
        if (scale == exponentOnes - 1 && in.exceedsOnes(significantBits, (int) shift)) {
          return infinity(in);
        }
        in.roundRight((int) Math.min(shift, 1000));
      } else {
        in.shiftLeft((int) -shift);
      }
      int length = in.bitLength();
      long stored = length < significantBits ? 0 : Math.max(scale, 1);
      if (length > significantBits) {
        in.shiftRight(1);
        stored++;
      }
      if (stored >= exponentOnes) {
        return infinity(in);
      }
      if (implied) {
        in.keep(fields.mantissaSize());
      }
      return (int) stored;
    }
  }

  private static void fill(
      byte[] target, Datatype type, int position, int length, BitPadding padding) {
    if (padding == BitPadding.ONE) {
      for (int bit = position; bit < position + length; bit++) {
        setBits(target, 0, type, bit, 1, 1);
      }
    }
  }

  private static void clear(byte[] target, Datatype type, int position, int length) {
    for (int bit = position; bit < position + length; bit++) {
      setBits(target, 0, type, bit, 1, 0);
    }
  }
}
