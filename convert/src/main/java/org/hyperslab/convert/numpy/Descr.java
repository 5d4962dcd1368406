package org.hyperslab.convert.numpy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
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
import org.hyperslab.format.type.StringPadding;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.value.ElementCodec;
import org.hyperslab.interchange.numpy.NpyHead;
import org.hyperslab.interchange.numpy.PythonLiteral;
import org.jspecify.annotations.Nullable;

/**
 * Describes HDF5's types by NumPy's type descriptions, which are Python literals.
 *
 * <p>Thread rule: confined to one thread.
 */
final class Descr {

  private final Consumer<String> lost;

  private Descr(Consumer<String> lost) {
    this.lost = lost;
  }

  /** Returns the description of a type that NumPy can represent without loss. */
  static Optional<String> natural(Datatype type) {
    List<String> losses = new ArrayList<>();
    Optional<String> descr = of(type, losses::add);
    return losses.isEmpty() ? descr : Optional.empty();
  }

  /**
   * Returns the description of a type.
   *
   * @param lost receives a description of each property that NumPy cannot represent
   * @return the description, or empty if NumPy has no such type
   */
  static Optional<String> of(Datatype type, Consumer<String> lost) {
    return Optional.ofNullable(new Descr(lost).describe(type));
  }

  /**
   * Returns the type whose elements have the same bytes as NumPy's: strings are padded with NUL,
   * and members are in the order of their offsets.
   */
  static Datatype layout(Datatype type) {
    return switch (type) {
      case StringType t -> new StringType(t.size(), StringPadding.NULLPAD, t.charset());
      case ArrayType t -> new ArrayType(t.dimensions(), layout(t.base()));
      case CompoundType t -> {
        CompoundType.Builder builder = CompoundType.builder().size(t.size());
        t.members().stream()
            .sorted(Comparator.comparingInt(CompoundType.Member::offset))
            .forEach(m -> builder.member(m.name(), m.offset(), layout(m.type())));
        yield builder.build();
      }
      default -> type;
    };
  }

  private @Nullable String describe(Datatype type) {
    return switch (type) {
      case IntegerType t ->
          t.fillsElement() ? number(t.signed() ? "i" : "u", t.size(), t.order()) : null;
      case BitfieldType t -> {
        lost.accept("a bitfield, which is an unsigned integer in NumPy");
        yield t.fillsElement() ? number("u", t.size(), t.order()) : null;
      }
      case FloatType t -> real(t, "f", 1);
      case ComplexType t -> real(t.base(), "c", 2);
      case EnumType t -> enumeration(t);
      case StringType t -> {
        if (t.charset() == CharacterSet.UTF8) {
          lost.accept("text in UTF-8, which is a string of bytes in NumPy");
        }
        yield "'|S" + t.size() + "'";
      }
      case OpaqueType t -> {
        if (!t.tag().isEmpty()) {
          lost.accept("the tag \"" + t.tag() + "\" of opaque bytes");
        }
        yield "'" + NumpyType.opaque(t) + "'";
      }
      case CompoundType t -> compound(t);
      case ArrayType _ -> null; // has a name only as a field
      default -> null;
    };
  }

  private static @Nullable String number(String letter, int size, Endian order) {
    if (order == Endian.VAX || Integer.bitCount(size) != 1 || size > 8) {
      return null;
    }
    return "'" + (size == 1 ? "|" : order == Endian.BIG ? ">" : "<") + letter + size + "'";
  }

  private static @Nullable String real(FloatType type, String letter, int parts) {
    String order = type.order() == Endian.BIG ? ">" : "<";
    FloatType little = type.order() == Endian.BIG ? type.withOrder(Endian.LITTLE) : type;
    boolean known =
        little.equals(Datatypes.F32LE)
            || little.equals(Datatypes.F64LE)
            || (parts == 1 && little.equals(Datatypes.F16LE))
            || type.equals(Datatypes.X87_LONG_DOUBLE);
    return known ? "'" + order + letter + type.size() * parts + "'" : null;
  }

  private @Nullable String enumeration(EnumType type) {
    if (type.size() == 1 && type.isBoolean()) {
      return "'|b1'";
    }
    lost.accept("the names of an enumeration");
    return describe(type.base());
  }

  private @Nullable String compound(CompoundType type) {
    if (ElementCodec.isComplexPair(type) && type.packed().equals(type)) {
      String complex = real((FloatType) type.members().getFirst().type(), "c", 2);
      if (complex != null) {
        return complex;
      }
    }
    List<String> fields = new ArrayList<>();
    int end = 0;
    for (CompoundType.Member member : ((CompoundType) layout(type)).members()) {
      pad(fields, member.offset() - end);
      String field = field(member);
      if (field == null) {
        return null;
      }
      fields.add(field);
      end = (int) member.endExclusive();
    }
    pad(fields, type.size() - end);
    if (!((CompoundType) layout(type))
        .members().stream()
            .map(CompoundType.Member::name)
            .toList()
            .equals(type.members().stream().map(CompoundType.Member::name).toList())) {
      lost.accept("the order of a compound's members, which is not that of their bytes");
    }
    return "[" + String.join(", ", fields) + "]";
  }

  private static void pad(List<String> fields, int bytes) {
    if (bytes > 0) {
      fields.add("('', '|V" + bytes + "')");
    }
  }

  private @Nullable String field(CompoundType.Member member) {
    if (member.name().isEmpty()) {
      return null; // NumPy treats it as padding
    }
    String name = PythonLiteral.quote(member.name());
    List<Integer> dims = new ArrayList<>();
    Datatype type = member.type();
    while (type instanceof ArrayType array) {
      dims.addAll(array.dimensions());
      type = array.base();
    }
    String descr = describe(type);
    if (descr == null) {
      return null;
    }
    return dims.isEmpty()
        ? "(" + name + ", " + descr + ")"
        : "(" + name + ", " + descr + ", " + NpyHead.shape(dims) + ")";
  }
}
