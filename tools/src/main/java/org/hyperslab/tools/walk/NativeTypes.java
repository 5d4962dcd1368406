package org.hyperslab.tools.walk;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.BitfieldType;
import org.hyperslab.format.type.ComplexType;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.Endian;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.OpaqueType;
import org.hyperslab.format.type.ReferenceType;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.TimeType;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.format.type.VlenType;

/**
 * Converts file types to the native types of a little-endian machine (H5Tnative.c): numbers of 1,
 * 2, 4 or 8 bytes, as their significant bits require, without unused bits. Types without such a
 * counterpart are unchanged.
 */
public final class NativeTypes {

  private static final int LARGEST_BYTES = 8;
  private static final int LARGEST_BITS = 8 * LARGEST_BYTES;

  private NativeTypes() {}

  /**
   * {@return the native type of this machine for a type} Enumerations stay as they are, because the
   * conversion to another enumeration loses numbers without a name.
   *
   * @param type the type
   */
  public static Datatype of(Datatype type) {
    return of(type, true);
  }

  /**
   * {@return the native type of this machine for the numbers of a type: enumerations become
   * integers}
   *
   * @param type the type
   */
  public static Datatype ofNumbers(Datatype type) {
    return of(type, false);
  }

  private static Datatype of(Datatype type, boolean keepNames) {
    return switch (type) {
      case IntegerType t -> integer(t);
      case FloatType t ->
          t.size() > LARGEST_BYTES ? t : t.size() > 4 ? Datatypes.F64LE : Datatypes.F32LE;
      case BitfieldType t ->
          t.precision() > LARGEST_BITS ? t : BitfieldType.of(bytes(t.precision()), Endian.LITTLE);
      case ArrayType t -> new ArrayType(t.dimensions(), of(t.base(), keepNames));
      case VlenType t -> new VlenType(t.size(), of(t.base(), keepNames));
      case CompoundType t -> compound(t, keepNames);
      case EnumType t -> keepNames ? t : integer(t.base());
      case ComplexType t -> t;
      case TimeType t -> t;
      case StringType t -> t;
      case OpaqueType t -> t;
      case ReferenceType t -> t;
      case VlenStringType t -> t;
    };
  }

  private static IntegerType integer(IntegerType t) {
    return t.precision() > LARGEST_BITS
        ? t
        : IntegerType.of(bytes(t.precision()), Endian.LITTLE, t.signed());
  }

  private static int bytes(int bits) {
    return bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : LARGEST_BYTES;
  }

  /**
   * {@return the significant bits of a bitfield, as the native type has them: little-endian, from
   * bit 0 on}
   *
   * @param type the type of the bitfield
   * @param elements the memory that holds it
   * @param at its byte offset
   */
  public static byte[] bits(BitfieldType type, MemorySegment elements, long at) {
    int precision = type.precision();
    byte[] bits = new byte[precision > LARGEST_BITS ? (precision + 7) / 8 : bytes(precision)];
    int shift = type.offset() % 8;
    for (int first = 0; first < precision; first += 8) {
      int place = (type.offset() + first) / 8;
      int value = byteAt(type, elements, at, place) >>> shift;
      value |= byteAt(type, elements, at, place + 1) << 8 - shift;
      int count = Math.min(8, precision - first);
      bits[first / 8] = (byte) (value & (1 << count) - 1);
    }
    return bits;
  }

  /** Returns a byte of an element, counted from the least significant one; 0 beyond its end. */
  private static int byteAt(BitfieldType type, MemorySegment elements, long at, int place) {
    if (place >= type.size()) {
      return 0;
    }
    int stored = type.order() == Endian.BIG ? type.size() - 1 - place : place;
    return elements.get(ValueLayout.JAVA_BYTE, at + stored) & 0xFF;
  }

  /**
   * Returns a compound with each member at the next multiple of its alignment, as C lays out a
   * struct.
   */
  private static CompoundType compound(CompoundType type, boolean keepNames) {
    List<CompoundType.Member> members = new ArrayList<>();
    int end = 0;
    int widest = 1;
    for (CompoundType.Member member : type.members()) {
      Datatype own = of(member.type(), keepNames);
      int alignment = alignment(own);
      int at = Math.ceilDiv(end, alignment) * alignment;
      members.add(new CompoundType.Member(member.name(), at, own));
      end = Math.addExact(at, own.size());
      widest = Math.max(widest, alignment);
    }
    return new CompoundType(Math.ceilDiv(end, widest) * widest, members);
  }

  private static int alignment(Datatype type) {
    return switch (type) {
      case IntegerType t -> Math.min(LARGEST_BYTES, t.size());
      case FloatType t -> Math.min(LARGEST_BYTES, t.size());
      case BitfieldType t -> Math.min(LARGEST_BYTES, t.size());
      case EnumType t -> alignment(t.base());
      case ArrayType t -> alignment(t.base());
      case CompoundType t ->
          t.members().stream().mapToInt(member -> alignment(member.type())).max().orElse(1);
      case VlenType _, VlenStringType _, ReferenceType _ -> LARGEST_BYTES;
      case ComplexType t -> alignment(t.base());
      case TimeType _, StringType _, OpaqueType _ -> 1;
    };
  }
}
