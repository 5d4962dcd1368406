package org.hyperslab.tools;

import java.util.List;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.StringPadding;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.format.type.VlenType;

/**
 * Determines which datatypes the C library considers equal (H5Tequal): it ignores the padding and
 * the character set of variable-length strings.
 */
final class TypeIdentity {

  private TypeIdentity() {}

  /**
   * Returns the representative of all types that the library considers equal.
   *
   * @param type any of them
   * @return the representative
   */
  static Datatype of(Datatype type) {
    return switch (type) {
      case VlenStringType t ->
          new VlenStringType(t.size(), StringPadding.NULLTERM, CharacterSet.ASCII, t.base());
      case VlenType t -> new VlenType(t.size(), of(t.base()));
      case ArrayType t -> new ArrayType(t.dimensions(), of(t.base()));
      case CompoundType t -> new CompoundType(t.size(), members(t));
      default -> type;
    };
  }

  private static List<CompoundType.Member> members(CompoundType type) {
    return type.members().stream()
        .map(member -> new CompoundType.Member(member.name(), member.offset(), of(member.type())))
        .toList();
  }
}
