package org.hyperslab.netcdf.cdl;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.util.Locale;
import org.hyperslab.error.LimitExceededException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Endian;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.OpaqueType;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.VlenHeap;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.format.type.VlenType;
import org.hyperslab.format.type.value.ElementCodec;

/**
 * Formats elements in memory form. An instance belongs to a variable or to the values inside
 * compounds and sequences, and has the formats of its floating-point numbers.
 *
 * <p>Thread rule: immutable.
 */
final class CdlValueText {

  /** Types of files cannot be nested deeper than programs that recurse can follow. */
  private static final int DEEPEST = 200;

  private final CdlNumber floats;
  private final CdlNumber doubles;

  CdlValueText(CdlNumber floats, CdlNumber doubles) {
    this.floats = floats;
    this.doubles = doubles;
  }

  /** Returns an element at a byte offset; the type is in memory form. */
  String text(Datatype type, DataBuffer data, long at) {
    return text(type, data.elements(), at, data.heap(), 0);
  }

  private String text(Datatype type, MemorySegment elements, long at, VlenHeap heap, int depth) {
    if (depth > DEEPEST) {
      throw new LimitExceededException(
          "type: actual=nested more than " + DEEPEST + " deep, expected=fewer levels");
    }
    return switch (type) {
      case IntegerType number -> integer(number, elements, at).toString();
      case FloatType number -> real(number, elements, at);
      case StringType text when text.size() == 1 ->
          CdlText.characters(new byte[] {elements.get(ValueLayout.JAVA_BYTE, at)});
      case StringType _, VlenStringType _ ->
          CdlText.string((String) ElementCodec.of(type).decode(elements, at, heap));
      case EnumType names -> name(names, elements, at);
      case OpaqueType opaque -> hexadecimal(elements.asSlice(at, opaque.size()));
      case CompoundType compound -> compound(compound, elements, at, heap, depth);
      case ArrayType array -> array(array, elements, at, heap, depth);
      case VlenType sequence -> sequence(sequence, elements, at, heap, depth);
      default -> String.valueOf(ElementCodec.of(type).decode(elements, at, heap));
    };
  }

  static BigInteger integer(IntegerType type, MemorySegment elements, long at) {
    long value = bits(type.size(), type.order(), elements, at);
    int unused = Long.SIZE - 8 * type.size();
    if (type.signed()) {
      return BigInteger.valueOf(value << unused >> unused);
    }
    return unused > 0
        ? BigInteger.valueOf(value << unused >>> unused)
        : new BigInteger(Long.toUnsignedString(value));
  }

  static double number(FloatType type, MemorySegment elements, long at) {
    long value = bits(type.size(), type.order(), elements, at);
    return type.size() == 4 ? Float.intBitsToFloat((int) value) : Double.longBitsToDouble(value);
  }

  private static long bits(int size, Endian endian, MemorySegment elements, long at) {
    ByteOrder order = endian == Endian.BIG ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    return switch (size) {
      case 1 -> elements.get(ValueLayout.JAVA_BYTE, at);
      case 2 -> elements.get(ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(order), at);
      case 4 -> elements.get(ValueLayout.JAVA_INT_UNALIGNED.withOrder(order), at);
      default -> elements.get(ValueLayout.JAVA_LONG_UNALIGNED.withOrder(order), at);
    };
  }

  private String real(FloatType type, MemorySegment elements, long at) {
    return real(number(type, elements, at), type.size() == 4);
  }

  String real(double value, boolean single) {
    if (Double.isNaN(value)) {
      return single ? "NaNf" : "NaN";
    }
    if (Double.isInfinite(value)) {
      return (value < 0 ? "-" : "") + (single ? "Infinityf" : "Infinity");
    }
    return (single ? floats : doubles).text(value);
  }

  private static String name(EnumType type, MemorySegment elements, long at) {
    BigInteger value = integer(type.base(), elements, at);
    return type.nameOf(value.longValue())
        .orElseThrow(() ->
            new UnsupportedFeatureException(
                "enumeration: actual=the value " + value + ", expected=one that has a name"));
  }

  private static String hexadecimal(MemorySegment bytes) {
    StringBuilder out = new StringBuilder("0X");
    for (byte b : bytes.toArray(ValueLayout.JAVA_BYTE)) {
      out.append(Character.forDigit(b >> 4 & 15, 16)).append(Character.forDigit(b & 15, 16));
    }
    return out.toString().toUpperCase(Locale.ROOT);
  }

  private String compound(
      CompoundType type, MemorySegment elements, long at, VlenHeap heap, int depth) {
    StringBuilder out = new StringBuilder("{");
    for (CompoundType.Member member : type.members()) {
      out.append(out.length() == 1 ? "" : ", ");
      out.append(text(member.type(), elements, at + member.offset(), heap, depth + 1));
    }
    return out.append('}').toString();
  }

  /** Characters along the last axis are one text. */
  private String array(ArrayType type, MemorySegment elements, long at, VlenHeap heap, int depth) {
    Datatype base = type.base();
    long count = type.size() / base.size();
    StringBuilder out = new StringBuilder("{");
    if (base instanceof StringType text && text.size() == 1) {
      int row = type.dimensions().getLast();
      for (long i = 0; i < count; i += row) {
        out.append(i == 0 ? "" : ", ");
        out.append(
            CdlText.characters(elements.asSlice(at + i, row).toArray(ValueLayout.JAVA_BYTE)));
      }
      return out.append('}').toString();
    }
    for (long i = 0; i < count; i++) {
      out.append(i == 0 ? "" : ", ");
      out.append(text(base, elements, at + i * base.size(), heap, depth + 1));
    }
    return out.append('}').toString();
  }

  private String sequence(
      VlenType type, MemorySegment elements, long at, VlenHeap heap, int depth) {
    Datatype base = type.base();
    MemorySegment inner = heap.readSequence(elements, at, base.size());
    StringBuilder out = new StringBuilder("{");
    long count = inner == null ? 0 : inner.byteSize() / base.size();
    for (long i = 0; i < count; i++) {
      out.append(i == 0 ? "" : ", ");
      out.append(text(base, inner, i * base.size(), heap, depth + 1));
    }
    return out.append('}').toString();
  }
}
