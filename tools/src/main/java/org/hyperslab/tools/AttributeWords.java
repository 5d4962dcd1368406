package org.hyperslab.tools;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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

  private static final int SINGLE_BYTES = 4;

  /** {@return the type of a new attribute: whole numbers, numbers, else text} */
  Datatype ownType() {
    List<String> parts = parts();
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
    return Memory.of(values.toArray(), type);
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
    // Rounded once; as double first, some would be rounded twice.
    return type.size() == SINGLE_BYTES ? (Number) Float.valueOf(word) : Double.valueOf(word);
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
