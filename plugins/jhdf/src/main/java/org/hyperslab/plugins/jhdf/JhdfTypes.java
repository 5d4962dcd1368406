package org.hyperslab.plugins.jhdf;

import io.jhdf.object.datatype.ArrayDataType;
import io.jhdf.object.datatype.BitField;
import io.jhdf.object.datatype.CompoundDataType;
import io.jhdf.object.datatype.DataType;
import io.jhdf.object.datatype.EnumDataType;
import io.jhdf.object.datatype.FixedPoint;
import io.jhdf.object.datatype.FloatingPoint;
import io.jhdf.object.datatype.OpaqueDataType;
import io.jhdf.object.datatype.Reference;
import io.jhdf.object.datatype.StringData;
import io.jhdf.object.datatype.VariableLength;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.BitPadding;
import org.hyperslab.format.type.BitfieldType;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.Endian;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.Normalization;
import org.hyperslab.format.type.OpaqueType;
import org.hyperslab.format.type.StringPadding;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.format.type.VlenType;

/** Converts datatypes that jHDF has decoded to those of Hyperslab. */
final class JhdfTypes {

  private JhdfTypes() {}

  /** Returns the datatype, in the file form. */
  static Datatype of(DataType type) {
    return switch (type) {
      case FixedPoint t -> integer(t);
      case FloatingPoint t -> floating(t);
      case StringData t ->
          new StringType(t.getSize(), padding(t.getPaddingType()), charset(t.getCharset()));
      case BitField t when t.getSize() > 1 || t.getBitPrecision() > 1 ->
          throw new UnsupportedFeatureException(
              "jHDF bit field: actual="
                  + t.getBitPrecision()
                  + " bits, of which it reads the first only, expected=1 bit");
      case BitField t ->
          new BitfieldType(
              t.getSize(),
              endian(t.getByteOrder()),
              t.getBitPrecision(),
              t.getBitOffset(),
              pad(t.isLowPadding()),
              pad(t.isHighPadding()));
      case OpaqueDataType t -> new OpaqueType(t.getSize(), t.getAsciiTag());
      case CompoundDataType t -> compound(t);
      case EnumDataType t -> enumeration(t);
      case ArrayDataType t ->
          new ArrayType(
              Arrays.stream(t.getArrayTypeDimensions()).boxed().toList(), of(t.getBaseType()));
      case VariableLength t ->
          t.isVariableLengthString()
              ? new VlenStringType(
                  t.getSize(),
                  padding(t.getPaddingType()),
                  charset(t.getEncoding()),
                  Datatypes.U8LE)
              : new VlenType(t.getSize(), of(t.getParent()));
      case Reference t when t.getType() == Reference.ReferenceType.OBJECT ->
          Datatypes.OBJECT_REFERENCE;
      default ->
          throw new UnsupportedFeatureException(
              "jHDF datatype: actual=" + type + ", expected=a class that this connector knows");
    };
  }

  private static IntegerType integer(FixedPoint type) {
    return new IntegerType(
        type.getSize(),
        endian(type.getByteOrder()),
        type.isSigned(),
        type.getBitPrecision(),
        type.getBitOffset(),
        pad(type.isLowPadding()),
        pad(type.isHighPadding()));
  }

  private static FloatType floating(FloatingPoint type) {
    Normalization normalization =
        switch (type.getMantissaNormalization()) {
          case 0 -> Normalization.NONE;
          case 1 -> Normalization.MSB_SET;
          default -> Normalization.IMPLIED;
        };
    return new FloatType(
        type.getSize(),
        endian(type.getByteOrder()),
        type.getBitPrecision(),
        type.getBitOffset(),
        new FloatType.Fields(
            type.getSignLocation(),
            type.getExponentLocation(),
            type.getExponentSize(),
            type.getMantissaLocation(),
            type.getMantissaSize(),
            type.getExponentBias() & 0xFFFF_FFFFL,
            normalization),
        new FloatType.Padding(
            pad(type.isLowPadding()), pad(type.isHighPadding()), pad(type.isInternalPadding())));
  }

  private static CompoundType compound(CompoundDataType type) {
    List<CompoundType.Member> members = new ArrayList<>();
    for (CompoundDataType.CompoundDataMember member : type.getMembers()) {
      members.add(
          new CompoundType.Member(member.getName(), member.getOffset(), of(member.getDataType())));
    }
    return new CompoundType(type.getSize(), members);
  }

  private static EnumType enumeration(EnumDataType type) {
    IntegerType base = (IntegerType) of(type.getBaseType());
    EnumType.Builder builder = EnumType.builder(base);
    type.getEnumMapping().forEach((bits, name) -> builder.constant(name, constant(base, bits)));
    return builder.build();
  }

  /**
   * Returns the value of a constant. jHDF gives its bytes as an unsigned little-endian number,
   * whatever the base type.
   */
  private static long constant(IntegerType base, int bits) {
    int unused = Long.SIZE - Byte.SIZE * Math.min(Long.BYTES, base.size());
    long first = (long) bits << unused;
    long value = base.order() == Endian.BIG ? Long.reverseBytes((long) bits) : first;
    return base.signed() ? value >> unused : value >>> unused;
  }

  private static Endian endian(ByteOrder order) {
    return order == ByteOrder.BIG_ENDIAN ? Endian.BIG : Endian.LITTLE;
  }

  private static BitPadding pad(boolean ones) {
    return ones ? BitPadding.ONE : BitPadding.ZERO;
  }

  private static StringPadding padding(StringData.PaddingType padding) {
    return switch (padding) {
      case NULL_TERMINATED -> StringPadding.NULLTERM;
      case NULL_PADDED -> StringPadding.NULLPAD;
      case SPACE_PADDED -> StringPadding.SPACEPAD;
    };
  }

  private static CharacterSet charset(Charset charset) {
    return charset.equals(StandardCharsets.UTF_8) ? CharacterSet.UTF8 : CharacterSet.ASCII;
  }
}
