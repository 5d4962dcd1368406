package org.hyperslab.convert.table;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.hyperslab.convert.table.cell.CellNumber;
import org.hyperslab.convert.table.cell.RowCells;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.StringPadding;
import org.jspecify.annotations.Nullable;

/**
 * What the cells of a column have in common. Facts about several parts of a column are merged.
 *
 * <p>Thread rule: confined to one thread at a time.
 */
final class ColumnFacts {

  private static final int MAX_FIXED_BYTES = 256;

  private boolean any;
  private boolean missing;
  private boolean truth = true;
  private boolean integer = true;
  private boolean signed = true;
  private boolean unsigned = true;
  private boolean real = true;
  private boolean inexact;
  private boolean infinite;

  /** Whether a number has a fraction or an exponent, or is infinite. */
  private boolean fraction;

  /** A number that a double, or a signed integer, does not represent; null if there is none. */
  private @Nullable String wide;

  /** A cell that is no number, but close to one; null if there is none. */
  private @Nullable String near;

  /** Whether there is a cell that is neither a number nor close to one. */
  private boolean hasOther;

  private int textBytes = 1;

  /** The types of columns, narrowest first. */
  enum Kind {
    /** Columns whose cells are all true or false. */
    TRUTH,
    /** Integers of 64 bits. */
    INTEGER,
    /** Integers of 64 bits without a sign. */
    UNSIGNED,
    /** Doubles; missing ones are NaN. */
    REAL,
    /** Text, in which marks of missing values are kept. */
    TEXT;

    /** Returns whether this is a kind of numbers. */
    boolean isNumeric() {
      return this == INTEGER || this == UNSIGNED || this == REAL;
    }
  }

  /**
   * Adds one cell of a row.
   *
   * @param row the row
   * @param cell the number of the cell; it is missing if the row has fewer cells
   * @param marks what marks missing values
   * @throws CharacterCodingException if it is not UTF-8
   */
  void see(RowCells row, int cell, MissingMarks marks) throws CharacterCodingException {
    if (cell >= row.count()) {
      missing = true;
    } else if (row.kind(cell) == CellNumber.NONE || marks.has(row, cell)) {
      see(row.bytes(), row.start(cell), row.end(cell), marks);
    } else {
      textBytes = Math.max(textBytes, row.end(cell) - row.start(cell));
      any = true;
      truth = false;
      integer &= real;
      seeNumber(row.kind(cell), row.isNegative(cell));
      noteNumber(row.kind(cell), row.bytes(), row.start(cell), row.end(cell));
    }
  }

  private void see(byte[] bytes, int start, int end, MissingMarks marks)
      throws CharacterCodingException {
    textBytes = Math.max(textBytes, end - start);
    boolean isText = any && !real && !truth;
    if (isText) {
      seeNear(bytes, start, end, marks);
    } else {
      if (marks.has(bytes, start, end)) {
        missing = true;
        return;
      }
      seeValue(bytes, start, end);
    }
    if (!real) {
      requireUtf8(bytes, start, end);
    }
  }

  private void seeValue(byte[] bytes, int start, int end) {
    any = true;
    int kind = real ? CellNumber.kind(bytes, start, end) : CellNumber.NONE;
    if (kind == CellNumber.NONE) {
      real = false;
      integer = false;
      truth = truth && isTruth(bytes, start, end);
      hasOther |= truth || !noteNear(bytes, start, end);
      return;
    }
    truth = false;
    seeNumber(kind, bytes[firstOf(bytes, start)] == '-');
    noteNumber(kind, bytes, start, end);
  }

  private void seeNumber(int kind, boolean isNegative) {
    inexact |= (kind & CellNumber.INEXACT) != 0;
    infinite |= kind == (CellNumber.REAL | CellNumber.INEXACT);
    switch (kind & ~CellNumber.INEXACT) {
      case CellNumber.INTEGER -> unsigned &= !isNegative;
      case CellNumber.UNSIGNED -> signed = false;
      case CellNumber.WIDE -> {
        signed = false;
        unsigned = false;
      }
      default -> integer = false;
    }
  }

  private void noteNumber(int kind, byte[] bytes, int start, int end) {
    if (kind == CellNumber.REAL) {
      fraction = fraction || !stripped(bytes, start, end).equals("-0");
    } else if (kind != CellNumber.INTEGER && wide == null) {
      wide = stripped(bytes, start, end);
    }
  }

