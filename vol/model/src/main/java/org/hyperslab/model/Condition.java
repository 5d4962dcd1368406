package org.hyperslab.model;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.hyperslab.error.InvalidUseException;

/**
 * A condition that each element of a dataset meets or not: comparisons of elements, or of members
 * of compound elements, with constants, joined by {@code and}, {@code or} and {@code not}.
 *
 * <pre>{@code
 * Condition warm = Condition.field("temperature").above(300);
 * Condition low = Condition.field("pressure").below(2e5);
 * Selection both = dataset.where(warm.and(low));
 * Selection same = dataset.where(Condition.parse("temperature > 300 and pressure < 2e5"));
 * }</pre>
 *
 * <p>Integers, enumerations and bitfields (as unsigned numbers) are compared exactly with any
 * number. Floating-point elements are compared with the number of their own type that is nearest to
 * the constant, as NumPy compares them: {@code x == 0.1} is true of the float32 nearest to 0.1.
 * Strings are compared by their bytes, as NumPy compares byte strings; only {@code ==}, {@code !=}
 * and {@code in} are defined for the names of enumerations. NaN is equal to nothing, not to itself
 * either, and neither above nor below anything; {@code x != 1} and {@code not x > 1} are true of
 * it.
 *
 * <p>Its text, by {@code toString}, is one from which {@link #parse} makes an equal condition. A
 * condition is bounded: at most 65,536 constants, {@value #MAX_DEPTH} levels, and constants of at
 * most 1,000 digits with exponents of at most 5,000.
 *
 * <p>Thread rule: immutable.
 *
 * @since 0.2
 */
public sealed interface Condition {

  /** The greatest number of levels of a condition. */
  int MAX_DEPTH = 64;

  /** The greatest number of constants and parts of a condition. */
  int MAX_PARTS = 1 << 16;

  /** How an element is compared with a constant. */
  enum Relation {
    /** Equal to the constant. */
    EQUAL("=="),
    /** Not equal to the constant; true of NaN. */
    NOT_EQUAL("!="),
    /** Less than the constant. */
    BELOW("<"),
    /** Less than the constant, or equal to it. */
    AT_MOST("<="),
    /** Greater than the constant. */
    ABOVE(">"),
    /** Greater than the constant, or equal to it. */
    AT_LEAST(">=");

    private final String sign;

    Relation(String sign) {
      this.sign = sign;
    }

    /** {@return the relation as texts have it} */
    public String sign() {
      return sign;
    }
  }

  /**
   * What is compared: a member of compound elements, or of compounds in them, or the elements
   * themselves.
   *
   * @param names the names of the members from the outermost one on; for elements that are no
   *     compounds, the one name {@code value}
   */
  record Field(List<String> names) {
    /**
     * Checks the names.
     *
     * @throws InvalidUseException if there is none, more than 32, or an empty one
     */
    public Field {
      names = List.copyOf(names);
      if (names.isEmpty() || names.size() > 32 || names.contains("")) {
        throw new InvalidUseException(
            "field of a condition: actual=" + names + ", expected=1 to 32 names of members");
      }
    }

    /**
     * {@return whether it is equal to a constant}
     *
     * @param constant a number, a text (of a string or the name of an enumeration), a boolean or an
     *     enum constant
     * @throws InvalidUseException if it is another value, or NaN
     */
    public Condition equalTo(Object constant) {
      return new Comparison(this, Relation.EQUAL, constant);
    }

    /**
     * {@return whether it is not equal to a constant; true of NaN}
     *
     * @param constant as in {@link #equalTo}
     */
    public Condition notEqualTo(Object constant) {
      return new Comparison(this, Relation.NOT_EQUAL, constant);
    }

    /**
     * {@return whether it is below a constant}
     *
     * @param constant a number or a text
     */
    public Condition below(Object constant) {
      return new Comparison(this, Relation.BELOW, constant);
    }

    /**
     * {@return whether it is below a constant or equal to it}
     *
     * @param constant a number or a text
     */
    public Condition atMost(Object constant) {
      return new Comparison(this, Relation.AT_MOST, constant);
    }

    /**
     * {@return whether it is above a constant}
     *
     * @param constant a number or a text
     */
    public Condition above(Object constant) {
      return new Comparison(this, Relation.ABOVE, constant);
    }

    /**
     * {@return whether it is above a constant or equal to it}
     *
     * @param constant a number or a text
     */
    public Condition atLeast(Object constant) {
      return new Comparison(this, Relation.AT_LEAST, constant);
    }

    /**
     * {@return whether it lies between two constants, or is equal to one of them}
     *
     * @param low the lower constant
     * @param high the higher constant
     */
    public Condition between(Object low, Object high) {
      return atLeast(low).and(atMost(high));
    }

    /**
     * {@return whether it is equal to one of some constants}
     *
     * @param constants as in {@link #equalTo}
     */
    public Condition in(Object... constants) {
      return new OneOf(this, Arrays.asList(constants));
    }

    /** {@return whether it is NaN; never true of what is no floating-point number} */
    public Condition isNan() {
      return new IsNan(this);
    }

