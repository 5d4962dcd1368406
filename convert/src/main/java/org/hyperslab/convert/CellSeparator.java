package org.hyperslab.convert;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.InvalidUseException;

/**
 * Determines what separates the cells of a table: the comma, or what programs write in its place
 * where the comma is the decimal sign.
 *
 * <p>Another separator than the comma is taken only if commas do not divide the first rows into the
 * same number of cells, at least two, and the other one does; or if semicolons divide them into
 * numbers with decimal commas.
 *
 * <p>Thread rule: stateless.
 */
final class CellSeparator {

  private static final char COMMA = ',';
  private static final List<Character> OTHERS = List.of(';', '\t', '|');

  /** How many rows are inspected, the first included. */
  private static final int ROWS = 64;

  private static final Pattern NUMBER =
      Pattern.compile("[-+]?[0-9]+([.,][0-9]+)?([eE][-+]?[0-9]+)?");

  private CellSeparator() {}

  /**
   * Returns the separator of a table.
   *
   * @param file the table
   * @param start the position of the first row
   */
  static char of(InputBytes file, long start) {
    if (hasDecimalCommas(file, start)) {
      return ';';
    }
    char best = COMMA;
    int most = columns(file, COMMA, start);
    if (most > 1) {
      return COMMA;
    }
    for (char other : OTHERS) {
      int columns = columns(file, other, start);
      if (columns > Math.max(1, most)) {
        best = other;
        most = columns;
      }
    }
    return best;
  }

  /** Returns the number of cells of the first rows, or 0 if it is not the same in all of them. */
  private static int columns(InputBytes file, char separator, long start) {
    try {
      RowReader reader = new RowReader(file, separator, start);
      List<String> first = reader.row();
      int columns = first == null ? 0 : first.size();
      for (int i = 1; i < ROWS; i++) {
        List<String> row = reader.row();
        if (row == null) {
          break;
        }
        if (row.size() != columns) {
          return 0;
        }
      }
      return columns;
    } catch (CorruptFileException _) {
      return 0; // quotes that end within a cell, for example
    }
  }

  /**
   * Returns whether all rows are numbers between semicolons, with a decimal comma in each row, so
   * that commas would divide rows into cells such as {@code 5;2}.
   */
  private static boolean hasDecimalCommas(InputBytes file, long start) {
    if (columns(file, ';', start) < 2) {
      return false;
    }
    RowReader reader = new RowReader(file, ';', start);
    for (int i = 0; i < ROWS; i++) {
      List<String> row = reader.row();
      if (row == null) {
        return i > 0;
      }
      boolean numbers = row.stream().allMatch(cell -> cell.isEmpty() || isNumber(cell));
      if (!numbers || row.stream().noneMatch(cell -> cell.indexOf(',') >= 0)) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether a cell is a number, with a decimal point or a decimal comma. */
  static boolean isNumber(String cell) {
    return NUMBER.matcher(cell).matches();
  }

  /**
   * Returns the separator that an option names.
   *
   * @param word a character, or {@code comma}, {@code semicolon}, {@code tab}, {@code pipe} or
   *     {@code space}
   * @throws InvalidUseException if it is neither, or a character that cannot separate cells
   */
  static char ofOption(String word) {
    return switch (word.toLowerCase(Locale.ROOT)) {
      case "comma" -> COMMA;
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
