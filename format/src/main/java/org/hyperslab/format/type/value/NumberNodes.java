package org.hyperslab.format.type.value;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.type.BitfieldType;
import org.hyperslab.format.type.ComplexType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.VlenHeap;
import org.hyperslab.format.type.convert.NumberCodec;

/** Reads and writes numbers as Java values. */
final class NumberNodes {

  private NumberNodes() {}

  /** Writes any Java number; booleans as 0 and 1, characters as their codes. */
  private static void putNumber(
      NumberCodec codec, Datatype type, Object value, Node.Target to, long at) {
    Object number =
        switch (value) {
          case Boolean v -> v ? 1L : 0L;
          case Character v -> (long) v;
          case Number v -> v;
          case null, default -> throw Node.mismatch(value, type);
        };
    boolean floating = type instanceof FloatType || type instanceof ComplexType;
    if (number instanceof Double || number instanceof Float || floating) {
      putReal(codec, type, (Number) number, to, at);
      return;
    }
    BigInteger whole = Numbers.whole((Number) number);
    if (to.rule() == OutOfRange.REFUSE && !codec.holds(whole)) {
      throw outside(value, type);
    }
    codec.setBigInteger(to.elements(), at, whole);
  }

  private static void putReal(
      NumberCodec codec, Datatype type, Number value, Node.Target to, long at) {
    if (value instanceof Double || value instanceof Float || value instanceof BigDecimal) {
      double real = value.doubleValue();
      boolean lost = value instanceof BigDecimal && Double.isInfinite(real);
      if (to.rule() == OutOfRange.REFUSE && (lost || !codec.holds(real))) {
        throw outside(value, type);
      }
      codec.setDouble(to.elements(), at, real);
      return;
    }
    BigInteger whole = Numbers.whole(value);
    if (to.rule() == OutOfRange.REFUSE && !codec.holds(whole)) {
      throw outside(value, type);
    }
    codec.setBigInteger(to.elements(), at, whole);
  }

  /** Refuses floating-point numbers for bits and names, which have no fractions to truncate. */
  private static void requireInteger(Object value, Datatype type) {
    if (value instanceof Double || value instanceof Float || value instanceof BigDecimal) {
      throw new InvalidUseException(
          "no conversion: actual="
              + value.getClass().getTypeName()
              + " "
              + value
              + ", expected=an integer for "
              + type.describe());
    }
  }

  private static InvalidUseException outside(Object value, Datatype type) {
    return new InvalidUseException(
        "number out of range: actual="
            + value
            + ", expected=a value of "
            + type.describe()
            + "; store a wider type, or clamp");
  }

