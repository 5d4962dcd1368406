package org.hyperslab.tools.listing;

import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.BitPadding;
import org.hyperslab.format.type.BitfieldType;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.format.type.ComplexType;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Endian;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.Normalization;
import org.hyperslab.format.type.OpaqueType;
import org.hyperslab.format.type.ReferenceKind;
import org.hyperslab.format.type.ReferenceType;
import org.hyperslab.format.type.StringPadding;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.TimeType;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.format.type.VlenType;

/**
 * Describes datatypes as {@code h5ls -v} does: with names of C types of a 64-bit little-endian
 * machine if one fits, otherwise bit by bit. Sizes and offsets of types with variable-length parts
 * are those of the C library's memory.
 */
public final class TypeDescription {

  private final StringBuilder out = new StringBuilder();
  private final boolean nativeNames;

  private TypeDescription(boolean nativeNames) {
    this.nativeNames = nativeNames;
  }

  /**
   * Returns a type's description, which may have several lines.
   *
   * @param nativeNames whether names of C types are used
   * @param indent the indentation of its second and further lines, in columns
   */
  static String of(Datatype type, boolean nativeNames, int indent) {
    TypeDescription description = new TypeDescription(nativeNames);
    description.append(type, indent);
    return description.out.toString();
  }

  /**
   * Computes the size of an element in the memory of the C library.
   *
   * @param type the type of the element
   * @return the size in bytes
   */
  public static long memorySize(Datatype type) {
    return switch (type) {
      case VlenStringType t -> 8;
      case VlenType t -> 16;
      case ArrayType t -> memorySize(t.base()) * t.elementCount();
      case CompoundType t -> {
        long size = t.size();
        for (CompoundType.Member member : t.members()) {
          size += memorySize(member.type()) - member.type().size();
        }
        yield size;
      }
      case IntegerType t -> t.size();
      case FloatType t -> t.size();
      case ComplexType t -> t.size();
      case StringType t -> t.size();
      case TimeType t -> t.size();
      case BitfieldType t -> t.size();
      case OpaqueType t -> t.size();
      case EnumType t -> t.size();
      case ReferenceType t -> t.size();
    };
  }

  private void append(Datatype type, int indent) {
    switch (type) {
      case IntegerType t -> integer(t, indent);
      case FloatType t -> floating(t, indent);
      case ComplexType t -> {
        newLine("complex number of", indent + 4);
        append(t.base(), indent + 4);
      }
      case StringType t -> string(t.size() + "-byte", t.padding(), t.charset());
      case VlenStringType t -> string("variable-length", t.padding(), t.charset());
      case TimeType t -> out.append(t.size()).append("-byte class-2 unknown");
      case BitfieldType t -> bitfield(t, indent);
      case OpaqueType t -> {
        newLine(t.size() + "-byte opaque type", indent);
        out.append("(tag = \"");
        Escapes.append(out, t.tag(), false);
        out.append("\")");
      }
      case EnumType t -> enumeration(t, indent);
      case ReferenceType t -> reference(t);
      case CompoundType t -> compound(t, indent);
      case ArrayType t -> array(t, indent);
      case VlenType t -> {
        newLine("variable length of", indent + 4);
        append(t.base(), indent + 4);
      }
    }
  }

  private void newLine(String before, int indent) {
    out.append(before).append('\n').append(" ".repeat(indent));
  }

  private static boolean zeros(BitPadding low, BitPadding high) {
    return low == BitPadding.ZERO && high == BitPadding.ZERO;
  }

  private void integer(IntegerType t, int indent) {
    if (nativeNames
        && t.order() == Endian.LITTLE
        && t.fillsElement()
        && t.offset() == 0
        && zeros(t.lowPadding(), t.highPadding())) {
      String name =
          switch (t.size()) {
            case 1 -> "char";
            case 2 -> "short";
            case 4 -> "int";
            case 8 -> "long";
            default -> null;
          };
      if (name != null) {
        out.append("native ");
        out.append(!t.signed() ? "unsigned " : t.size() == 1 ? "signed " : "").append(name);
        return;
      }
    }
    out.append(8L * t.size()).append("-bit").append(order(t.size(), t.order()));
    out.append(t.signed() ? "" : " unsigned").append(" integer");
    precision(
        t.size(), new Bits(t.precision(), t.offset(), t.lowPadding(), t.highPadding()), indent);
  }

  private static String order(int size, Endian order) {
    if (size == 1) {
      return "";
    }
    return switch (order) {
      case LITTLE -> " little-endian";
      case BIG -> " big-endian";
      case VAX -> " mixed-endian";
    };
  }

  private record Bits(int precision, int offset, BitPadding low, BitPadding high) {}

  private void precision(int size, Bits bits, int indent) {
    long all = 8L * size;
    if (all == bits.precision) {
      return;
    }
    newLine("", indent);
    out.append('(').append(count(bits.precision, "bit")).append(" of precision beginning at bit ");
    out.append(bits.offset).append(')');
    long above = all - bits.offset - bits.precision;
    if (bits.offset == 0 && above <= 0) {
      return;
    }
    newLine("", indent);
    out.append('(');
    if (bits.offset > 0) {
      out.append(count(bits.offset, word(bits.low) + " bit")).append(" at bit 0");
      out.append(above > 0 ? ", " : "");
    }
    if (above > 0) {
      out.append(count(above, word(bits.high) + " bit")).append(" at bit ").append(all - above);
    }
    out.append(')');
  }

