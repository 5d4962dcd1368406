package org.hyperslab.tools.dump;

import java.util.stream.Collectors;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.BitfieldType;
import org.hyperslab.format.type.CharacterSet;
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
import org.hyperslab.format.type.StringPadding;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.TimeType;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.format.type.VlenType;

/** Formats datatypes in the data description language. */
final class TypeText {

  private static final int ENUM_NAME_COLUMNS = 19;

  private TypeText() {}

  /**
   * Describes a datatype; lines after the first are indented.
   *
   * @param type the type
   * @param indent the indentation of the lines after the first, in columns
   * @return the text
   */
  public static String of(Datatype type, int indent) {
    return switch (type) {
      case IntegerType t -> integer(t);
      case FloatType t -> floating(t);
      case TimeType t -> "H5T_TIME: not yet implemented";
      case StringType t -> string(Integer.toString(t.size()), t.padding(), t.charset(), indent);
      case VlenStringType t -> string("H5T_VARIABLE", t.padding(), t.charset(), indent);
      case BitfieldType t -> bitfield(t);
      case OpaqueType t ->
          "H5T_OPAQUE {\n"
              + line(indent + 3, "OPAQUE_TAG \"" + t.tag() + "\";")
              + " ".repeat(indent)
              + "}";
      case CompoundType t -> compound(t, indent);
      case ReferenceType t -> reference(t);
      case EnumType t -> enumeration(t, indent);
      case VlenType t -> "H5T_VLEN { " + of(t.base(), indent) + " }";
      case ArrayType t -> array(t, indent);
      case ComplexType t -> complex(t, indent);
    };
  }

  private static String line(int indent, String text) {
    return " ".repeat(indent) + text + "\n";
  }

  private static String integer(IntegerType t) {
    if (t.offset() == 0
        && t.precision() == 8 * t.size()
        && t.order() != Endian.VAX
        && Integer.bitCount(t.size()) == 1
        && t.size() <= 8) {
      String order = t.order() == Endian.BIG ? "BE" : "LE";
      return "H5T_STD_" + (t.signed() ? "I" : "U") + 8 * t.size() + order;
    }
    return 8 * t.size()
        + "-bit"
        + order(t.size(), t.order())
        + (t.signed() ? "" : " unsigned")
        + " integer "
        + t.precision()
        + "-bit precision";
  }

  private static String order(int size, Endian order) {
    if (size <= 1) {
      return "";
    }
    return switch (order) {
      case LITTLE -> " little-endian";
      case BIG -> " big-endian";
      case VAX -> " mixed-endian";
    };
  }

  private static String floating(FloatType t) {
    String order = t.order() == Endian.BIG ? "BE" : "LE";
    FloatType same = t.order() == Endian.BIG ? t.withOrder(Endian.LITTLE) : t;
    if (same.size() == Double.BYTES && same.equals(Datatypes.F64LE)) {
      return "H5T_IEEE_F64" + order;
    }
    if (same.equals(Datatypes.F32LE)) {
      return "H5T_IEEE_F32" + order;
    }
    if (same.equals(Datatypes.F16LE)) {
      return "H5T_IEEE_F16" + order;
    }
    if (same.equals(Datatypes.BF16LE)) {
      return "H5T_FLOAT_BFLOAT16" + order;
    }
    String ofByte = nameOfByte(t);
    if (ofByte != null) {
      return "H5T_FLOAT_" + ofByte;
    }
    if (t.equals(Datatypes.VAX_F32)) {
      return "H5T_VAX_F32";
    }
    if (t.equals(Datatypes.VAX_F64)) {
      return "H5T_VAX_F64";
    }
    return 8 * t.size()
        + "-bit"
        + order(t.size(), t.order())
        + " floating-point "
        + t.precision()
        + "-bit precision";
  }

  /** Returns the name that HDF5 2.x has for a float of one byte; null if it has none. */
  private static String nameOfByte(FloatType t) {
    if (t.equals(Datatypes.F8E4M3)) {
      return "F8E4M3";
    }
    if (t.equals(Datatypes.F8E5M2)) {
      return "F8E5M2";
    }
    if (t.equals(Datatypes.F6E2M3)) {
      return "F6E2M3";
    }
    if (t.equals(Datatypes.F6E3M2)) {
      return "F6E3M2";
    }
    return t.equals(Datatypes.F4E2M1) ? "F4E2M1" : null;
  }

  private static String string(
      String size, StringPadding padding, CharacterSet charset, int indent) {
    String margin = " ".repeat(indent);
    String next = ";\n" + margin + "   ";
    return "H5T_STRING {\n"
        + margin
        + "   STRSIZE "
        + size
        + next
        + "STRPAD H5T_STR_"
        + padding
        + next
        + "CSET H5T_CSET_"
        + charset
        + next
        + "CTYPE H5T_C_S1;\n"
        + margin
        + "}";
  }

  private static String bitfield(BitfieldType t) {
    boolean standard =
        t.offset() == 0
            && t.precision() == 8 * t.size()
            && Integer.bitCount(t.size()) == 1
            && t.size() <= 8;
    return standard
        ? "H5T_STD_B" + 8 * t.size() + (t.order() == Endian.BIG ? "BE" : "LE")
        : "undefined bitfield";
  }

  private static String compound(CompoundType t, int indent) {
    return t.members().stream()
        .map(m -> line(indent + 3, of(m.type(), indent + 3) + " \"" + m.name() + "\";"))
        .collect(Collectors.joining("", "H5T_COMPOUND {\n", " ".repeat(indent) + "}"));
  }

  private static String reference(ReferenceType t) {
    String name =
        switch (t.kind()) {
          case OBJECT -> "H5T_STD_REF_OBJECT";
          case REGION -> "H5T_STD_REF_DSETREG";
          case OBJECT2, REGION2, ATTRIBUTE -> "H5T_STD_REF";
        };
    return "H5T_REFERENCE { " + name + " }";
  }

  private static String enumeration(EnumType t, int indent) {
    StringBuilder text = new StringBuilder("H5T_ENUM {\n");
    text.append(line(indent + 3, of(t.base(), indent + 3) + ";"));
    for (EnumType.Constant constant : t.constants()) {
      String name = "\"" + constant.name() + "\"";
      String gap = " ".repeat(Math.max(1, ENUM_NAME_COLUMNS - name.length()));
      String value =
          t.base().signed()
              ? Long.toString(constant.value())
              : Long.toUnsignedString(constant.value());
      text.append(line(indent + 3, name + gap + value + ";"));
    }
    return text.append(" ".repeat(indent)).append('}').toString();
  }

  private static String array(ArrayType t, int indent) {
    return t.dimensions().stream()
        .map(length -> "[" + length + "]")
        .collect(Collectors.joining("", "H5T_ARRAY { ", " " + of(t.base(), indent) + " }"));
  }

  private static String complex(ComplexType t, int indent) {
    String order = t.base().order() == Endian.BIG ? "BE" : "LE";
    FloatType same = t.base().withOrder(Endian.LITTLE);
    if (same.equals(Datatypes.F16LE)) {
      return "H5T_COMPLEX_IEEE_F16" + order;
    }
    if (same.equals(Datatypes.F32LE)) {
      return "H5T_COMPLEX_IEEE_F32" + order;
    }
    if (same.equals(Datatypes.F64LE)) {
      return "H5T_COMPLEX_IEEE_F64" + order;
    }
    return "H5T_COMPLEX { " + of(t.base(), indent) + " }";
  }
}