  /** The node of integers, bitfields and times. */
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
    public void put(Object value, Target to, long at) {
      if (rawLong && value instanceof Long bits && bits < 0) {
        BigInteger unsigned = new BigInteger(Long.toUnsignedString(bits));
        codec.setBigInteger(to.elements(), at, unsigned);
        return;
      }
      if (type instanceof BitfieldType) {
        requireInteger(value, type);
      }
      putNumber(codec, type, value, to, at);
    }
  }

  /** The node of floating-point numbers. */
  static final class OfFloat implements Node {
    private final FloatType type;
    private final NumberCodec codec;
    private final boolean fitsFloat;

    OfFloat(FloatType type) {
      this.type = type;
      this.codec = NumberCodec.of(type);
      this.fitsFloat = type.isWithin(Datatypes.F32LE);
    }

    @Override
    public Object get(MemorySegment elements, long at, VlenHeap heap) {
      double value = codec.getDouble(elements, at);
      return fitsFloat ? (Object) (float) value : (Object) value;
    }

    @Override
    public void put(Object value, Target to, long at) {
      putNumber(codec, type, value, to, at);
    }
  }

  /** The node of enumerations. */
  static final class OfEnum implements Node {
    private final EnumType type;
    private final NumberCodec codec;
    private final OfInteger number;
    private final boolean flags;

    /** The most values of a dense table of names. */
    private static final int DENSE = 1 << 12;

    /** The first name of each value. */
    private final Map<Long, String> names = new HashMap<>();

    /** The names of the values from {@link #low} on, null where there is none. */
    private final String[] dense;

    private final long low;

    /** The element of each name. */
    private final Map<String, byte[]> elements = new HashMap<>();

    OfEnum(EnumType type) {
      this.type = type;
      this.codec = NumberCodec.of(type.base());
      this.number =
          new OfInteger(
              type.base(), type.base().signed(), type.base().precision(), Unsigned64.BIG_INTEGER);
      this.flags = type.isBoolean();
      type.constants()
          .forEach(each -> {
            names.putIfAbsent(each.value(), each.name());
            elements.put(each.name(), element(each.value()));
          });
      this.low = names.keySet().stream().mapToLong(Long::longValue).min().orElse(0);
      long high = names.keySet().stream().mapToLong(Long::longValue).max().orElse(-1);
      boolean small = high - low >= 0 && high - low < DENSE;
      this.dense = new String[small ? (int) (high - low) + 1 : 0];
      for (int i = 0; i < dense.length; i++) {
        dense[i] = names.get(low + i);
      }
    }

    private byte[] element(long value) {
      boolean unsigned = !type.base().signed() && value < 0;
      byte[] element = new byte[type.base().size()];
      codec.setBigInteger(
          MemorySegment.ofArray(element),
          0,
          unsigned ? new BigInteger(Long.toUnsignedString(value)) : BigInteger.valueOf(value));
      return element;
    }

    /** Returns the first name of a value, or null. */
    private String name(long value) {
      long at = value - low;
      return at >= 0 && at < dense.length ? dense[(int) at] : names.get(value);
    }

    @Override
    public Object get(MemorySegment elements, long at, VlenHeap heap) {
      if (number.valueBits <= 63) {
        long value = codec.getLong(elements, at);
        String name = name(value);
        return name != null ? name : (Object) value;
      }
      BigInteger value = codec.getBigInteger(elements, at);
      String name = name(value.longValue());
      if (name != null) {
        return name;
      }
      return value.bitLength() < 64 ? (Object) value.longValue() : value;
    }

    /** Returns the name if the class is String or a Java enum; otherwise the value. */
    @Override
    public Object getAs(Source from, long at, Class<?> target) {
      boolean named = target == String.class || target.isEnum();
      if (named) {
        Object value = get(from.elements(), at, from.heap());
        if (value instanceof String) {
          return JavaTypes.coerce(value, target, from.rule());
        }
        throw new InvalidUseException(
            "enumeration: actual="
                + value
                + ", a number without a name, expected=one of "
                + type.describe()
                + "; read the numbers, for example with readInts()");
      }
      boolean flag = flags && (target == Object.class || Numbers.boxed(target) == Boolean.class);
      return number.getAs(from, at, flag ? Boolean.class : target);
    }

    @Override
    public void put(Object value, Target to, long at) {
      switch (value) {
        case String name -> putName(name, to.elements(), at);
        case Enum<?> constant -> putName(constant.name(), to.elements(), at);
        case null, default -> {
          requireInteger(value, type);
          putNumber(codec, type.base(), value, to, at);
        }
      }
    }

    private void putName(String name, MemorySegment target, long at) {
      byte[] element = elements.get(name);
      if (element == null) {
        throw new InvalidUseException(
            "enum name: actual=\"" + name + "\", expected one of " + type.describe());
      }
      MemorySegment.copy(element, 0, target, ValueLayout.JAVA_BYTE, at, element.length);
    }
  }

  /** The node of complex numbers. */
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
    public void put(Object value, Target to, long at) {
      int size = type.base().size();
      Complex complex =
          switch (value) {
            case Complex c -> c;
            case Number real -> new Complex(real.doubleValue(), 0);
            case null, default -> throw Node.mismatch(value, type);
          };
      putReal(codec, type, complex.real(), to, at);
      putReal(codec, type, complex.imaginary(), to, at + size);
    }
  }
}