  private static String word(BitPadding padding) {
    return switch (padding) {
      case ZERO -> "zero";
      case ONE -> "one";
    };
  }

  private static String count(long number, String thing) {
    return number + " " + thing + (number == 1 ? "" : "s");
  }

  private void floating(FloatType t, int indent) {
    if (t.order() != Endian.VAX) {
      boolean big = t.order() == Endian.BIG;
      int exponent = t.size() == 4 ? 8 : t.size() == 8 ? 11 : 0;
      if (exponent > 0 && t.equals(FloatType.ieee(t.size(), t.order(), exponent))) {
        if (!big && nativeNames) {
          out.append(t.size() == 4 ? "native float" : "native double");
        } else {
          out.append("IEEE ").append(8 * t.size()).append("-bit ");
          out.append(big ? "big" : "little").append("-endian float");
        }
        return;
      }
    }
    out.append(8L * t.size()).append("-bit").append(order(t.size(), t.order()));
    out.append(" floating-point");
    precision(
        t.size(),
        new Bits(t.precision(), t.offset(), t.padding().low(), t.padding().high()),
        indent);
    fields(t.fields(), indent);
    if (1 + t.fields().exponentSize() + t.fields().mantissaSize() < t.precision()) {
      newLine("", indent);
      out.append("(internal padding bits are ").append(word(t.padding().internal())).append(')');
    }
  }

  private void fields(FloatType.Fields fields, int indent) {
    newLine("", indent);
    out.append("(significant for ").append(count(fields.mantissaSize(), "bit"));
    out.append(" at bit ").append(fields.mantissaPosition());
    out.append(
        fields.normalization() == Normalization.IMPLIED
            ? ", msb implied"
            : fields.normalization() == Normalization.MSB_SET
                ? ", msb always set"
                : ", no normalization");
    newLine(")", indent);
    out.append("(exponent for ").append(count(fields.exponentSize(), "bit"));
    out.append(" at bit ").append(fields.exponentPosition());
    out.append(", bias is 0x").append(Long.toHexString(fields.exponentBias()));
    newLine(")", indent);
    out.append("(sign bit at ").append(fields.signPosition()).append(')');
  }

  private void bitfield(BitfieldType t, int indent) {
    if (nativeNames
        && t.order() == Endian.LITTLE
        && t.fillsElement()
        && zeros(t.lowPadding(), t.highPadding())
        && (t.size() == 1 || t.size() == 2 || t.size() == 4 || t.size() == 8)) {
      out.append("native ").append(8 * t.size()).append("-bit field");
      return;
    }
    out.append(8L * t.size()).append("-bit").append(order(t.size(), t.order()));
    out.append(" bitfield");
    precision(
        t.size(), new Bits(t.precision(), t.offset(), t.lowPadding(), t.highPadding()), indent);
  }

  private void string(String size, StringPadding padding, CharacterSet charset) {
    out.append(size);
    out.append(
        switch (padding) {
          case NULLTERM -> " null-terminated";
          case NULLPAD -> " null-padded";
          case SPACEPAD -> " space-padded";
        });
    out.append(charset == CharacterSet.UTF8 ? " UTF-8 string" : " ASCII string");
  }

  private void enumeration(EnumType t, int indent) {
    out.append("enum ");
    append(t.base(), indent + 4);
    out.append(" {");
    for (EnumType.Constant constant : t.constants()) {
      newLine("", indent + 4);
      int columns = Escapes.append(out, constant.name(), true);
      out.append(" ".repeat(Math.max(0, 16 - columns))).append(" = ");
      out.append(
          t.base().signed()
              ? Long.toString(constant.value())
              : Long.toUnsignedString(constant.value()));
    }
    if (t.constants().isEmpty()) {
      newLine("", indent + 4);
      out.append(" <empty>");
    }
    newLine("", indent);
    out.append('}');
  }

  private void reference(ReferenceType t) {
    if (t.kind() == ReferenceKind.OBJECT) {
      out.append("object reference");
    } else if (t.kind() == ReferenceKind.REGION) {
      out.append("dataset region reference");
    } else {
      out.append(t.size()).append("-byte unknown reference");
    }
  }

  private void compound(CompoundType t, int indent) {
    out.append("struct {");
    long shift = 0;
    for (CompoundType.Member member : t.members()) {
      newLine("", indent + 4);
      out.append('"');
      int columns = Escapes.append(out, member.name(), false);
      out.append('"').append(" ".repeat(Math.max(0, 16 - columns))).append(" +");
      String offset = Long.toString(member.offset() + shift);
      out.append(offset).append(" ".repeat(Math.max(0, 4 - offset.length()))).append(' ');
      append(member.type(), indent + 4);
      shift += memorySize(member.type()) - member.type().size();
    }
    newLine("", indent);
    out.append("} ").append(count(memorySize(t), "byte"));
  }

  private void array(ArrayType t, int indent) {
    for (int d = 0; d < t.dimensions().size(); d++) {
      out.append(d == 0 ? '[' : ',').append(t.dimensions().get(d));
    }
    out.append("] ");
    append(t.base(), indent + 4);
  }
}
