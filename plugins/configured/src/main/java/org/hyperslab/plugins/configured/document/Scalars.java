package org.hyperslab.plugins.configured.document;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import org.hyperslab.vol.ConnectorOptions;

/**
 * Reads texts, numbers and words of a configuration file.
 *
 * <p>Thread rule: no state.
 */
public final class Scalars {

  private Scalars() {}

  /**
   * {@return the text of a part}
   *
   * @param node the part
   * @throws org.hyperslab.error.InvalidUseException if it is a list or a mapping, with its place
   */
  public static String text(DocumentNode node) {
    if (node instanceof DocumentNode.Scalar scalar) {
      return scalar.text();
    }
    throw node.place().problem(node.kind() + " stands where one value belongs");
  }

  /**
   * {@return the texts of a list; a single value is a list of one}
   *
   * @param node the part
   * @throws org.hyperslab.error.InvalidUseException if it is a mapping or has parts that are no
   *     values, with their place
   */
  public static List<DocumentNode.Scalar> texts(DocumentNode node) {
    List<DocumentNode> items =
        node instanceof DocumentNode.Sequence sequence ? sequence.items() : List.of(node);
    List<DocumentNode.Scalar> texts = new ArrayList<>();
    for (DocumentNode item : items) {
      texts.add(new DocumentNode.Scalar(item.place(), text(item)));
    }
    return texts;
  }

  /**
   * {@return a whole number}
   *
   * @param node the part
   * @param minimum the least value allowed
   * @param maximum the largest value allowed
   * @throws org.hyperslab.error.InvalidUseException if it is none, or outside, with its place
   */
  public static long number(DocumentNode node, long minimum, long maximum) {
    String text = text(node);
    try {
      long value = Long.parseLong(text);
      if (value >= minimum && value <= maximum) {
        return value;
      }
    } catch (NumberFormatException e) {
      // told below, with the bounds
    }
    throw node.place()
        .problem("\"" + text + "\" is not a whole number from " + minimum + " to " + maximum);
  }

  /**
   * {@return a number of bytes, such as 4096, 64K, 16M or 2G (powers of 1024)}
   *
   * @param node the part
   * @throws org.hyperslab.error.InvalidUseException if it is none, with its place
   */
  public static long bytes(DocumentNode node) {
    OptionalLong bytes = ConnectorOptions.bytesOf(text(node));
    if (bytes.isPresent() && bytes.getAsLong() >= 0) {
      return bytes.getAsLong();
    }
    throw node.place()
        .problem("\"" + text(node) + "\" is no number of bytes, such as 4096, 64K, 16M or 2G");
  }

  /**
   * {@return a truth value}
   *
   * @param node the part
   * @throws org.hyperslab.error.InvalidUseException if it is neither true nor false, with its place
   */
  public static boolean flag(DocumentNode node) {
    return switch (text(node)) {
      case "true" -> true;
      case "false" -> false;
      default -> throw node.place().problem(node.kind() + " is neither true nor false");
    };
  }

  /**
   * Returns the constant of an enum that a word names. Words are spelled as options are: {@code
   * bestEffort} names {@code BEST_EFFORT}.
   *
   * @param <E> the enum
   * @param node the part
   * @param type the class of the enum
   * @return the constant
   * @throws org.hyperslab.error.InvalidUseException if there is none of that name, listing the
   *     words that there are, with its place
   */
  public static <E extends Enum<E>> E word(DocumentNode node, Class<E> type) {
    String text = text(node);
    List<String> words = new ArrayList<>();
    for (E constant : type.getEnumConstants()) {
      String word = spelling(constant);
      if (word.equals(text)) {
        return constant;
      }
      words.add(word);
    }
    throw node.place()
        .problem("there is no \"" + text + "\"; there are " + String.join(", ", words));
  }

  /**
   * {@return the word that names a constant, such as {@code bestEffort}}
   *
   * @param constant the constant
   */
  public static String spelling(Enum<?> constant) {
    StringBuilder word = new StringBuilder();
    for (String part : constant.name().toLowerCase(Locale.ROOT).split("_", -1)) {
      word.append(
          word.isEmpty()
              ? part
              : part.substring(0, 1).toUpperCase(Locale.ROOT) + part.substring(1));
    }
    return word.toString();
  }
}
