package org.hyperslab.convert.options;

import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.List;
import java.util.Optional;
import org.hyperslab.error.InvalidUseException;

/**
 * How a table is read or written.
 *
 * <p>Thread rule: immutable.
 */
public final class TableOptions {

  /** A table in UTF-8 with names in its first row, and units only if they are known ones. */
  public static final TableOptions DEFAULT = builder().build();

  private static final String YES = "yes";
  private static final String NO = "no";
  private static final String FILL = "fill";
  private static final int MAX_HEADER_DIGITS = 9;

  private final Optional<String> header;
  private final Optional<String> missing;
  private final Optional<Boolean> unitsRow;
  private final Optional<String> encoding;
  private final Optional<String> shortRows;

  private TableOptions(Builder builder) {
    header = builder.header;
    missing = builder.missing;
    unitsRow = builder.unitsRow;
    encoding = builder.encoding;
    shortRows = builder.shortRows;
  }

  /** {@return a builder that starts with the defaults} */
  public static Builder builder() {
    return new Builder();
  }

  /** {@return a builder that starts with these options} */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.header = header;
    builder.missing = missing;
    builder.unitsRow = unitsRow;
    builder.encoding = encoding;
    builder.shortRows = shortRows;
    return builder;
  }

  /**
   * {@return which row has the names of columns} It is {@code yes} if the first row has them,
   * {@code no} if no row has, or the number of the row that has them, from 0, before which rows are
   * left out; of an output, {@code yes} or {@code no}; empty for {@code yes}, except that a comment
   * above the first row of an input may have the names.
   */
  public Optional<String> header() {
    return header;
  }

  /**
   * {@return further cells that mark a missing value, separated by commas; instead of the usual
   * ones if it begins with {@code =}}
   */
  public Optional<String> missing() {
    return missing;
  }

  /**
   * {@return whether the row below the names has units} Empty to take it for units only if all its
   * cells are known ones; of an output, whether a row of units is written, empty to write one if a
   * column has units.
   */
  public Optional<Boolean> unitsRow() {
    return unitsRow;
  }

  /**
   * {@return the encoding of the text, such as {@code latin1}; empty for UTF-8, or UTF-16 if an
   * input begins with its byte order mark}
   */
  public Optional<String> encoding() {
    return encoding;
  }

  /**
   * {@return {@code fill} if cells that a row of an input lacks at its end are missing values;
   * {@code refuse}, or empty, if such a row is an error}
   */
  public Optional<String> shortRows() {
    return shortRows;
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

  private List<Object> values() {
    return List.of(header, missing, unitsRow, encoding, shortRows);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TableOptions options && values().equals(options.values());
  }

  @Override
  public int hashCode() {
    return values().hashCode();
  }

  /** Returns all options with their values. */
  @Override
  public String toString() {
    return "TableOptions[header="
        + header
        + ", missing="
        + missing
        + ", unitsRow="
        + unitsRow
        + ", encoding="
        + encoding
        + ", shortRows="
        + shortRows
        + "]";
  }

  /** Collects options; confined to one thread. */
  public static final class Builder {
    private Optional<String> header = Optional.empty();
    private Optional<String> missing = Optional.empty();
    private Optional<Boolean> unitsRow = Optional.empty();
    private Optional<String> encoding = Optional.empty();
    private Optional<String> shortRows = Optional.empty();

    private Builder() {}

    /**
     * Sets {@code yes} if the first row has the names of columns, {@code no} if no row has them, or
     * the number of the row that has them, from 0, before which rows are left out.
     *
     * @param newHeader {@code yes} if the first row has the names of columns, {@code no} if no row
     *     has them, or the number of the row that has them, from 0, before which rows are left out;
     *     of an output, {@code yes} or {@code no}; empty for {@code yes}, except that a comment
     *     above the first row of an input may have the names
     * @return this builder
     */
    public Builder header(Optional<String> newHeader) {
      this.header = newHeader;
      return this;
    }

    /**
     * Sets further cells that mark a missing value, separated by commas.
     *
     * @param newMissing further cells that mark a missing value, separated by commas; instead of
     *     the usual ones if it begins with {@code =}
     * @return this builder
     */
    public Builder missing(Optional<String> newMissing) {
      this.missing = newMissing;
      return this;
    }

    /**
     * Sets whether the row below the names has units.
     *
     * @param newUnitsRow whether the row below the names has units; empty to take it for units only
     *     if all its cells are known ones; of an output, whether a row of units is written, empty
     *     to write one if a column has units
     * @return this builder
     */
    public Builder unitsRow(Optional<Boolean> newUnitsRow) {
      this.unitsRow = newUnitsRow;
      return this;
    }

    /**
     * Sets the encoding of the text, such as {@code latin1}.
     *
     * @param newEncoding the encoding of the text, such as {@code latin1}; empty for UTF-8, or
     *     UTF-16 if an input begins with its byte order mark
     * @return this builder
     */
    public Builder encoding(Optional<String> newEncoding) {
      this.encoding = newEncoding;
      return this;
    }

    /**
     * Sets {@code fill} if cells that a row of an input lacks at its end are missing values.
     *
     * @param newShortRows {@code fill} if cells that a row of an input lacks at its end are missing
     *     values; {@code refuse}, or empty, if such a row is an error
     * @return this builder
     */
    public Builder shortRows(Optional<String> newShortRows) {
      this.shortRows = newShortRows;
      return this;
    }

    /**
     * {@return the options}
     *
     * @throws InvalidUseException if one is not known
     */
    public TableOptions build() {
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

      return new TableOptions(this);
    }
  }
}
