package org.hyperslab.format.type;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.io.NameBytes;

/**
 * An enumeration: names for the values of an integer type (class 8).
 *
 * @param base the integer type, of at most 8 bytes
 * @param constants the names and values in the order of definition; names are unique
 */
public record EnumType(IntegerType base, List<Constant> constants) implements Datatype {

  /** The greatest number of constants that the message can store. */
  public static final int CONSTANT_LIMIT = 0xFFFF;

  /**
   * A named value.
   *
   * @param name the name, unique in the type
   * @param value the value; unsigned values above 2^63-1 are negative here
   */
  public record Constant(String name, long value) {
    /** Requires a valid name. */
    public Constant {
      TypeChecks.present("enum constant name", name);
      if (name.indexOf('\0') >= 0) {
        throw new InvalidUseException("enum constant name: actual=contains NUL, expected=no NUL");
      }
      NameBytes.requireEncodable(name);
    }
  }

  /** Requires a valid base, unique names, and values that fit. */
  public EnumType {
    constants = List.copyOf(constants);
    if (base.size() > 8) {
      throw new InvalidUseException(
          "enum base size: actual=" + base.size() + ", expected=1..8 bytes");
    }
    if (constants.size() > CONSTANT_LIMIT) {
      throw new InvalidUseException(
          "enum constants: actual=" + constants.size() + ", expected<=" + CONSTANT_LIMIT);
    }
    Set<String> names = new HashSet<>();
    for (Constant constant : constants) {
      if (!names.add(constant.name())) {
        throw new InvalidUseException(
            "enum constant name: actual=\"" + constant.name() + "\" twice, expected=unique names");
      }
      if (IntegerBits.wrap(base, constant.value()) != constant.value()) {
        throw new InvalidUseException(
            "enum constant \""
                + constant.name()
                + "\": actual="
                + constant.value()
                + ", expected=a value of "
                + base.describe());
      }
    }
  }

  /**
   * {@return a builder over a base integer}
   *
   * @param base the integer type that holds the values
   */
  public static Builder builder(IntegerType base) {
    return new Builder(base);
  }

  @Override
  public int size() {
    return base.size();
  }

  /**
   * {@return whether this is the enumeration that represents booleans: FALSE is 0 and TRUE is 1, in
   * that order}
   */
  public boolean isBoolean() {
    return constants.equals(Datatypes.BOOLEAN.constants());
  }

  /**
   * {@return the first name of a value}
   *
   * @param value the value of the member
   */
  public Optional<String> nameOf(long value) {
    for (Constant constant : constants) {
      if (constant.value() == value) {
        return Optional.of(constant.name());
      }
    }
    return Optional.empty();
  }

  /**
   * {@return the constant of the given name}
   *
   * @param name the name of the member
   */
  public Optional<Constant> constant(String name) {
    for (Constant constant : constants) {
      if (constant.name().equals(name)) {
        return Optional.of(constant);
      }
    }
    return Optional.empty();
  }

  @Override
  public int classNumber() {
    return 8;
  }

  @Override
  public boolean hasOutOfLineParts() {
    return false;
  }

  @Override
  public String describe() {
    return constants.stream()
        .limit(8)
        .map(constant -> constant.name() + "=" + constant.value())
        .collect(
            Collectors.joining(
                ", ", "enum " + base.describe() + "{", constants.size() > 8 ? ", …}" : "}"));
  }

  /** Returns the base and all constants: equal texts are those of equal types. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("enum ").append(base).append('{');
    for (int i = 0; i < constants.size(); i++) {
      Constant constant = constants.get(i);
      text.append(i == 0 ? "" : ", ").append(constant.name()).append('=').append(constant.value());
    }
    return text.append('}').toString();
  }

  /** Collects the constants of an enumeration. Not thread-safe. */
  public static final class Builder {

    private final IntegerType base;
    private final List<Constant> constants = new ArrayList<>();

    private Builder(IntegerType base) {
      this.base = base;
    }

    /**
     * Adds a named value.
     *
     * @param name the name of the member
     * @param value the value of the member
     * @return this builder
     */
    public Builder constant(String name, long value) {
      constants.add(new Constant(name, value));
      return this;
    }

    /** {@return the type} Fails if names or values repeat, or a value does not fit in the base. */
    public EnumType build() {
      Map<Long, String> names = new HashMap<>();
      for (Constant constant : constants) {
        String other = names.put(constant.value(), constant.name());
        if (other != null && !other.equals(constant.name())) {
          throw new InvalidUseException(
              "enum constant value: actual="
                  + constant.value()
                  + " for \""
                  + other
                  + "\" and \""
                  + constant.name()
                  + "\", expected=unique values, for elements are stored as values");
        }
      }
      return new EnumType(base, constants);
    }
  }
}
