package org.hyperslab.format.type.convert;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.FloatType;

/**
 * Reads and writes single numbers of any layout as Java values, for dumps, attributes and tests.
 * For many elements use a {@link Converter}.
 *
 * <p>Values are converted as in {@link Converter}: they saturate, truncate and round.
 *
 * <p>Thread rule: immutable.
 */
public final class NumberCodec {

  private static final NumberFormat DOUBLE = NumberFormat.of(Datatypes.F64LE);
  private static final ValueLayout.OfDouble LITTLE_DOUBLE =
      ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  // Constants, because a layout created for each element would be looked up each time.
  private static final ValueLayout.OfShort LITTLE_SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfShort BIG_SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfInt LITTLE_INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt BIG_INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfLong LITTLE_LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong BIG_LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private final Datatype type;
  private final Optional<PrimitiveLayout> primitive;
  private final boolean floating;

  /** The general format, created on demand; layouts of Java's own types seldom need it. */
  private NumberFormat format;

  private NumberCodec(Datatype type) {
    this.type = type;
    this.primitive = PrimitiveLayout.of(type);
    this.floating = type instanceof FloatType;
    if (primitive.isEmpty()) {
      this.format = NumberFormat.of(type);
    }
  }

  /**
   * Returns the general format. Concurrent threads may each create one; formats are immutable and
   * equal.
   */
  private NumberFormat format() {
    NumberFormat made = format;
    if (made == null) {
      made = NumberFormat.of(type);
      format = made;
    }
    return made;
  }

  /**
   * {@return the codec of an integer, bitfield or floating-point type}
   *
   * @param type the datatype
   * @throws org.hyperslab.error.UnsupportedFeatureException for more than 128 significant bits
   */
  public static NumberCodec of(Datatype type) {
    return new NumberCodec(type);
  }

  /**
   * {@return the number, truncated and clipped to a long}
   *
   * @param elements the elements
   * @param at the byte offset of the element
   */
  public long getLong(MemorySegment elements, long at) {
    if (primitive.isPresent() && !floating) {
      return primitiveLong(primitive.get(), elements, at);
    }
    WideNumber real = read(elements, at);
    if (real.kind == WideNumber.Kind.FINITE
        && real.exponent == 0
        && real.high == 0
        && real.low >= 0) {
      return real.negative ? -real.low : real.low;
    }
    BigInteger value = toBigInteger(real);
    if (value.bitLength() < 64) {
      return value.longValue();
    }
    return value.signum() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
  }

  private static long primitiveLong(PrimitiveLayout layout, MemorySegment elements, long at) {
    return switch (layout.kind()) {
      case I8 -> elements.get(ValueLayout.JAVA_BYTE, at);
      case U8 -> elements.get(ValueLayout.JAVA_BYTE, at) & 0xFF;
      case I16 -> shorts(layout, elements, at);
      case U16 -> shorts(layout, elements, at) & 0xFFFF;
      case I32 -> ints(layout, elements, at);
      case U32 -> ints(layout, elements, at) & 0xFFFF_FFFFL;
      case I64 -> longs(layout, elements, at);
      case U64 -> {
        long value = longs(layout, elements, at);
        yield value < 0 ? Long.MAX_VALUE : value;
      }
      case F16, BF16, F32, F64 -> throw new IllegalStateException(layout.toString());
    };
  }

  private static short shorts(PrimitiveLayout layout, MemorySegment elements, long at) {
    return layout.order() == ByteOrder.BIG_ENDIAN
        ? elements.get(BIG_SHORT, at)
        : elements.get(LITTLE_SHORT, at);
  }

  private static int ints(PrimitiveLayout layout, MemorySegment elements, long at) {
    return layout.order() == ByteOrder.BIG_ENDIAN
        ? elements.get(BIG_INT, at)
        : elements.get(LITTLE_INT, at);
  }

  private static long longs(PrimitiveLayout layout, MemorySegment elements, long at) {
    return layout.order() == ByteOrder.BIG_ENDIAN
        ? elements.get(BIG_LONG, at)
        : elements.get(LITTLE_LONG, at);
  }

  /**
   * {@return the number, truncated to an integer; 0 for NaN, and 2^128 with its sign for an
   * infinity}
   *
   * @param elements the elements
   * @param at the byte offset of the element
   */
  public BigInteger getBigInteger(MemorySegment elements, long at) {
    if (primitive.isPresent() && !floating) {
      PrimitiveLayout layout = primitive.get();
      long value = primitiveLong(layout, elements, at);
      boolean clipped = layout.kind() == PrimitiveLayout.Kind.U64 && value == Long.MAX_VALUE;
      if (!clipped) {
        return BigInteger.valueOf(value);
      }
    }
    return toBigInteger(read(elements, at));
  }

