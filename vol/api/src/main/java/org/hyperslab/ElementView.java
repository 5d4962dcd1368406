package org.hyperslab;

import java.util.List;
import java.util.function.UnaryOperator;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.value.OutOfRange;

/**
 * Selects the whole or some members of each element, and the rule by which numbers are converted.
 *
 * <p>A single field is transferred as in the C library: by a compound type in memory with only this
 * member, whose elements are as large as the member. A Java array of its values therefore has the
 * layout of that memory.
 *
 * @param type the type of what is meant
 * @param inMemory what the type of values in memory is called in a transfer
 * @param rule for numbers out of range
 */
record ElementView(Datatype type, UnaryOperator<Datatype> inMemory, OutOfRange rule) {

  /** Selects whole elements of a type. */
  static ElementView whole(Datatype type) {
    return new ElementView(type, UnaryOperator.identity(), OutOfRange.REFUSE);
  }

  ElementView clamped() {
    return new ElementView(type, inMemory, OutOfRange.CLAMP);
  }

  /** Selects one member, whose values are not wrapped in a compound. */
  ElementView field(String name) {
    CompoundType.Member member = member(name);
    return new ElementView(
        member.type(),
        value -> inMemory.apply(CompoundType.builder().member(name, value).build()),
        rule);
  }

  /** Selects some members, as a compound of these. */
  ElementView fields(List<String> names) {
    if (names.isEmpty()) {
      throw new InvalidUseException(
          "fields: actual=none, expected=at least one name of " + type.describe());
    }
    CompoundType.Builder builder = CompoundType.builder();
    for (String name : names) {
      builder.member(name, member(name).type());
    }
    return new ElementView(builder.build(), inMemory, rule);
  }

  private CompoundType.Member member(String name) {
    Arguments.require(name, "field", "a member's name");
    if (!(type instanceof CompoundType compound)) {
      throw new InvalidUseException(
          "field \""
              + name
              + "\": actual=dataset of type "
              + type.describe()
              + ", expected=a compound type");
    }
    return compound
        .member(name)
        .orElseThrow(() ->
            new InvalidUseException(
                "field: actual=\""
                    + name
                    + "\", expected=one of "
                    + type.describe()
                    + NearNames.hint(
                        "",
                        name,
                        compound.members().stream().map(CompoundType.Member::name).toList())));
  }

  /** Values of this part in memory, as they are transferred. */
  Memory transferred(Memory values) {
    return values.as(inMemory.apply(values.type()));
  }
}
