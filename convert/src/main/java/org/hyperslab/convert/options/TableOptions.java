package org.hyperslab.convert.options;

import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Optional;
import org.hyperslab.error.InvalidUseException;

/**
 * How a table is read or written.
 *
 * @param header {@code yes} if the first row has the names of columns, {@code no} if no row has
 *     them, or the number of the row that has them, from 0, before which rows are left out; of an
 *     output, {@code yes} or {@code no}; empty for {@code yes}, except that a comment above the
 *     first row of an input may have the names
 * @param missing further cells that mark a missing value, separated by commas; instead of the usual
 *     ones if it begins with {@code =}
 * @param unitsRow whether the row below the names has units; empty to take it for units only if all
 *     its cells are known ones; of an output, whether a row of units is written, empty to write one
 *     if a column has units
 * @param encoding the encoding of the text, such as {@code latin1}; empty for UTF-8, or UTF-16 if
 *     an input begins with its byte order mark
 * @param shortRows {@code fill} if cells that a row of an input lacks at its end are missing
 *     values; {@code refuse}, or empty, if such a row is an error
 */
public record TableOptions(
    Optional<String> header,
    Optional<String> missing,
    Optional<Boolean> unitsRow,
    Optional<String> encoding,
    Optional<String> shortRows) {

  /** A table in UTF-8 with names in its first row, and units only if they are known ones. */
  public static final TableOptions DEFAULT =
      new TableOptions(
          Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

  private static final String YES = "yes";
  private static final String NO = "no";
  private static final String FILL = "fill";
  private static final int MAX_HEADER_DIGITS = 9;

  /**
   * Checks the words.
   *
   * @throws InvalidUseException if one is not known
   */
  public TableOptions {
    header.ifPresent(word -> {
      if (!word.equals(YES) && !word.equals(NO) && !isNumber(word)) {
        throw new InvalidUseException(
            "header: actual=" + word + ", expected=yes, no, or the number of a row from 0");
      }
    });
    encoding.ifPresent(TableOptions::charsetOf);
    shortRows.ifPresent(word -> {
      if (!word.equals(FILL) && !word.equals("refuse")) {
        throw new InvalidUseException("short rows: actual=" + word + ", expected=fill or refuse");
      }
    });
  }

  /**
   * Sets how a table is read whose short rows are refused.
   *
   * @param header as {@link #header}
   * @param missing as {@link #missing}
   * @param unitsRow as {@link #unitsRow}
   * @param encoding as {@link #encoding}
   */
  public TableOptions(
      Optional<String> header,
      Optional<String> missing,
      Optional<Boolean> unitsRow,
      Optional<String> encoding) {
    this(header, missing, unitsRow, encoding, Optional.empty());
  }

  /**
   * Returns whether cells that a row lacks are missing values.
   *
   * @return false if such a row is an error
   */
  public boolean fillsShortRows() {
    return shortRows.filter(FILL::equals).isPresent();
  }

  private static boolean isNumber(String word) {
    return word.length() <= MAX_HEADER_DIGITS && word.matches("[0-9]+");
  }

  /**
   * Returns whether the options say nothing of names.
   *
   * @return whether {@link #header} is empty
   */
  public boolean isHeaderOpen() {
    return header.isEmpty();
  }

  /**
   * Returns whether a row has names.
   *
   * @return false if no row has them
   */
  public boolean hasHeader() {
    return header.isEmpty() || !header.get().equals(NO);
  }

  /**
   * Returns the number of rows before the names, which are left out.
   *
   * @return the number, 0 or more
   */
  public int rowsBeforeHeader() {
    return header.filter(TableOptions::isNumber).map(Integer::valueOf).orElse(0);
  }

  /**
   * Returns the encoding, UTF-8 by default.
   *
   * @return the encoding of the text
   */
  public Charset charset() {
    return encoding.map(TableOptions::charsetOf).orElse(StandardCharsets.UTF_8);
  }

  private static Charset charsetOf(String name) {
    try {
      return Charset.forName(name);
    } catch (IllegalCharsetNameException | UnsupportedCharsetException unknown) {
      throw new InvalidUseException(
          "encoding: actual="
              + name
              + ", expected=one that Java knows, such as latin1, utf-8 or "
              + "windows-1252",
          unknown);
    }
  }
}