  /**
   * {@return the number, rounded to nearest even}
   *
   * @param elements the elements
   * @param at the byte offset of the element
   */
  public double getDouble(MemorySegment elements, long at) {
    if (primitive.isPresent()) {
      switch (primitive.get().kind()) {
        case F64 -> {
          return Double.longBitsToDouble(longs(primitive.get(), elements, at));
        }
        case F32 -> {
          return Float.intBitsToFloat(ints(primitive.get(), elements, at));
        }
        case F16 -> {
          return Float.float16ToFloat(shorts(primitive.get(), elements, at));
        }
        case BF16 -> {
          return Float.intBitsToFloat(shorts(primitive.get(), elements, at) << 16);
        }
        case I8, U8, I16, U16, I32, U32, I64, U64 -> {
          // through the general path
        }
      }
    }
    WideNumber real = read(elements, at);
    byte[] bytes = new byte[8];
    DOUBLE.write(real, bytes, 0);
    return MemorySegment.ofArray(bytes).get(LITTLE_DOUBLE, 0);
  }

  /**
   * {@return the exact value; empty for infinities and NaN}
   *
   * @param elements the elements
   * @param at the byte offset of the element
   */
  public Optional<BigDecimal> getExact(MemorySegment elements, long at) {
    WideNumber real = read(elements, at);
    if (real.kind != WideNumber.Kind.FINITE) {
      return Optional.empty();
    }
    BigDecimal value = new BigDecimal(magnitude(real));
    BigDecimal power = new BigDecimal(BigInteger.TWO.pow(Math.abs(real.exponent)));
    BigDecimal scaled =
        real.exponent < 0
            ? value.divide(power, -real.exponent, RoundingMode.UNNECESSARY)
            : value.multiply(power);
    return Optional.of(real.negative ? scaled.negate() : scaled);
  }

  /**
   * Writes an integer; magnitudes of more than 128 bits saturate.
   *
   * @param elements the elements
   * @param at the byte offset of the element
   * @param value the value
   */
  public void setBigInteger(MemorySegment elements, long at, BigInteger value) {
    write(real(value), elements, at);
  }

  private static WideNumber real(BigInteger value) {
    WideNumber real = new WideNumber();
    real.set(WideNumber.Kind.FINITE, value.signum() < 0, 0);
    BigInteger magnitude = value.abs();
    if (magnitude.bitLength() > 128) {
      real.kind = WideNumber.Kind.INFINITE;
    } else {
      real.low = magnitude.longValue();
      real.high = magnitude.shiftRight(64).longValue();
    }
    return real;
  }

  /**
   * Writes a double.
   *
   * @param elements the elements
   * @param at the byte offset of the element
   * @param value the value
   */
  public void setDouble(MemorySegment elements, long at, double value) {
    write(real(value), elements, at);
  }

  private static WideNumber real(double value) {
    byte[] bytes = new byte[8];
    MemorySegment.ofArray(bytes).set(LITTLE_DOUBLE, 0, value);
    WideNumber real = new WideNumber();
    DOUBLE.read(bytes, 0, real);
    return real;
  }

  /**
   * {@return whether an integer is in the range of the type, as defined by {@link NumberRange}}
   *
   * @param value the value
   */
  public boolean holds(BigInteger value) {
    WideNumber real = real(value);
    return floating
        ? real.kind == WideNumber.Kind.FINITE && format().holds(real)
        : format().holds(real);
  }

  /**
   * {@return whether a double is in the range of the type, as defined by {@link NumberRange}}
   *
   * @param value the value
   */
  public boolean holds(double value) {
    return format().holds(real(value));
  }

  private WideNumber read(MemorySegment elements, long at) {
    byte[] bytes = elements.asSlice(at, type.size()).toArray(ValueLayout.JAVA_BYTE);
    WideNumber real = new WideNumber();
    format().read(bytes, 0, real);
    return real;
  }

  private void write(WideNumber real, MemorySegment elements, long at) {
    byte[] bytes = new byte[type.size()];
    format().write(real, bytes, 0);
    MemorySegment.copy(bytes, 0, elements, ValueLayout.JAVA_BYTE, at, bytes.length);
  }

  private static BigInteger magnitude(WideNumber real) {
    BigInteger low = new BigInteger(1, longBytes(real.low));
    return new BigInteger(1, longBytes(real.high)).shiftLeft(64).or(low);
  }

  private static byte[] longBytes(long value) {
    return ByteBuffer.allocate(8).putLong(value).array();
  }

  private static BigInteger toBigInteger(WideNumber real) {
    BigInteger value =
        switch (real.kind) {
          case NAN -> BigInteger.ZERO;
          case INFINITE -> BigInteger.ONE.shiftLeft(128);
          case FINITE -> magnitude(real).shiftLeft(real.exponent);
        };
    return real.negative ? value.negate() : value;
  }
}
