package org.hyperslab.tools.walk;

import java.util.Comparator;
import java.util.function.UnaryOperator;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.StringPadding;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.format.type.VlenType;

/**
 * Determines which datatypes the C library considers equal (H5Tequal): it ignores the padding and
 * the character set of variable-length strings.
 */
public final class TypeIdentity {

  private TypeIdentity() {}

  /**
   * Returns the representative of all types that the library considers equal.
   *
   * @param type any of them
   * @return the representative
   */
  public static Datatype of(Datatype type) {
    return switch (type) {
      case VlenStringType t ->
          new VlenStringType(t.size(), StringPadding.NULLTERM, CharacterSet.ASCII, t.base());
      case VlenType t -> new VlenType(t.size(), of(t.base()));
      case ArrayType t -> new ArrayType(t.dimensions(), of(t.base()));
      case CompoundType t -> withMembers(t, TypeIdentity::of);
      default -> type;
    };
  }

  /**
   * Returns a type with the constants of its enumerations in the order of their values, and without
   * the form in which a file stores variable-length strings: not every reader keeps these.
   *
   * @param type a type
   * @return the type that all types have in common that differ only by that
   */
  public static Datatype withOrderedConstants(Datatype type) {
    return switch (type) {
      case EnumType t ->
          new EnumType(
              t.base(),
              t.constants().stream()
                  .sorted(
                      Comparator.comparingLong(EnumType.Constant::value)
                          .thenComparing(EnumType.Constant::name))
                  .toList());
      case VlenStringType t -> {
        VlenStringType any = Datatypes.vlenString();
        yield new VlenStringType(any.size(), t.padding(), t.charset(), any.base());
      }
      case VlenType t -> new VlenType(t.size(), withOrderedConstants(t.base()));
      case ArrayType t -> new ArrayType(t.dimensions(), withOrderedConstants(t.base()));
      case CompoundType t -> withMembers(t, TypeIdentity::withOrderedConstants);
      default -> type;
    };
  }

  /**
   * Returns a type in which members of compounds have no dimensions: each array is one element.
   *
   * @param type a type
   * @return the type without dimensions of members
   */
  public static Datatype withoutMemberDimensions(Datatype type) {
    return switch (type) {
      case CompoundType t -> withMembers(t, TypeIdentity::oneElement);
      case VlenType t -> new VlenType(t.size(), withoutMemberDimensions(t.base()));
      case ArrayType t -> new ArrayType(t.dimensions(), withoutMemberDimensions(t.base()));
      default -> type;
    };
  }

  private static CompoundType withMembers(CompoundType type, UnaryOperator<Datatype> change) {
    return new CompoundType(
        type.size(),
        type.members().stream()
            .map(member ->
                new CompoundType.Member(
                    member.name(), member.offset(), change.apply(member.type())))
            .toList());
  }

  private static Datatype oneElement(Datatype member) {
    return member instanceof ArrayType array
        ? oneElement(array.base())
        : withoutMemberDimensions(member);
  }
}
