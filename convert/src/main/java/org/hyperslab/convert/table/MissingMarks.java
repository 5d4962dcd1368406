package org.hyperslab.convert.table;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.hyperslab.convert.table.cell.CellNumber;
import org.hyperslab.convert.table.cell.RowCells;

/**
 * The texts that mark a missing value in a table: by default an empty cell and those that pandas
 * takes for one.
 *
 * <p>Thread rule: immutable.
 */
final class MissingMarks {

  private static final List<String> USUAL =
      List.of(
          "#N/A",
          "#N/A N/A",
          "#NA",
          "-1.#IND",
          "-1.#QNAN",
          "-NaN",
          "-nan",
          "1.#IND",
          "1.#QNAN",
          "<NA>",
          "N/A",
          "NA",
          "NULL",
          "NaN",
          "None",
          "n/a",
          "nan",
          "null");

  private static final int MASKED_BYTES = 63;

  private final Set<String> texts;

  /** For each first byte, a bit for each length of a mark, the last one also for longer ones. */
  private final long[] lengths = new long[256];

  /** The numbers that mark missing values, such as -999, however a cell writes them. */
  private final double[] numbers;

  private MissingMarks(Set<String> texts) {
    this.texts = texts;
    this.numbers =
        texts.stream()
            .map(text -> text.getBytes(StandardCharsets.UTF_8))
            .filter(bytes -> CellNumber.kind(bytes, 0, bytes.length) != CellNumber.NONE)
            .mapToDouble(bytes -> CellNumber.real(bytes, 0, bytes.length))
            .filter(number -> !Double.isNaN(number))
            .toArray();
    for (String text : texts) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      if (bytes.length > 0) {
        lengths[bytes[0] & 0xFF] |= 1L << Math.min(bytes.length, MASKED_BYTES);
      }
    }
  }

  /**
   * Returns the marks that an option gives.
   *
   * @param list further marks, separated by commas; all of them if it begins with {@code =}; empty
   *     for the usual ones
   */
  static MissingMarks of(Optional<String> list) {
    boolean isWhole = list.isPresent() && list.get().startsWith("=");
    Set<String> texts = new HashSet<>(isWhole ? List.of() : USUAL);
    list.map(words -> isWhole ? words.substring(1) : words)
        .ifPresent(words -> texts.addAll(Arrays.asList(words.split(",", -1))));
    texts.remove("");
    return new MissingMarks(texts);
  }

  /** Returns whether a cell marks a missing value. */
  boolean has(byte[] bytes, int start, int end) {
    if (start == end) {
      return true;
    }
    long bit = 1L << Math.min(end - start, MASKED_BYTES);
    boolean isText =
        (lengths[bytes[start] & 0xFF] & bit) != 0
            && texts.contains(new String(bytes, start, end - start, StandardCharsets.UTF_8));
    return isText || (numbers.length > 0 && hasNumber(bytes, start, end));
  }

  /** Returns whether a cell is exactly one of the numbers, as -999.0 is -999. */
  private boolean hasNumber(byte[] bytes, int start, int end) {
    int kind = CellNumber.kind(bytes, start, end);
    if (kind == CellNumber.NONE || (kind & CellNumber.INEXACT) != 0) {
      return false;
    }
    double value = CellNumber.real(bytes, start, end);
    for (double number : numbers) {
      if (number == value) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether a cell of a row marks a missing value. */
  boolean has(RowCells row, int cell) {
    return (row.kind(cell) == CellNumber.NONE || numbers.length > 0)
        && has(row.bytes(), row.start(cell), row.end(cell));
  }

  /** Returns whether a cell marks a missing value. */
  boolean has(String cell) {
    return cell.isEmpty() || texts.contains(cell);
  }
}
