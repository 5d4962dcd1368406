package org.hyperslab.format.type.value;

import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Optional;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.type.ComplexType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.VlenHeap;
import org.hyperslab.format.type.convert.NumberCodec;

/** Numbers as Java values. */
final class NumberNodes {

  private NumberNodes() {}

  /** Writes any Java number; booleans as 0 and 1, characters as their code. */
  private static void putNumber(
      NumberCodec codec, Datatype type, Object value, MemorySegment elements, long at) {
    switch (value) {
      case BigInteger v -> codec.setBigInteger(elements, at, v);
      case BigDecimal v -> codec.setDouble(elements, at, v.doubleValue());
      case Double v -> codec.setDouble(elements, at, v);
      case Float v -> codec.setDouble(elements, at, v);
      case Number v -> codec.setLong(elements, at, v.longValue());
      case Boolean v -> codec.setLong(elements, at, v ? 1 : 0);
      case Character v -> codec.setLong(elements, at, v);
      case null, default -> throw Node.mismatch(value, type);
    }
  }

  /** Integers, bitfields and times. */
  static final class OfInteger implements Node {
    private final Datatype type;
    private final NumberCodec codec;
    private final int valueBits;
    private final boolean rawLong;

    OfInteger(Datatype type, boolean signed, int precision, Unsigned64 unsigned) {
      this.type = type;
      this.codec = NumberCodec.of(type);
      this.valueBits = signed ? precision - 1 : precision;
      this.rawLong = valueBits == 64 && unsigned == Unsigned64.RAW_LONG;
    }

    @Override
    public Object get(MemorySegment elements, long at, VlenHeap heap) {
      if (valueBits <= 31) {
        return (int) codec.getLong(elements, at);
      }
      if (valueBits <= 63) {
        return codec.getLong(elements, at);
      }
      BigInteger value = codec.getBigInteger(elements, at);
      return rawLong ? (Object) value.longValue() : value;
    }

    @Override
    public void put(Object value, MemorySegment elements, long at, VlenHeap heap) {
      if (rawLong && value instanceof Long bits && bits < 0) {
        BigInteger unsigned = new BigInteger(Long.toUnsignedString(bits));
        codec.setBigInteger(elements, at, unsigned);
        return;
      }
      putNumber(codec, type, value, elements, at);
    }
  }

  /** Floating-point numbers. */
  static final class OfFloat implements Node {
    private final FloatType type;
    private final NumberCodec codec;
    private final boolean fitsFloat;

    OfFloat(FloatType type) {
      this.type = type;
      this.codec = NumberCodec.of(type);
      FloatType.Fields fields = type.fields();
      this.fitsFloat = fields.mantissaSize() <= 23 && fields.exponentSize() <= 8;
    }

    @Override
    public Object get(MemorySegment elements, long at, VlenHeap heap) {
      double value = codec.getDouble(elements, at);
      return fitsFloat ? (Object) (float) value : (Object) value;
    }

    @Override
    public void put(Object value, MemorySegment elements, long at, VlenHeap heap) {
      putNumber(codec, type, value, elements, at);
    }
  }

  /** Enumerations. */
  static final class OfEnum implements Node {
    private final EnumType type;
    private final NumberCodec codec;

    OfEnum(EnumType type) {
      this.type = type;
      this.codec = NumberCodec.of(type.base());
    }

    @Override
    public Object get(MemorySegment elements, long at, VlenHeap heap) {
      long value = codec.getBigInteger(elements, at).longValue();
      Optional<String> name = type.nameOf(value);
      return name.isPresent() ? (Object) name.get() : (Object) value;
    }

    @Override
    public void put(Object value, MemorySegment elements, long at, VlenHeap heap) {
      switch (value) {
        case String name -> putName(name, elements, at);
        case Enum<?> constant -> putName(constant.name(), elements, at);
        case null, default -> putNumber(codec, type, value, elements, at);
      }
    }

    private void putName(String name, MemorySegment elements, long at) {
      EnumType.Constant constant =
          type.constant(name)
              .orElseThrow(() ->
                  new InvalidUseException(
                      "enum name: actual=\"" + name + "\", expected one of " + type.describe()));
      long value = constant.value();
      boolean unsigned = !type.base().signed() && value < 0;
      codec.setBigInteger(
          elements,
          at,
          unsigned ? new BigInteger(Long.toUnsignedString(value)) : BigInteger.valueOf(value));
    }
  }

  /** Complex numbers. */
  static final class OfComplex implements Node {
    private final ComplexType type;
    private final NumberCodec codec;

    OfComplex(ComplexType type) {
      this.type = type;
      this.codec = NumberCodec.of(type.base());
    }

    @Override
    public Object get(MemorySegment elements, long at, VlenHeap heap) {
      int size = type.base().size();
      return new Complex(codec.getDouble(elements, at), codec.getDouble(elements, at + size));
    }

    @Override
    public void put(Object value, MemorySegment elements, long at, VlenHeap heap) {
      int size = type.base().size();
      if (value instanceof Complex complex) {
        codec.setDouble(elements, at, complex.real());
        codec.setDouble(elements, at + size, complex.imaginary());
      } else {
        putNumber(codec, type, value, elements, at);
        codec.setDouble(elements, at + size, 0);
      }
    }
  }
}