  private static String stripped(byte[] bytes, int start, int end) {
    return new String(bytes, start, end - start, StandardCharsets.ISO_8859_1).strip();
  }

  private void seeNear(byte[] bytes, int start, int end, MissingMarks marks) {
    if (!hasOther && !marks.has(bytes, start, end)) {
      hasOther =
          CellNumber.kind(bytes, start, end) == CellNumber.NONE && !noteNear(bytes, start, end);
    }
  }

  private boolean noteNear(byte[] bytes, int start, int end) {
    boolean isNear = CellNumber.isNear(bytes, start, end);
    if (isNear && near == null) {
      near = new String(bytes, start, end - start, StandardCharsets.ISO_8859_1);
    }
    return isNear;
  }

  private static int firstOf(byte[] bytes, int start) {
    int at = start;
    while (bytes[at] == ' ' || bytes[at] == '\t') {
      at++;
    }
    return at;
  }

  private static void requireUtf8(byte[] bytes, int start, int end)
      throws CharacterCodingException {
    for (int at = start; at < end; at++) {
      if (bytes[at] < 0) {
        StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, start, end - start));
        return;
      }
    }
  }

  /** The words that pandas takes for booleans. */
  private static boolean isTruth(byte[] bytes, int start, int end) {
    if (end - start < 4 || end - start > 5) {
      return false;
    }
    return switch (new String(bytes, start, end - start, StandardCharsets.ISO_8859_1)) {
      case "true", "True", "TRUE", "false", "False", "FALSE" -> true;
      default -> false;
    };
  }

  /** Returns whether a cell for which {@link #isTruth} holds is true. */
  static boolean isTrue(byte[] bytes, int start) {
    return bytes[start] == 't' || bytes[start] == 'T';
  }

  /** Adds what is known of another part of the column. */
  void merge(ColumnFacts other) {
    any |= other.any;
    missing |= other.missing;
    truth &= other.truth;
    integer &= other.integer;
    signed &= other.signed;
    unsigned &= other.unsigned;
    real &= other.real;
    inexact |= other.inexact;
    infinite |= other.infinite;
    fraction |= other.fraction;
    wide = wide == null ? other.wide : wide;
    near = near == null ? other.near : near;
    hasOther |= other.hasOther;
    textBytes = Math.max(textBytes, other.textBytes);
  }

  /** Returns what a reader could expect otherwise of the type of the column; empty if nothing. */
  Optional<String> note() {
    if (kind() == Kind.REAL && inexact) {
      return Optional.of(
          "doubles, because it has fractions or exponents; integers such as "
              + wide
              + " are rounded to doubles");
    }
    if (kind() != Kind.TEXT) {
      return Optional.empty();
    }
    boolean isOnlyNumbers = any && real && !truth;
    if (isOnlyNumbers && wide != null) {
      return Optional.of(
          "text, because no number type of 64 bits holds " + wide + " and all its other cells");
    }
    return near == null || hasOther
        ? Optional.empty()
        : Optional.of("text, because " + nearNumber(near));
  }

  private static String nearNumber(String near) {
    return near.indexOf(',') >= 0
        ? "numbers such as " + near + " have a comma"
        : "codes such as " + near + " have leading zeros or a plus sign, which numbers lose";
  }

  /** Returns whether there are numbers, and nothing else but missing values. */
  boolean hasNumbers() {
    return any && kind().isNumeric();
  }

  /** Returns the narrowest kind that holds every cell. */
  Kind kind() {
    if (!any) {
      return missing ? Kind.REAL : Kind.TEXT;
    }
    if (truth) {
      return missing ? Kind.TEXT : Kind.TRUTH;
    }
    if (integer && !missing && (signed || unsigned)) {
      return signed ? Kind.INTEGER : Kind.UNSIGNED;
    }
    boolean isWide =
        (integer && !signed) || (inexact && !fraction); // without a type for all of them
    return real && !infinite && !isWide ? Kind.REAL : Kind.TEXT;
  }

  /** Returns the type that holds every cell. */
  Datatype type() {
    return switch (kind()) {
      case TRUTH -> Datatypes.BOOLEAN;
      case INTEGER -> Datatypes.I64LE;
      case UNSIGNED -> Datatypes.U64LE;
      case REAL -> Datatypes.F64LE;
      case TEXT ->
          textBytes > MAX_FIXED_BYTES
              ? Datatypes.vlenString()
              : Datatypes.fixedString(textBytes, StringPadding.NULLPAD, CharacterSet.UTF8);
    };
  }
}
