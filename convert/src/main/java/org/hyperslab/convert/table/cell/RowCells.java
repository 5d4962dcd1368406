package org.hyperslab.convert.table.cell;

import java.util.Arrays;
import org.hyperslab.error.CorruptFileException;

/**
 * Divides the rows of a piece of a table into cells, and decodes numbers in their usual form
 * ({@link NumberScan}) on the way. Blank lines, which have nothing but spaces, are skipped.
 *
 * <p>A cell begins with a quote or has none: within another cell, a quote is a character. Two
 * quotes within a quoted cell are one; they are replaced in the array of the piece.
 *
 * <p>Thread rule: confined to one thread.
 */
public final class RowCells {

  /** The maximum number of cells of a row. */
  public static final int MAX_COLUMNS = 1 << 16;

  private final String name;
  private final byte separator;

  /** Whether a byte ends a cell or is refused. */
  private final boolean[] special = new boolean[256];

  private byte[] bytes = {};
  private int at;
  private int end;
  private long position;
  private int rowStart;
  private int count;
  private int[] starts = new int[16];
  private int[] ends = new int[16];

  /** Whether numbers can be scanned before it is known where their cells end. */
  private final boolean scans;

  private final NumberScan scan = new NumberScan();
  private int[] kinds = new int[16];
  private long[] digits = new long[16];
  private int[] exponents = new int[16];
  private boolean[] negatives = new boolean[16];

  /**
   * Creates a reader of rows.
   *
   * @param name the name of the table, for messages
   * @param separator what separates cells, a character of ASCII
   */
  public RowCells(String name, char separator) {
    this.name = name;
    this.separator = (byte) separator;
    special[separator] = true;
    special['\n'] = true;
    special['\r'] = true;
    special[0] = true;
    scans = NumberScan.BYTES_OF_NUMBERS.indexOf(separator) < 0;
  }

  /** Begins with a piece, whose array is changed. */
  public void begin(TablePieces.Piece piece) {
    bytes = piece.bytes();
    at = 0;
    end = piece.length();
    position = piece.position();
  }

  /** Passes to the next row; returns whether there is one. */
  public boolean next() {
    skipBlankLines();
    if (at == end) {
      return false;
    }
    rowStart = at;
    count = 0;
    while (true) {
      cell();
      byte delimiter = at < end ? bytes[at++] : (byte) '\n';
      if (delimiter == '\r' && at < end && bytes[at] == '\n') {
        at++;
      }
      if (delimiter != separator) {
        return true;
      }
    }
  }

  private void skipBlankLines() {
    int line = at;
    for (int p = at; p < end; p++) {
      byte b = bytes[p];
      if (b == '\n' || b == '\r') {
        line = p + 1;
      } else if ((b != ' ' && b != '\t') || b == separator) {
        at = line;
        return;
      }
    }
    at = end;
  }

  private void cell() {
    if (count == starts.length) {
      if (count == MAX_COLUMNS) {
        throw corrupt("actual=more columns, expected<=" + MAX_COLUMNS, rowStart);
      }
      grow();
    }
    kinds[count] = CellNumber.NONE;
    if (at < end && bytes[at] == '"') {
      quoted();
    } else {
      int p = scans && at < end && startsNumber(bytes[at]) ? number() : at;
      while (p < end && !special[bytes[p] & 0xFF]) {
        p++;
      }
      starts[count] = at;
      ends[count] = p;
      at = p;
    }
    if (at < end && bytes[at] == 0) {
      throw corrupt("actual=a NUL, expected=text; --encoding=utf-16 reads UTF-16", at);
    }
    count++;
  }

  private void grow() {
    starts = Arrays.copyOf(starts, 2 * count);
    ends = Arrays.copyOf(ends, 2 * count);
    kinds = Arrays.copyOf(kinds, 2 * count);
    digits = Arrays.copyOf(digits, 2 * count);
    exponents = Arrays.copyOf(exponents, 2 * count);
    negatives = Arrays.copyOf(negatives, 2 * count);
  }

  private static boolean startsNumber(byte b) {
    return b == '-' || (b >= '0' && b <= '9');
  }

  /** Decodes the number with which a cell begins; returns where it ends. */
  private int number() {
    int p = scan.scan(bytes, at, end);
    if (scan.kind() != CellNumber.NONE && (p == end || special[bytes[p] & 0xFF])) {
      kinds[count] = scan.kind();
      digits[count] = scan.digits();
      exponents[count] = scan.exponent();
      negatives[count] = scan.isNegative();
    }
    return p;
  }

  private void quoted() {
    int from = at + 1;
    int write = from;
    for (int p = from; p < end; p++) {
      byte b = bytes[p];
      if (b == 0) {
        throw corrupt("actual=a NUL, expected=text; --encoding=utf-16 reads UTF-16", p);
      }
      if (b == '"') {
        if (p + 1 == end || bytes[p + 1] != '"') {
          starts[count] = from;
          ends[count] = write;
          at = p + 1;
          if (at < end && !special[bytes[at] & 0xFF]) {
            throw corrupt("actual=text after a closing quote, expected=the end of the cell", at);
          }
          return;
        }
        p++;
      }
      bytes[write++] = b;
    }
    throw corrupt("actual=the end inside quotes, expected=a closing quote", at);
  }

  private CorruptFileException corrupt(String problem, int where) {
    return new CorruptFileException(name, "table", position + where, problem);
  }

  /** {@return the number of cells of the row} */
  public int count() {
    return count;
  }

  /** {@return the position of the row in the file} */
  public long position() {
    return position + rowStart;
  }

  /** {@return the position after the row in the file} */
  long nextPosition() {
    return position + at;
  }

  /** {@return the array that has the cells} */
  public byte[] bytes() {
    return bytes;
  }

  /** {@return where a cell begins} */
  public int start(int cell) {
    return starts[cell];
  }

  /** {@return where a cell ends} */
  public int end(int cell) {
    return ends[cell];
  }

  /**
   * {@return the kind of a cell that is a number in the usual form, as {@link CellNumber#kind}; of
   * other cells, {@link CellNumber#NONE}}
   */
  public int kind(int cell) {
    return kinds[cell];
  }

  /** {@return the kind of a cell, as {@link CellNumber#kind}} */
  public int numberKind(int cell) {
    return kinds[cell] == CellNumber.NONE
        ? CellNumber.kind(bytes, starts[cell], ends[cell])
        : kinds[cell];
  }

  /** {@return whether a cell with a kind begins with a minus sign} */
  public boolean isNegative(int cell) {
    return negatives[cell];
  }

  /** Decodes an integer of 64 bits, with or without a sign. */
  public long integer(int cell) {
    if (kinds[cell] == CellNumber.NONE) {
      return CellNumber.integer(bytes, starts[cell], ends[cell]);
    }
    return negatives[cell] ? -digits[cell] : digits[cell];
  }

  /** Decodes a cell of any kind of number. */
  public double real(int cell) {
    double magnitude =
        kinds[cell] == CellNumber.NONE
            ? Double.NaN
            : NearestDouble.of(digits[cell], exponents[cell]);
    if (Double.isNaN(magnitude)) {
      return CellNumber.real(bytes, starts[cell], ends[cell]);
    }
    return negatives[cell] ? -magnitude : magnitude;
  }
}
