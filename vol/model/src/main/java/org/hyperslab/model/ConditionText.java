package org.hyperslab.model;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.hyperslab.error.InvalidUseException;

/** The parts of conditions as texts, and their bounds. Thread rule: stateless. */
final class ConditionText {

  /** Words that are no names of fields unless they stand between backquotes. */
  static final Set<String> WORDS =
      Set.of(
          "and",
          "or",
          "not",
          "is",
          "in",
          "between",
          "nan",
          "fill",
          "true",
          "false",
          "inf",
          "infinity");

  private static final Pattern NAME = Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_]*");
  private static final int MAX_DIGITS = 1000;
  private static final int MAX_EXPONENT = 5000;

  private ConditionText() {}

  /** Returns a constant as conditions have it. */
  static Object constant(Object given) {
    return switch (given) {
      case Double d -> ofDouble(d);
      case Float f -> ofDouble(f);
      case BigDecimal number -> bounded(number);
      case BigInteger number -> bounded(new BigDecimal(number));
      case Byte n -> bounded(BigDecimal.valueOf(n));
      case Short n -> bounded(BigDecimal.valueOf(n));
      case Integer n -> bounded(BigDecimal.valueOf(n));
      case Long n -> bounded(BigDecimal.valueOf(n));
      case String text -> text;
      case Boolean flag -> flag ? "TRUE" : "FALSE";
      case Enum<?> name -> name.name();
      case null, default ->
          throw new InvalidUseException(
              "constant of a condition: actual="
                  + (given == null ? "null" : given.getClass().getName())
                  + ", expected=a number, a text, a boolean or an enum constant");
    };
  }

  private static Object ofDouble(double number) {
    if (Double.isNaN(number)) {
      throw new InvalidUseException(
          "constant of a condition: actual=NaN, expected=a number; ask by isNan(), because NaN is"
              + " equal to nothing");
    }
    if (Double.isInfinite(number)) {
      return number;
    }
    // Whole numbers are compared exactly; of others, the shortest text is the same double again.
    return number == Math.rint(number) && Math.abs(number) < 0x1p64
        ? bounded(new BigDecimal(number))
        : bounded(new BigDecimal(Double.toString(number)));
  }

  private static BigDecimal bounded(BigDecimal number) {
    long exponent = (long) number.precision() - number.scale();
    if (number.precision() > MAX_DIGITS || Math.abs(exponent) > MAX_EXPONENT) {
      throw new InvalidUseException(
          "number in a condition: actual="
              + number.precision()
              + " digits, exponent "
              + exponent
              + ", expected=at most "
              + MAX_DIGITS
              + " digits and an exponent of at most "
              + MAX_EXPONENT);
    }
    // Equal numbers get equal texts, without an exponent where the number is short.
    BigDecimal plain = number.signum() == 0 ? BigDecimal.ZERO : number.stripTrailingZeros();
    return plain.scale() < 0 && exponent <= 40 ? plain.setScale(0) : plain;
  }

  /** Returns a constant as text. */
  static String text(Object constant) {
    return switch (constant) {
      case String text -> "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
      case Double infinite -> infinite > 0 ? "inf" : "-inf";
      default -> constant.toString();
    };
  }

  /** Returns the name of a member as text. */
  static String name(String name) {
    boolean plain = NAME.matcher(name).matches() && !WORDS.contains(name.toLowerCase(Locale.ROOT));
    return plain ? name : "`" + name.replace("\\", "\\\\").replace("`", "\\`") + "`";
  }

  /** Returns a part of another condition as text. */
  static String inner(Condition part) {
    boolean joined =
        part instanceof Condition.And all && !all.parts().isEmpty()
            || part instanceof Condition.Or any && !any.parts().isEmpty();
    return joined ? "(" + part + ")" : part.toString();
  }

  /** Returns the parts of a condition, with those of parts of the same kind in their place. */
  static List<Condition> joined(
      List<Condition> parts, Function<Condition, List<Condition>> sameKind) {
    List<Condition> flat = new ArrayList<>();
    for (Condition part : parts) {
      List<Condition> inside = sameKind.apply(part);
      if (inside == null || inside.isEmpty()) {
        flat.add(part);
      } else {
        flat.addAll(inside);
      }
      requireParts(flat.size());
    }
    flat.forEach(part -> requireDepth(part, Condition.MAX_DEPTH - 1));
    return List.copyOf(flat);
  }

  static void requireParts(int count) {
    if (count > Condition.MAX_PARTS) {
      throw new InvalidUseException(
          "parts of a condition: actual=" + count + ", expected=at most " + Condition.MAX_PARTS);
    }
  }

  static void requireDepth(Condition part, int most) {
    if (depth(part) > most) {
      throw new InvalidUseException(
          "levels of a condition: actual=more, expected=at most " + Condition.MAX_DEPTH);
    }
  }

  /** Returns the number of levels; the parts were bounded when they were made. */
  private static int depth(Condition condition) {
    return switch (condition) {
      case Condition.And all -> 1 + deepest(all.parts());
      case Condition.Or any -> 1 + deepest(any.parts());
      case Condition.Not not -> 1 + depth(not.part());
      case Condition.Comparison _, Condition.OneOf _, Condition.IsNan _, Condition.IsFill _ -> 1;
    };
  }

  private static int deepest(List<Condition> parts) {
    return parts.stream().mapToInt(ConditionText::depth).max().orElse(0);
  }
}