    /**
     * {@return whether it is the fill value of the dataset: zeros if the dataset has no other, and
     * never true if it has none at all}
     */
    public Condition isFill() {
      return new IsFill(this);
    }

    /** Returns the names with points between them; unusual ones stand between backquotes. */
    @Override
    public String toString() {
      return names.stream().map(ConditionText::name).collect(Collectors.joining("."));
    }
  }

  /**
   * A comparison with a constant.
   *
   * @param field what is compared
   * @param relation how
   * @param constant a BigDecimal, a Double that is infinite, or a String
   */
  record Comparison(Field field, Relation relation, Object constant) implements Condition {
    /** Takes a number, a text, a boolean or an enum constant. */
    public Comparison {
      constant = ConditionText.constant(constant);
    }

    @Override
    public String toString() {
      return field + " " + relation.sign() + " " + ConditionText.text(constant);
    }
  }

  /**
   * Whether it is equal to one of some constants.
   *
   * @param field what is compared
   * @param constants each a BigDecimal, a Double that is infinite, or a String
   */
  record OneOf(Field field, List<Object> constants) implements Condition {
    /** Takes numbers, texts, booleans or enum constants. */
    public OneOf {
      constants = constants.stream().map(ConditionText::constant).toList();
      ConditionText.requireParts(constants.size());
    }

    @Override
    public String toString() {
      return field
          + " in ("
          + constants.stream().map(ConditionText::text).collect(Collectors.joining(", "))
          + ")";
    }
  }

  /**
   * Whether it is NaN.
   *
   * @param field what is examined
   */
  record IsNan(Field field) implements Condition {
    @Override
    public String toString() {
      return field + " is nan";
    }
  }

  /**
   * Whether it is the fill value of the dataset.
   *
   * @param field what is examined
   */
  record IsFill(Field field) implements Condition {
    @Override
    public String toString() {
      return field + " is fill";
    }
  }

  /**
   * Whether all conditions are met; true if there is none.
   *
   * @param parts the conditions
   */
  record And(List<Condition> parts) implements Condition {
    /** Checks the number of parts and of levels. */
    public And {
      parts = ConditionText.joined(parts, part -> part instanceof And all ? all.parts : null);
    }

    @Override
    public String toString() {
      return parts.isEmpty()
          ? "true"
          : parts.stream().map(ConditionText::inner).collect(Collectors.joining(" and "));
    }
  }

  /**
   * Whether one of some conditions is met; false if there is none.
   *
   * @param parts the conditions
   */
  record Or(List<Condition> parts) implements Condition {
    /** Checks the number of parts and of levels. */
    public Or {
      parts = ConditionText.joined(parts, part -> part instanceof Or any ? any.parts : null);
    }

    @Override
    public String toString() {
      return parts.isEmpty()
          ? "false"
          : parts.stream().map(ConditionText::inner).collect(Collectors.joining(" or "));
    }
  }

  /**
   * Whether a condition is not met.
   *
   * @param part the condition
   */
  record Not(Condition part) implements Condition {
    /** Checks the number of levels. */
    public Not {
      ConditionText.requireDepth(part, MAX_DEPTH - 1);
    }

    @Override
    public String toString() {
      return "not " + ConditionText.inner(part);
    }
  }

  /**
   * {@return a member of compound elements}
   *
   * @param names its name; for a member of a member, the names from the outermost one on
   */
  static Field field(String... names) {
    return new Field(List.of(names));
  }

  /** {@return the elements themselves, of a dataset that has no compound elements} */
  static Field value() {
    return field("value");
  }

  /** {@return the condition that every element meets} */
  static Condition always() {
    return new And(List.of());
  }

  /**
   * {@return the condition of a text} Comparisons are {@code FIELD RELATION CONSTANT}, with {@code
   * == = != < <= > >=}, or with both sides exchanged; further {@code FIELD between A and B}, {@code
   * FIELD in (A, B, …)}, {@code FIELD is nan}, {@code FIELD is fill}, each of these also with
   * {@code not}; they are joined by {@code and}, {@code or}, {@code not} and parentheses, and
   * {@code and} binds closer than {@code or}. {@code true} and {@code false} are conditions. FIELD
   * is {@code value}, or names of members with points between them; a name that is no word stands
   * between backquotes. Texts stand between quotation marks or apostrophes, with {@code \} before
   * these and itself.
   *
   * @param text the text, of at most 1 MiB
   * @throws InvalidUseException if the text is none; the message has the place
   */
  static Condition parse(String text) {
    return new ConditionParser(text).parse();
  }

  /**
   * {@return whether this condition and another one are met}
   *
   * @param other the other condition
   */
  default Condition and(Condition other) {
    return new And(List.of(this, other));
  }

  /**
   * {@return whether this condition or another one is met}
   *
   * @param other the other condition
   */
  default Condition or(Condition other) {
    return new Or(List.of(this, other));
  }

  /** {@return whether this condition is not met} */
  default Condition not() {
    return new Not(this);
  }
}
