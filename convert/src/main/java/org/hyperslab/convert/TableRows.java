package org.hyperslab.convert;

import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.hyperslab.error.CorruptFileException;

/**
 * The rows of a table below its names: how many there are, what the cells of each column have in
 * common, and where some of them begin. The table is read once, in pieces, by several threads.
 *
 * <p>Thread rule: immutable.
 */
final class TableRows {

  /** The number of rows from one whose position is known to the next, at most. */
  static final int INDEXED_ROWS = 1024;

  /** How the message about text in another encoding begins. */
  static final String NOT_UTF8 = "actual=text that is not UTF-8, in a cell";

  /** How the message about text in another encoding ends. */
  static final String UTF8 = ", expected=UTF-8; --encoding names another encoding, such as latin1";

  private static final int MIN_PIECE_BYTES = 1 << 14;
  private static final int MAX_PIECE_BYTES = 1 << 18;
  private static final int PIECES_IN_MEMORY = 64;

  private final long count;
  private final List<ColumnFacts> columns;
  private final long[] firstRows;
  private final long[] positions;

  private TableRows(long count, List<ColumnFacts> columns, long[] firstRows, long[] positions) {
    this.count = count;
    this.columns = columns;
    this.firstRows = firstRows;
    this.positions = positions;
  }

  /**
   * The form of a table.
   *
   * @param file the table
   * @param separator what separates cells
   * @param marks what marks missing values
   * @param fillsShortRows whether cells that a row lacks are missing values
   */
  record Form(InputBytes file, char separator, MissingMarks marks, boolean fillsShortRows) {}

  /** What is known of a piece. */
  private record PieceRows(int number, long count, long[] positions) {}

  /**
   * Reads all rows.
   *
   * @param form the table
   * @param from the position of the first row
   * @param columnCount the number of cells of each row
   * @param work has the threads
   * @throws CorruptFileException if a row has another number of cells, or text is not UTF-8
   */
  static TableRows read(Form form, long from, int columnCount, ConversionRun work) {
    TablePieces pieces =
        new TablePieces(
            form.file, form.separator, from, form.file.size(), pieceBytes(work.memoryBytes()));
    List<ColumnFacts> columns = facts(columnCount);
    List<PieceRows> found = new ArrayList<>();
    work.parallel(
        () -> pieces,
        Integer.MAX_VALUE,
        piece -> {
          List<ColumnFacts> facts = facts(columnCount);
          PieceRows rows = rowsOf(piece, form, facts);
          synchronized (found) {
            found.add(rows);
            for (int i = 0; i < columnCount; i++) {
              columns.get(i).merge(facts.get(i));
            }
          }
        });
    found.sort(Comparator.comparingInt(PieceRows::number));
    return indexed(found, columns);
  }

  private static List<ColumnFacts> facts(int columnCount) {
    List<ColumnFacts> facts = new ArrayList<>();
    for (int i = 0; i < columnCount; i++) {
      facts.add(new ColumnFacts());
    }
    return facts;
  }

  /** Returns the size of pieces of which each thread may have one. */
  static int pieceBytes(long memoryBytes) {
    return Math.clamp(memoryBytes / PIECES_IN_MEMORY, MIN_PIECE_BYTES, MAX_PIECE_BYTES);
  }

  private static PieceRows rowsOf(TablePieces.Piece piece, Form form, List<ColumnFacts> facts) {
    RowCells row = new RowCells(form.file.name(), form.separator);
    row.begin(piece);
    long[] positions = new long[4];
    long count = 0;
    while (row.next()) {
      requireCount(row, form, facts.size());
      if (count % INDEXED_ROWS == 0) {
        int index = (int) (count / INDEXED_ROWS);
        if (index == positions.length) {
          positions = Arrays.copyOf(positions, 2 * index);
        }
        positions[index] = row.position();
      }
      see(row, facts, form);
      count++;
    }
    int indexed = (int) ((count + INDEXED_ROWS - 1) / INDEXED_ROWS);
    return new PieceRows(piece.number(), count, Arrays.copyOf(positions, indexed));
  }

  private static void see(RowCells row, List<ColumnFacts> facts, Form form) {
    for (int i = 0; i < facts.size(); i++) {
      try {
        boolean has = i < row.count();
        facts.get(i).see(row.bytes(), has ? row.start(i) : 0, has ? row.end(i) : 0, form.marks);
      } catch (CharacterCodingException wrong) {
        throw new CorruptFileException(
            form.file.name(),
            "table",
            row.position(),
            NOT_UTF8 + " of line " + lineOf(form.file, row.position()) + UTF8,
            wrong);
      }
    }
  }

  private static void requireCount(RowCells row, Form form, int columnCount) {
    boolean isShort = row.count() < columnCount;
    if (row.count() != columnCount && !(isShort && form.fillsShortRows)) {
      throw new CorruptFileException(
          form.file.name(),
          "table",
          row.position(),
          "actual="
              + row.count()
              + " cells in line "
              + lineOf(form.file, row.position())
              + ", expected="
              + columnCount
              + " as in the first row; --delimiter sets what separates cells, --header=N the row of"
              + " the names"
              + (isShort
                  ? ", and --short-rows=fill takes cells that are not there as missing"
                  : ""));
    }
  }

  /** Returns the number of the line that begins at a position, from 1. */
  static long lineOf(InputBytes file, long position) {
    TableBytes bytes = new TableBytes(file, 0, MAX_PIECE_BYTES);
    long line = 1;
    int last = 0;
    while (bytes.position() < position) {
      int next = bytes.peek();
      boolean isEnd = next == '\r' || (next == '\n' && last != '\r');
      line += isEnd ? 1 : 0;
      last = next;
      bytes.pass();
    }
    return line;
  }

  private static TableRows indexed(List<PieceRows> pieces, List<ColumnFacts> columns) {
    int indexed = pieces.stream().mapToInt(piece -> piece.positions.length).sum();
    long[] firstRows = new long[indexed];
    long[] positions = new long[indexed];
    long count = 0;
    int at = 0;
    for (PieceRows piece : pieces) {
      for (int i = 0; i < piece.positions.length; i++) {
        firstRows[at] = count + (long) i * INDEXED_ROWS;
        positions[at++] = piece.positions[i];
      }
      count += piece.count;
    }
    return new TableRows(count, columns, firstRows, positions);
  }

  /** {@return the number of rows} */
  long count() {
    return count;
  }

  /** {@return what is known of each column} */
  List<ColumnFacts> columns() {
    return columns;
  }

  /**
   * A range of a table that begins with a row.
   *
   * @param row the number of the row
   * @param position where it is
   * @param end the position of another row or the end of the table
   */
  record Range(long row, long position, long end) {}

  /** Returns a range that contains some rows, of which there is at least one. */
  Range range(long first, long rows, long fileBytes) {
    int from = indexOf(first);
    int last = indexOf(first + rows - 1);
    long end = last + 1 < positions.length ? positions[last + 1] : fileBytes;
    return new Range(firstRows[from], positions[from], end);
  }

  private int indexOf(long row) {
    int found = Arrays.binarySearch(firstRows, row);
    return found >= 0 ? found : -found - 2;
  }
}
