package org.hyperslab.convert.rewrite;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hyperslab.convert.model.AttributeValue;
import org.hyperslab.convert.model.GroupNode;
import org.hyperslab.convert.model.Variable;
import org.hyperslab.format.type.Endian;
import org.hyperslab.format.type.EnumType;

/**
 * Turns variables of enumerations into variables of integers with the attributes {@code
 * flag_values} and {@code flag_meanings}, for formats that have attributes but no enumerations.
 * Values and names stay. An enumeration with a name that has a space in it, which separates names,
 * is left as it is, and so is a variable that has such attributes.
 *
 * <p>Thread rule: stateless.
 *
 * <p>Source: CF Conventions 1.11, section 3.5 (Flags).
 */
public final class EnumFlags {

  private static final String VALUES = "flag_values";
  private static final String MEANINGS = "flag_meanings";

  private EnumFlags() {}

  /**
   * Rewrites the variables of a group and of all below it.
   *
   * @param group the group
   * @param booleansToo whether FALSE and TRUE become integers too
   */
  public static void apply(GroupNode group, boolean booleansToo) {
    group
        .variables()
        .replaceAll(variable ->
            type(variable, booleansToo).map(type -> flagged(variable, type)).orElse(variable));
    group.groups().forEach(child -> apply(child, booleansToo));
  }

  private static Optional<EnumType> type(Variable variable, boolean booleansToo) {
    boolean isFree = variable.attribute(VALUES).isEmpty() && variable.attribute(MEANINGS).isEmpty();
    return isFree
            && variable.type() instanceof EnumType type
            && type.base().fillsElement()
            && (booleansToo || !type.isBoolean())
            && !type.constants().isEmpty()
            && type.constants().stream().allMatch(constant -> isWord(constant.name()))
        ? Optional.of(type)
        : Optional.empty();
  }

  private static boolean isWord(String name) {
    return !name.isEmpty() && name.chars().noneMatch(Character::isWhitespace);
  }

  private static Variable flagged(Variable variable, EnumType type) {
    List<AttributeValue> attributes = new ArrayList<>();
    for (AttributeValue attribute : variable.traits().attributes()) {
      attributes.add(
          attribute.type().equals(type)
              ? new AttributeValue(
                  attribute.name(), type.base(), attribute.space(), attribute.data())
              : attribute);
    }
    attributes.add(values(type));
    List<String> names = type.constants().stream().map(EnumType.Constant::name).toList();
    attributes.add(AttributeValue.ofText(MEANINGS, String.join(" ", names)));
    return new Variable(
        variable.path(),
        type.base(),
        variable.space(),
        variable.traits().withAttributes(attributes),
        variable.elements());
  }

  private static AttributeValue values(EnumType type) {
    int size = type.size();
    byte[] values = new byte[Math.multiplyExact(size, type.constants().size())];
    for (int i = 0; i < type.constants().size(); i++) {
      long value = type.constants().get(i).value();
      for (int b = 0; b < size; b++) {
        int at = type.base().order() == Endian.BIG ? size - 1 - b : b;
        values[i * size + at] = (byte) (value >>> 8 * b);
      }
    }
    return AttributeValue.ofBytes(VALUES, type.base(), values);
  }
}
