package org.hyperslab.convert.zarr;

import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.hyperslab.convert.numpy.NumpyType;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.format.type.BitfieldType;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Endian;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.VlenHeap;
import org.hyperslab.format.type.value.Complex;
import org.hyperslab.format.type.value.ElementCodec;
import org.hyperslab.interchange.json.JsonText;
import org.jspecify.annotations.Nullable;

/**
 * Converts fill values from and to JSON.
 *
 * <p>Thread rule: stateless.
 */
final class FillText {

  private FillText() {}

  /** Returns the bytes of a fill value in the model's form, or empty if there is no fill value. */
  static Optional<byte[]> parse(@Nullable Object json, NumpyType type, String file) {
    if (json == null || json == JsonText.NULL) {
      return Optional.empty();
    }
    try {
      byte[] element = new byte[type.type().size()];
      MemorySegment to = MemorySegment.ofArray(element);
      Object value = value(json, type.type());
      if (value instanceof byte[] bytes) {
        if (bytes.length > element.length) {
          throw wrong(json, file, null);
        }
        System.arraycopy(bytes, 0, element, 0, bytes.length);
        if (!(json instanceof String && type.text().isPresent() && isText(type))) {
          type.text().ifPresent(text -> text.toUtf8(to, 0, file));
        }
      } else {
        ElementCodec.of(type.type()).encode(value, to, 0, VlenHeap.none());
      }
      return Optional.of(element);
    } catch (InvalidUseException | IllegalArgumentException | ArithmeticException wrong) {
      throw wrong(json, file, wrong);
    }
  }

  private static boolean isText(NumpyType type) {
    return !(type.type() instanceof CompoundType);
  }

  private static CorruptFileException wrong(Object json, String file, @Nullable Exception cause) {
    return new CorruptFileException(
        file,
        "fill value",
        CorruptFileException.NO_OFFSET,
        "actual=" + json + ", expected=one element",
        cause);
  }

  private static Object value(Object json, Datatype type) {
    return switch (type) {
      case IntegerType t -> whole(json, t);
      case EnumType _ -> json instanceof Boolean bool ? bool : (Object) whole(json, null);
      case FloatType t -> real(json, t);
      case CompoundType t when ElementCodec.isComplexPair(t) && json instanceof List<?> pair ->
          complex(pair, (FloatType) t.members().getFirst().type());
      default -> bytes(json, type);
    };
  }

  private static BigInteger whole(Object json, @Nullable IntegerType type) {
    if ("NaT".equals(json) && type != null && type.size() == 8) {
      return BigInteger.valueOf(Long.MIN_VALUE);
    }
    return switch (json) {
      case BigInteger n -> n;
      case Boolean bool -> bool ? BigInteger.ONE : BigInteger.ZERO;
      case Double d -> new BigDecimal(d).toBigIntegerExact();
      default -> throw new IllegalArgumentException("no integer");
    };
  }

  private static Object real(Object json, FloatType type) {
    if (json instanceof String hexadecimal && hexadecimal.startsWith("0x")) {
      byte[] big = new BigInteger(hexadecimal.substring(2), 16).toByteArray();
      byte[] bytes = new byte[type.size()];
      for (int i = 0; i < Math.min(big.length, bytes.length); i++) {
        boolean little = type.order() == Endian.LITTLE;
        bytes[little ? i : bytes.length - 1 - i] = big[big.length - 1 - i];
      }
      return bytes;
    }
    return switch (json) {
      case Double d -> d;
      case BigInteger n -> n.doubleValue();
      case String text when text.equals("NaN") -> Double.NaN;
      case String text when text.equals("Infinity") -> Double.POSITIVE_INFINITY;
      case String text when text.equals("-Infinity") -> Double.NEGATIVE_INFINITY;
      default -> throw new IllegalArgumentException("no number");
    };
  }

  private static Object complex(List<?> pair, FloatType type) {
    if (pair.size() != 2
        || !(real(pair.get(0), type) instanceof Double real)
        || !(real(pair.get(1), type) instanceof Double imaginary)) {
      throw new IllegalArgumentException("no pair of numbers");
    }
    return new Complex(real, imaginary);
  }

  private static byte[] bytes(Object json, Datatype type) {
    if (json instanceof BigInteger zero && zero.signum() == 0) {
      return new byte[0];
    }
    if (json instanceof List<?> list) {
      byte[] bytes = new byte[list.size()];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = whole(list.get(i), null).byteValue();
      }
      return bytes;
    }
    if (!(json instanceof String text)) {
      throw new IllegalArgumentException("no bytes");
    }
    boolean isText = type instanceof StringType string && string.charset() == CharacterSet.UTF8;
    return isText ? NameBytes.encode(text) : Base64.getDecoder().decode(text);
  }

  /**
   * Returns a fill value as JSON of version 2 or 3. The value is in NumPy's form, unless it is a
   * single string.
   */
  static Object describe(byte[] element, Datatype type, boolean three) {
    MemorySegment from = MemorySegment.ofArray(element);
    return switch (type) {
      case IntegerType _ -> ElementCodec.of(type).decode(from, 0, VlenHeap.none());
      case EnumType t ->
          t.isBoolean() ? (Object) (element[0] != 0) : describe(element, t.base(), three);
      case FloatType t -> number(element, t);
      case CompoundType t when ElementCodec.isComplexPair(t) -> {
        FloatType part = (FloatType) t.members().getFirst().type();
        int half = element.length / 2;
        yield List.of(
            number(Arrays.copyOf(element, half), part),
            number(Arrays.copyOfRange(element, half, 2 * half), part));
      }
      case BitfieldType t -> describe(element, IntegerType.of(t.size(), t.order(), false), three);
      default -> {
        boolean asList = three && !(type instanceof StringType);
        yield asList ? list(element) : (Object) Base64.getEncoder().encodeToString(element);
      }
    };
  }

  private static List<Integer> list(byte[] element) {
    Integer[] numbers = new Integer[element.length];
    for (int i = 0; i < element.length; i++) {
      numbers[i] = element[i] & 0xFF;
    }
    return List.of(numbers);
  }

  private static Object number(byte[] element, FloatType type) {
    double value =
        ((Number) ElementCodec.of(type).decode(MemorySegment.ofArray(element), 0, VlenHeap.none()))
            .doubleValue();
    if (Double.isNaN(value)) {
      return "NaN";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "Infinity" : "-Infinity";
    }
    return value;
  }
}
