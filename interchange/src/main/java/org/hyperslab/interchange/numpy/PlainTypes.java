package org.hyperslab.interchange.numpy;

import java.util.Optional;
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
import org.hyperslab.format.type.StringPadding;
import org.hyperslab.format.type.StringType;

/**
 * Maps datatypes to those of NumPy and JavaScript.
 *
 * <p>Source: NumPy's documentation of its array interface (typestr, descr).
 */
public final class PlainTypes {

  private PlainTypes() {}

  /**
   * {@return the type that represents a type's numbers in JavaScript arrays: little-endian, with
   * floats of four or eight bytes; empty for types that are not numbers, and for other sizes}
   *
   * @param type the type as stored
   */
  public static Optional<Datatype> safe(Datatype type) {
    return switch (type) {
      case IntegerType t -> hasUsualSize(t) ? Optional.of(little(t)) : Optional.empty();
      case EnumType t -> safe(t.base()); // enumerations lose numbers without a name
      case FloatType t ->
          Optional.of(t.isWithin(Datatypes.F32LE) ? Datatypes.F32LE : Datatypes.F64LE);
      default -> Optional.empty();
    };
  }

  private static boolean hasUsualSize(IntegerType type) {
    return type.size() <= 8 && Integer.bitCount(type.size()) == 1;
  }

  private static IntegerType little(IntegerType type) {
    return IntegerType.of(type.size(), Endian.LITTLE, type.signed());
  }

  /**
   * {@return the type in which NumPy can read elements: compounds without gaps, and strings padded
   * with NUL, because NumPy treats other padding as characters}
   *
   * @param type the type as stored
   */
  public static Datatype numpy(Datatype type) {
    return switch (type) {
      case StringType t -> new StringType(t.size(), StringPadding.NULLPAD, t.charset());
      case ArrayType t -> new ArrayType(t.dimensions(), numpy(t.base()));
      case CompoundType t -> {
        CompoundType.Builder builder = CompoundType.builder();
        t.members().forEach(member -> builder.member(member.name(), numpy(member.type())));
        yield builder.build();
      }
      default -> type;
    };
  }

  /**
   * {@return NumPy's name of a type whose stored elements it can read, such as {@code <f8}; empty
   * for compounds, arrays, and types that NumPy does not have}
   *
   * @param type the type as stored
   */
  public static Optional<String> typestr(Datatype type) {
    return switch (type) {
      case IntegerType t when hasUsualSize(t) && t.fillsElement() ->
          Optional.of(code(t.size(), t.order(), t.signed() ? 'i' : 'u'));
      case FloatType t when isIeee(t) -> Optional.of(code(t.size(), t.order(), 'f'));
      case EnumType t when t.isBoolean() && t.size() == 1 -> Optional.of("|b1");
      case EnumType t -> typestr(t.base());
      case BitfieldType t
          when t.fillsElement() && t.size() <= 8 && Integer.bitCount(t.size()) == 1 ->
          Optional.of(code(t.size(), t.order(), 'u'));
      case ComplexType t when isIeee(t.base()) && t.base().size() >= 4 ->
          Optional.of(code(t.size(), t.base().order(), 'c'));
      case CompoundType t when isPackedPair(t) -> {
        FloatType part = (FloatType) t.members().getFirst().type();
        yield Optional.of(code(t.size(), part.order(), 'c'));
      }
      case StringType t -> Optional.of("|S" + t.size());
      case OpaqueType t -> Optional.of("|V" + t.size());
      default -> Optional.empty();
    };
  }

  /**
   * Returns whether a type is the compound in which h5py stores complex numbers, real part first,
   * without gaps.
   */
  private static boolean isPackedPair(CompoundType type) {
    return type.members().size() == 2
        && type.members().get(0).name().equals("r")
        && type.members().get(1).name().equals("i")
        && type.members().get(0).type() instanceof FloatType part
        && isIeee(part)
        && part.size() >= 4
        && type.members().get(1).type().equals(part)
        && type.members().get(0).offset() == 0
        && type.members().get(1).offset() == part.size()
        && type.size() == 2 * part.size();
  }

  /**
   * Returns whether a type is one of the IEEE 754 formats that NumPy has: half, single or double
   * precision.
   */
  private static boolean isIeee(FloatType type) {
    return type.order() != Endian.VAX
        && (type.equals(Datatypes.F16LE.withOrder(type.order()))
            || type.equals(Datatypes.F32LE.withOrder(type.order()))
            || type.equals(Datatypes.F64LE.withOrder(type.order())));
  }

  private static String code(int size, Endian order, char kind) {
    return (size == 1 ? "|" : order == Endian.BIG ? ">" : "<") + kind + size;
  }

  /**
   * {@return NumPy's description of a type, as a Python literal, with which it can read the stored
   * elements; empty if there is none}
   *
   * @param type the type, as {@link #numpy} gives it
   */
  public static Optional<String> descr(Datatype type) {
    return typestr(type).map(PlainTypes::quoted).or(() -> fields(type));
  }

  private static Optional<String> fields(Datatype type) {
    if (!(type instanceof CompoundType compound)) {
      return Optional.empty();
    }
    StringBuilder text = new StringBuilder("[");
    for (CompoundType.Member member : compound.members()) {
      Optional<String> field = field(member);
      if (field.isEmpty()) {
        return Optional.empty();
      }
      text.append(field.get()).append(", ");
    }
    return Optional.of(text.append("]").toString());
  }

  private static Optional<String> field(CompoundType.Member member) {
    String name = quoted(member.name());
    if (member.type() instanceof ArrayType array) {
      String dims = String.join(", ", array.dimensions().stream().map(String::valueOf).toList());
      return descr(array.base()).map(base -> "(" + name + ", " + base + ", (" + dims + ",))");
    }
    return descr(member.type()).map(type -> "(" + name + ", " + type + ")");
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("'");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\'' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ' || c > '~') {
        quoted.append(String.format("\\u%04x", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append("'").toString();
  }
}
