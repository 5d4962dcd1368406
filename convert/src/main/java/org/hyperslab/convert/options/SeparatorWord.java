package org.hyperslab.convert.options;

import java.util.Locale;
import org.hyperslab.error.InvalidUseException;

/**
 * The words and characters by which an option names what separates the cells of a table.
 *
 * <p>Thread rule: stateless.
 */
final class SeparatorWord {

  private SeparatorWord() {}

  /**
   * Returns the separator that an option names.
   *
   * @param word a character, or {@code comma}, {@code semicolon}, {@code tab}, {@code pipe} or
   *     {@code space}
   * @throws InvalidUseException if it is neither, or a character that cannot separate cells
   */
  static char of(String word) {
    return switch (word.toLowerCase(Locale.ROOT)) {
      case "comma" -> ',';
      case "semicolon" -> ';';
      case "tab", "\\t" -> '\t';
      case "pipe" -> '|';
      case "space" -> ' ';
      default -> {
        boolean one = word.length() == 1 && word.charAt(0) < 128;
        if (!one || Character.isLetterOrDigit(word.charAt(0)) || "\"\r\n\0-+.".contains(word)) {
          throw new InvalidUseException(
              "delimiter: actual="
                  + word
                  + ", expected=comma, semicolon, tab, pipe, space, or a character of ASCII that is"
                  + " no letter, digit, sign, point or quote");
        }
        yield word.charAt(0);
      }
    };
  }
}
