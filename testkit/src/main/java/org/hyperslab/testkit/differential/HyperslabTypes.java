package org.hyperslab.testkit.differential;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
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
import org.hyperslab.format.type.ReferenceType;
import org.hyperslab.format.type.StringPadding;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.format.type.VlenType;

/** Converts datatypes between the model and the public API. */
final class HyperslabTypes {

  private HyperslabTypes() {}

  /** Returns the datatype of the public API. */
  static Datatype of(TypeSpec spec) {
    return switch (spec) {
      case TypeSpec.Int one -> integer(one);
      case TypeSpec.Bits one ->
          new BitfieldType(
              one.size(),
              endian(one.big(), one.size()),
              one.precision(),
              one.offset(),
              BitPadding.ZERO,
              BitPadding.ZERO);
      case TypeSpec.Real one -> real(one);
      case TypeSpec.Text one ->
          Datatypes.fixedString(one.size(), padding(one.padding()), set(one.set()));
      case TypeSpec.LongText one ->
          new VlenStringType(
              16, padding(one.padding()), set(one.set()), Datatypes.vlenString().base());
      case TypeSpec.Sequence one -> Datatypes.vlen(of(one.base()));
      case TypeSpec.Opaque one -> Datatypes.opaque(one.size(), one.tag());
      case TypeSpec.Enum one -> enumeration(one);
      case TypeSpec.Array one -> new ArrayType(one.dims(), of(one.base()));
      case TypeSpec.Compound one -> compound(one);
      case TypeSpec.Ref one ->
          switch (one.kind()) {
            case "obj" -> Datatypes.OBJECT_REFERENCE;
            case "reg" -> Datatypes.REGION_REFERENCE;
            default -> Datatypes.REFERENCE;
          };
    };
  }

  private static IntegerType integer(TypeSpec.Int one) {
    return IntegerType.of(one.size(), endian(one.big(), one.size()), one.signed())
        .withPrecision(one.precision(), one.offset());
  }

  private static FloatType real(TypeSpec.Real one) {
    TypeSpec.RealFields f = one.fields();
    return new FloatType(
        one.size(),
        endian(one.big(), one.size()),
        one.precision(),
        one.offset(),
        new FloatType.Fields(
            f.sign(),
            f.exponent(),
            f.exponentBits(),
            f.mantissa(),
            f.mantissaBits(),
            f.bias(),
            Normalization.IMPLIED),
        FloatType.Padding.ZEROS);
  }

  private static EnumType enumeration(TypeSpec.Enum one) {
    EnumType.Builder builder = EnumType.builder(integer(one.base()));
    for (TypeSpec.Constant constant : one.constants()) {
      builder.constant(constant.name(), number(one.base(), constant.hex()));
    }
    return builder.build();
  }

  private static long number(TypeSpec.Int base, String hex) {
    byte[] bytes = HexFormat.of().parseHex(hex);
    BigInteger whole = new BigInteger(base.big() ? bytes : reversed(bytes));
    return base.signed()
        ? whole.longValue()
        : whole
            .and(BigInteger.ONE.shiftLeft(8 * bytes.length).subtract(BigInteger.ONE))
            .longValue();
  }

  private static byte[] reversed(byte[] bytes) {
    byte[] back = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      back[i] = bytes[bytes.length - 1 - i];
    }
    return back;
  }

  private static CompoundType compound(TypeSpec.Compound one) {
    CompoundType.Builder builder = CompoundType.builder();
    for (TypeSpec.Member member : one.members()) {
      if (one.outOfLine()) {
        builder.member(member.name(), of(member.type()));
      } else {
        builder.member(member.name(), member.offset(), of(member.type()));
      }
    }
    return one.outOfLine() ? builder.build() : builder.size(one.size()).build();
  }

  private static Endian endian(boolean big, int size) {
    return big && size > 1 ? Endian.BIG : Endian.LITTLE;
  }

  private static StringPadding padding(String name) {
    return StringPadding.valueOf(name.toUpperCase(Locale.ROOT));
  }

  private static CharacterSet set(String name) {
    return CharacterSet.valueOf(name.toUpperCase(Locale.ROOT));
  }

  /** Returns the tree of a datatype, in the form of {@link TypeSpec#tree}. */
  static List<Object> tree(Datatype type) {
    return switch (type) {
      case IntegerType one ->
          List.of(
              "int",
              one.size(),
              order(one.order(), one.size()),
              one.signed() ? 1 : 0,
              one.precision(),
              one.offset());
      case BitfieldType one ->
          List.of(
              "bits", one.size(), order(one.order(), one.size()), one.precision(), one.offset());
      case FloatType one -> tree(one);
      case StringType one -> List.of("str", one.size(), lower(one.padding()), lower(one.charset()));
      case VlenStringType one -> List.of("vstr", lower(one.padding()), lower(one.charset()));
      case VlenType one -> List.of("vlen", tree(one.base()));
      case OpaqueType one -> List.of("opaque", one.size(), one.tag());
      case EnumType one -> tree(one);
      case ArrayType one -> List.of("arr", one.dimensions(), tree(one.base()));
      case CompoundType one -> tree(one);
      case ReferenceType one ->
          List.of(
              "ref",
              switch (one.kind()) {
                case OBJECT -> "obj";
                case REGION -> "reg";
                default -> "std";
              });
      default -> List.of(type.describe());
    };
  }

  private static List<Object> tree(FloatType one) {
    FloatType.Fields f = one.fields();
    return List.of(
        "float",
        one.size(),
        order(one.order(), one.size()),
        one.precision(),
        one.offset(),
        f.signPosition(),
        f.exponentPosition(),
        f.exponentSize(),
        f.mantissaPosition(),
        f.mantissaSize(),
        f.exponentBias(),
        lower(f.normalization()).replace("_", ""));
  }

  private static List<Object> tree(EnumType one) {
    List<Object> constants = new ArrayList<>();
    one.constants().stream()
        .sorted((a, b) -> a.name().compareTo(b.name()))
        .forEach(each -> constants.add(List.of(each.name(), hex(one.base(), each.value()))));
    return List.of("enum", tree(one.base()), constants);
  }

  private static String hex(IntegerType base, long value) {
    byte[] bytes = new byte[base.size()];
    for (int i = 0; i < bytes.length; i++) {
      int at = base.order() == Endian.BIG ? bytes.length - 1 - i : i;
      bytes[at] = (byte) (i < 8 ? value >> 8 * i : base.signed() && value < 0 ? -1 : 0);
    }
    return HexFormat.of().formatHex(bytes);
  }

  private static List<Object> tree(CompoundType one) {
    boolean packed = one.members().stream().anyMatch(member -> outOfLine(member.type()));
    List<Object> members = new ArrayList<>();
    for (CompoundType.Member member : one.members()) {
      members.add(List.of(member.name(), packed ? 0 : member.offset(), tree(member.type())));
    }
    return List.of("cmp", packed ? 0 : one.size(), members);
  }

  private static boolean outOfLine(Datatype type) {
    return switch (type) {
      case ReferenceType ignored -> true;
      case ArrayType array -> outOfLine(array.base());
      case CompoundType compound ->
          compound.members().stream().anyMatch(member -> outOfLine(member.type()));
      default -> type.hasOutOfLineParts();
    };
  }

  private static String order(Endian order, int size) {
    return order == Endian.BIG && size > 1 ? "be" : "le";
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
