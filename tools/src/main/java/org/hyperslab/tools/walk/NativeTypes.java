package org.hyperslab.tools.walk;

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
 * 2, 4 or 8 bytes without unused bits. Types without such a counterpart are unchanged.
 */
public final class NativeTypes {

  private static final int LARGEST_BYTES = 8;

  private NativeTypes() {}

  /**
   * Returns the native type of this machine for a type.
   *
   * @param type the type
   * @return the native type
   */
  public static Datatype of(Datatype type) {
    return switch (type) {
      case IntegerType t ->
          t.size() > LARGEST_BYTES ? t : IntegerType.of(bytes(t.size()), Endian.LITTLE, t.signed());
      case FloatType t ->
          t.size() > LARGEST_BYTES ? t : t.size() > 4 ? Datatypes.F64LE : Datatypes.F32LE;
      case BitfieldType t ->
          t.size() > LARGEST_BYTES ? t : BitfieldType.of(bytes(t.size()), Endian.LITTLE);
      case ArrayType t -> new ArrayType(t.dimensions(), of(t.base()));
      case VlenType t -> new VlenType(t.size(), of(t.base()));
      case CompoundType t -> compound(t);
      case EnumType t -> t;
      case ComplexType t -> t;
      case TimeType t -> t;
      case StringType t -> t;
      case OpaqueType t -> t;
      case ReferenceType t -> t;
      case VlenStringType t -> t;
    };
  }

  private static int bytes(int size) {
    return size <= 2 ? size : size <= 4 ? 4 : LARGEST_BYTES;
  }

  /**
   * Returns a compound with each member at the next multiple of its alignment, as C lays out a
   * struct.
   */
  private static CompoundType compound(CompoundType type) {
    List<CompoundType.Member> members = new ArrayList<>();
    int end = 0;
    int widest = 1;
    for (CompoundType.Member member : type.members()) {
      Datatype own = of(member.type());
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
