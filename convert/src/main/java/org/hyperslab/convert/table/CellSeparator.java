package org.hyperslab.convert.table;

import java.util.List;
import java.util.regex.Pattern;
import org.hyperslab.convert.bytes.InputBytes;
import org.hyperslab.error.CorruptFileException;

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
}
