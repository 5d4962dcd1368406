package org.hyperslab.tools.edit;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.hyperslab.Memory;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.format.type.BitfieldType;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.StringPadding;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.VlenStringType;

/**
 * The value of an attribute as words of a command line. Commas separate numbers and names of an
 * enumeration; text is one element for each word, with its commas.
 *
 * @param words the words, at least one
 */
record AttributeWords(List<String> words) {

  private static final Pattern WHOLE = Pattern.compile("[+-]?\\d{1,400}");

  private static final Pattern NUMBER =
      Pattern.compile("(?i)[+-]?((\\d+\\.?\\d*|\\.\\d+)(e[+-]?\\d+)?|inf|infinity|nan)");

  /** Integers that are codes: numbers lose their zeros or plus signs, as in tables. */
  private static final Pattern CODE = Pattern.compile("[+-]?0\\d.*|\\+\\d+");

  private static final int SINGLE_BYTES = 4;

  /** The bits of the mantissa of a float and of a double, with the leading one. */
  private static final int SINGLE_BITS = 24;

  private static final int DOUBLE_BITS = 53;

  /**
   * {@return the type of a new attribute: whole numbers, numbers, else text, to which belong codes
   * such as 00123 and words with blanks around them}
   */
  Datatype ownType() {
    List<String> parts = parts();
    if (words.stream().anyMatch(word -> !word.equals(word.strip()))
        || parts.stream().anyMatch(part -> CODE.matcher(part).matches())) {
      return Datatypes.vlenString();
    }
    if (parts.stream().allMatch(part -> WHOLE.matcher(part).matches())) {
      return Datatypes.I64LE;
    }
    return parts.stream().allMatch(AttributeWords::isNumber)
        ? Datatypes.F64LE
        : Datatypes.vlenString();
  }

  private static boolean isNumber(String word) {
    return NUMBER.matcher(word).matches();
  }

  /**
   * {@return a type in which the words can be stored: text may need more bytes, and characters that
   * are not ASCII}
   *
   * @param type the type of the attribute so far
   */
  Datatype widened(Datatype type) {
    boolean isAscii = words.stream().allMatch(NameBytes::isAscii);
    return switch (type) {
      case StringType t -> {
        int longest =
            words.stream().mapToInt(word -> NameBytes.encode(word).length).max().orElse(1);
        int needed = t.padding() == StringPadding.NULLTERM ? longest + 1 : longest;
        CharacterSet charset = isAscii ? t.charset() : CharacterSet.UTF8;
        yield new StringType(Math.max(t.size(), needed), t.padding(), charset);
      }
      case VlenStringType t when !isAscii && t.charset() == CharacterSet.ASCII ->
          Datatypes.vlenString(CharacterSet.UTF8);
      default -> type;
    };
  }

  /**
   * {@return the elements in one dimension}
   *
   * @param type the type they are stored as
   * @throws InvalidUseException if a word is no value of the type, or the type has no values that
   *     are words
   */
  Memory elements(Datatype type) {
    List<Object> values = new ArrayList<>();
    switch (type) {
      case StringType _, VlenStringType _ -> values.addAll(words);
      case EnumType t -> constants(t, values);
      case IntegerType _, BitfieldType _ -> parts().forEach(part -> values.add(whole(part, type)));
      case FloatType t -> parts().forEach(part -> values.add(number(part, t)));
      default ->
          throw new InvalidUseException(
              "value: actual="
                  + type.describe()
                  + ", expected=a type of numbers, text or names; --type replaces the type");
    }
    try {
      return Memory.of(values.toArray(), type);
    } catch (InvalidUseException failure) {
      throw ofOne(values, type).orElse(failure);
    }
  }

  /** Returns the error of the first number that a type does not have. */
  private static Optional<InvalidUseException> ofOne(List<Object> values, Datatype type) {
    for (Object value : values) {
      try {
        Memory.of(new Object[] {value}, type);
      } catch (InvalidUseException outside) {
        return value instanceof Number
            ? Optional.of(wrong(value.toString(), "a number in the range of " + type.describe()))
            : Optional.empty();
      }
    }
    return Optional.empty();
  }

  private List<String> parts() {
    List<String> parts = new ArrayList<>();
    for (String word : words) {
      for (String part : word.split(",", -1)) {
        parts.add(part.strip());
      }
    }
    return parts;
  }

  private static InvalidUseException wrong(String word, String expected) {
    return new InvalidUseException(
        "value: actual=\"" + word + "\", expected=" + expected + "; --type replaces the type");
  }

  private static BigInteger whole(String word, Datatype type) {
    if (!WHOLE.matcher(word).matches()) {
      throw wrong(word, "a whole number for " + type.describe());
    }
    return new BigInteger(word);
  }

  private static Number number(String word, FloatType type) {
    if (!isNumber(word)) {
      throw wrong(word, "a number for " + type.describe());
    }
    String lower = word.toLowerCase(Locale.ROOT);
    if (lower.contains("n")) { // nan, inf
      double special = lower.contains("nan") ? Double.NaN : Double.POSITIVE_INFINITY;
      return lower.startsWith("-") ? -special : special;
    }
    boolean isSingle = type.size() == SINGLE_BYTES;
    // Rounded once; as double first, some would be rounded twice.
    Number value = isSingle ? (Number) Float.valueOf(word) : Double.valueOf(word);
    if (Double.isInfinite(value.doubleValue())) {
      throw wrong(word, "a number in the range of " + type.describe());
    }
    int most = Math.min(type.fields().mantissaSize() + 1, isSingle ? SINGLE_BITS : DOUBLE_BITS);
    if (WHOLE.matcher(word).matches() && bits(new BigInteger(word)) > most) {
      throw wrong(word, "a whole number without digits that " + type.describe() + " loses");
    }
    return value;
  }

  /** Returns the number of bits from the first one to the last one that is set. */
  private static int bits(BigInteger number) {
    BigInteger magnitude = number.abs();
    return number.signum() == 0 ? 0 : magnitude.bitLength() - magnitude.getLowestSetBit();
  }

  private void constants(EnumType type, List<Object> values) {
    for (String word : words) {
      if (type.constant(word).isPresent()) {
        values.add(word);
      } else {
        for (String part : word.split(",", -1)) {
          values.add(constant(part.strip(), type));
        }
      }
    }
  }

  private static Object constant(String word, EnumType type) {
    String name = type.isBoolean() ? word.toUpperCase(Locale.ROOT) : word;
    if (type.constant(name).isPresent()) {
      return name;
    }
    if (!WHOLE.matcher(word).matches()) {
      throw wrong(word, "a name or number of " + type.describe());
    }
    return new BigInteger(word);
  }
}
